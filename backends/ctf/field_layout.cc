// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/field_layout.h"

#include <charconv>
#include <cstring>

#include "ringscribe/backends/ctf/bytes.h"

namespace ringscribe::ctf {
namespace {

using model::Field;
using model::Value;
using model::ValueKind;

constexpr int kDepthMax = 64;
constexpr std::string_view kTooDeep = "(nested too deep to show)";

// The kinds of places in a layout, as they stand in a key.
constexpr char kNothing = 'n';
constexpr char kInt = 'i';
constexpr char kUint = 'u';
constexpr char kAddress = 'a';
constexpr char kDouble = 'd';
constexpr char kText = 't';
constexpr char kEnum = 'e';
constexpr char kStruct = 's';  // count, then for each member its name and its kind
constexpr char kArray = 'q';   // the kind of its elements
constexpr char kEmptyArray = 'Q';
constexpr char kTextArray = 'x';
constexpr char kDeep = 'D';

// A number of a type that to_chars() knows.
template <typename Number, typename... Base>
std::string number_text(Number value, Base... base) {
  char digits[32];
  char* const end = std::to_chars(digits, digits + sizeof(digits), value, base...).ptr;
  return std::string(static_cast<const char*>(digits), static_cast<size_t>(end - digits));
}

std::string value_text(const Value& value, int depth) {
  switch (value.kind) {
    case ValueKind::kNone:
      return "nothing";
    case ValueKind::kInt:
      return number_text(value.int_value);
    case ValueKind::kUint:
      return number_text(value.uint_value);
    case ValueKind::kAddress:
      return "0x" + number_text(value.uint_value, 16);
    case ValueKind::kDouble:
      return number_text(value.double_value);
    case ValueKind::kText:
      return std::string(value.text);
    case ValueKind::kStruct:
    case ValueKind::kArray:
      break;
  }
  if (depth == kDepthMax) return std::string(kTooDeep);
  const bool is_struct = value.kind == ValueKind::kStruct;
  std::string out;
  for (const Field& child : value.children) {
    if (!out.empty()) out += ' ';
    if (is_struct) out.append(child.name).append("=");
    out += value_text(child.value, depth + 1);
  }
  return is_struct ? "{" + out + "}" : "[" + out + "]";
}

char scalar_kind(const Value& value) {
  switch (value.kind) {
    case ValueKind::kInt:
      return kInt;
    case ValueKind::kUint:
      return kUint;
    case ValueKind::kAddress:
      return kAddress;
    case ValueKind::kDouble:
      return kDouble;
    case ValueKind::kText:
      return value.uint_value == 0 ? kText : kEnum;
    default:
      return kNothing;
  }
}

void put_size(std::string& out, size_t size) { put(out, static_cast<uint32_t>(size)); }

size_t take_size(std::string_view& key) {
  uint32_t size = 0;
  std::memcpy(&size, key.data(), sizeof(size));
  key.remove_prefix(sizeof(size));
  return size;
}

std::string_view take(std::string_view& key, size_t size) {
  const std::string_view taken = key.substr(0, size);
  key.remove_prefix(size);
  return taken;
}

}  // namespace

std::string value_text(const Value& value) { return value_text(value, 0); }

std::string fields_text(std::span<const Field> fields) {
  Value all;
  all.kind = ValueKind::kStruct;
  all.children = fields;
  const std::string text = value_text(all);
  return text.substr(1, text.size() - 2);
}

void LayoutKey::read(std::span<const Field> fields) {
  bytes_.clear();
  labels_.clear();
  places_ = 0;
  add_members(fields, 0);
}

void LayoutKey::add_members(std::span<const Field> fields, int depth) {
  put_size(bytes_, fields.size());
  for (const Field& field : fields) {
    put_size(bytes_, field.name.size());
    bytes_ += field.name;
    add_value(field.value, depth);
  }
}

void LayoutKey::add_value(const Value& value, int depth) {
  const bool is_nested = value.kind == ValueKind::kStruct || value.kind == ValueKind::kArray;
  if (is_nested && depth == kDepthMax) {
    bytes_ += kDeep;
  } else if (value.kind == ValueKind::kStruct) {
    bytes_ += kStruct;
    add_members(value.children, depth + 1);
  } else if (value.kind == ValueKind::kArray) {
    add_array(value.children, depth + 1);
  } else {
    const char kind = scalar_kind(value);
    if (kind == kEnum) labels_.push_back({places_++, value.uint_value, value.text});
    bytes_ += kind;
  }
}

void LayoutKey::add_array(std::span<const Field> items, int depth) {
  if (items.empty()) {
    bytes_ += kEmptyArray;
    return;
  }
  const size_t begin = bytes_.size();
  const size_t labels = labels_.size();
  const uint32_t places = places_;
  bytes_ += kArray;
  add_value(items[0].value, depth);
  const size_t end = bytes_.size();
  const uint32_t places_after = places_;
  for (const Field& item : items.subspan(1)) {
    places_ = places;
    add_value(item.value, depth);
    const std::string_view all = bytes_;
    const bool is_same = all.substr(begin + 1, end - begin - 1) == all.substr(end);
    bytes_.resize(end);
    if (is_same) continue;
    bytes_.resize(begin);
    bytes_ += kTextArray;
    labels_.resize(labels);
    places_ = places;
    return;
  }
  places_ = places_after;
}

FieldLayout::FieldLayout(std::string_view key, bool is_plain) : is_plain_(is_plain) {
  members_ = parse_members(key);
}

std::vector<FieldLayout::Node> FieldLayout::parse_members(std::string_view& key) {
  std::vector<Node> members;
  for (size_t left = take_size(key); left > 0; --left) {
    const std::string name(take(key, take_size(key)));
    members.push_back(parse_value(key));
    members.back().name = name;
  }
  return members;
}

FieldLayout::Node FieldLayout::parse_value(std::string_view& key) {
  Node node;
  node.kind = take(key, 1).front();
  if (node.kind == kStruct) node.children = parse_members(key);
  if (node.kind == kArray) node.children.push_back(parse_value(key));
  if (node.kind == kEnum) {
    node.place = static_cast<uint32_t>(enums_.size());
    enums_.emplace_back();
  }
  return node;
}

FieldLayout::Seen FieldLayout::see(std::span<const LayoutKey::Label> labels) {
  if (is_plain_) return Seen::kKnown;
  Seen seen = Seen::kKnown;
  std::vector<LayoutKey::Label> added;
  for (const LayoutKey::Label& label : labels) {
    auto& known = enums_[label.place];
    const auto [entry, is_new] = known.try_emplace(label.number, label.text);
    if (is_new) added.push_back(label);
    if (is_new) seen = Seen::kNew;
    if (entry->second == label.text && known.size() <= kLabelsMax) continue;
    for (const LayoutKey::Label& again : added) enums_[again.place].erase(again.number);
    return Seen::kMustBePlain;
  }
  return seen;
}

std::string FieldLayout::declare(FieldNames& names) const {
  return declare_members(members_, names);
}

std::string FieldLayout::declare_members(const std::vector<Node>& nodes, FieldNames& names) const {
  std::string out;
  for (const Node& node : nodes) {
    const std::string identifier = names.add(node.name);
    const std::string original =
        std::string_view(identifier).substr(1) == node.name ? "" : comment(node.name);
    const bool is_array =
        node.kind == kArray || node.kind == kEmptyArray || node.kind == kTextArray;
    if (!is_array) {
      out += type_text(node) + " " + identifier + ";" + original + "\n";
      continue;
    }
    const std::string length = names.add_length(identifier);
    const std::string element = node.kind == kArray        ? type_text(node.children[0])
                                : node.kind == kEmptyArray ? "u8"
                                                           : "text";
    out += "u32 " + length + ";\n";
    out += element + " " + identifier + "[" + length + "];" + original + "\n";
  }
  return out;
}

// Of an array it is a struct that holds it: a sequence of sequences has to be one of structs.
std::string FieldLayout::type_text(const Node& node) const {
  FieldNames names;
  switch (node.kind) {
    case kInt:
      return "i64";
    case kUint:
      return "u64";
    case kAddress:
      return "x64";
    case kDouble:
      return "f64";
    case kText:
    case kDeep:
      return "text";
    case kNothing:
      return "struct { }";
    case kStruct:
      return "struct {\n" + declare_members(node.children, names) + "}";
    case kEnum:
      break;
    default: {
      Node inner = node;
      inner.name = "items";
      return "struct {\n" + declare_members({inner}, names) + "}";
    }
  }
  if (is_plain_) return "struct { u64 _number; text _name; }";
  std::string out = "enum : u64 {";
  const char* separator = " ";
  for (const auto& [number, label] : enums_[node.place]) {
    out.append(separator).append(quoted(label)).append(" = ").append(std::to_string(number));
    separator = ", ";
  }
  return out + " }";
}

void FieldLayout::append(std::span<const Field> fields, std::string& out) const {
  for (size_t i = 0; i < members_.size(); ++i) append_value(members_[i], fields[i].value, out);
}

void FieldLayout::append_value(const Node& node, const Value& value, std::string& out) const {
  switch (node.kind) {
    case kInt:
      return put(out, value.int_value);
    case kUint:
    case kAddress:
      return put(out, value.uint_value);
    case kDouble:
      return put(out, value.double_value);
    case kText:
      return append_text(out, value.text);
    case kDeep:
      return append_text(out, kTooDeep);
    case kEnum:
      put(out, value.uint_value);
      if (is_plain_) append_text(out, value.text);
      return;
    case kStruct:
      for (size_t i = 0; i < node.children.size(); ++i) {
        append_value(node.children[i], value.children[i].value, out);
      }
      return;
    case kArray:
      put_size(out, value.children.size());
      for (const Field& child : value.children) append_value(node.children[0], child.value, out);
      return;
    case kEmptyArray:
      return put_size(out, 0);
    case kTextArray:
      put_size(out, value.children.size());
      for (const Field& child : value.children) append_text(out, value_text(child.value));
      return;
    default:
      return;
  }
}

}  // namespace ringscribe::ctf
