// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/field_rows.h"

#include <charconv>

namespace ringscribe::sqlite {
namespace {

using model::ValueKind;

std::string_view type_name(ValueKind kind) noexcept {
  switch (kind) {
    case ValueKind::kNone:
      return "none";
    case ValueKind::kInt:
      return "integer";
    case ValueKind::kUint:
      return "unsigned";
    case ValueKind::kDouble:
      return "real";
    case ValueKind::kText:
      return "text";
    case ValueKind::kAddress:
      return "address";
    case ValueKind::kStruct:
      return "struct";
    case ValueKind::kArray:
      return "array";
  }
  return "none";
}

bool has_children(const model::Value& value) noexcept {
  return (value.kind == ValueKind::kStruct || value.kind == ValueKind::kArray) &&
         !value.children.empty();
}

}  // namespace

Status FieldRows::open(Database& database) {
  Status status =
      database.prepare("SELECT id FROM field_keys WHERE path = ? AND type = ?", find_key_);
  if (!status.ok()) return status;
  status =
      database.prepare("INSERT INTO field_keys(path, type) VALUES(?, ?) RETURNING id", insert_key_);
  if (!status.ok()) return status;
  return database.prepare("INSERT INTO field_data VALUES(?, ?, ?, ?)", insert_);
}

Status FieldRows::key_of(ValueKind kind, int64_t* id_out) {
  key_text_.assign(1, static_cast<char>('0' + static_cast<int>(kind))).append(path_);
  if (const auto found = keys_.find(key_text_); found != keys_.end()) {
    *id_out = found->second;
    return {};
  }
  bool found = false;
  find_key_.bind(1, path_);
  find_key_.bind(2, type_name(kind));
  if (Status status = find_key_.run_to_find(id_out, &found); !status.ok()) return status;
  if (!found) {
    insert_key_.bind(1, path_);
    insert_key_.bind(2, type_name(kind));
    if (Status status = insert_key_.run_for_integer(id_out); !status.ok()) return status;
  }
  if (keys_.size() >= kKeysMax) keys_.clear();
  // Arrays of any length and names of any size: the rest is found in the database.
  if (key_text_.size() <= 256) keys_.emplace(key_text_, *id_out);
  return {};
}

Status FieldRows::add_row(int64_t key, const model::Value& value, int depth) {
  insert_.bind(1, event_id_);
  insert_.bind(2, position_++);
  insert_.bind(3, key);
  char digits[2 + 16] = {'0', 'x'};
  switch (value.kind) {
    case ValueKind::kInt:
      insert_.bind(4, value.int_value);
      break;
    case ValueKind::kUint:
      insert_.bind_unsigned(4, value.uint_value);
      break;
    case ValueKind::kDouble:
      insert_.bind(4, value.double_value);
      break;
    case ValueKind::kText:
      insert_.bind(4, value.text);
      break;
    case ValueKind::kAddress: {
      char* const end =
          std::to_chars(digits + 2, digits + sizeof(digits), value.uint_value, 16).ptr;
      insert_.bind(4, std::string_view(digits, static_cast<size_t>(end - digits)));
      break;
    }
    case ValueKind::kStruct:
    case ValueKind::kArray:
      if (depth >= kDepthMax && !value.children.empty()) {
        insert_.bind(4, std::string_view("(nested too deep to show)"));
        break;
      }
      [[fallthrough]];
    case ValueKind::kNone:
      insert_.bind_null(4);
      break;
  }
  return insert_.run();
}

Status FieldRows::add_value(std::string_view name, const model::Value& value, int depth) {
  const size_t before = path_.size();
  path_ += name;
  Status status;
  if (has_children(value) && depth < kDepthMax) {
    size_t index = 0;
    for (const model::Field& child : value.children) {
      if (value.kind == ValueKind::kArray) {
        status = add_value("[" + std::to_string(index++) + "]", child.value, depth + 1);
      } else {
        const std::string_view plain = child.name.empty() ? "(unnamed)" : child.name;
        status = add_value(std::string(".").append(plain), child.value, depth + 1);
      }
      if (!status.ok()) break;
    }
  } else {
    int64_t key = 0;
    status = key_of(value.kind, &key);
    if (status.ok()) status = add_row(key, value, depth);
  }
  path_.resize(before);
  return status;
}

Status FieldRows::add(int64_t event_id, std::span<const model::Field> fields, uint32_t layout) {
  event_id_ = event_id;
  position_ = 0;
  path_.clear();
  std::vector<Key>* known = nullptr;
  if (layout != 0) {
    if (layouts_.size() >= kKeysMax) layouts_.clear();
    known = &layouts_[layout];
    known->resize(fields.size());
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto& [name, value] = fields[i];
    Status status;
    if (known != nullptr && !has_children(value)) {
      Key& key = (*known)[i];
      if (key.id == 0 || key.kind != value.kind) {
        path_ = name.empty() ? std::string_view("(unnamed)") : name;
        key.id = 0;
        status = key_of(value.kind, &key.id);
        key.kind = value.kind;
        path_.clear();
      }
      if (status.ok()) status = add_row(key.id, value, 0);
    } else {
      status = add_value(name.empty() ? std::string_view("(unnamed)") : name, value, 0);
    }
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace ringscribe::sqlite
