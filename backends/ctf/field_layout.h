// SPDX-License-Identifier: Apache-2.0
//
// FieldLayout: how the fields of an event lie in a CTF event, from the fields as they come.
//
// Events whose fields have the same names and kinds have the same layout: LayoutKey makes a string
// of both, which is equal for them and for no others, and a FieldLayout is made from that string.
//
//   int, uint, address, double   64 bits, addresses in base 16
//   text                         a string
//   text with a number           an enumeration with the labels seen so far; see is_plain()
//   struct                       a struct
//   array                        a sequence, with its length in front; an array whose elements
//                                differ in layout is one of texts
//   nothing                      an empty struct
//   below 64 levels              a text
//
//   LayoutKey key;
//   key.read(event.fields);
//   FieldLayout layout(key.bytes(), false);  // once for each key
//   layout.see(key.labels());
//   FieldNames names;
//   std::string text = layout.declare(names);  // members of a struct, in TSDL
//   layout.append(event.fields, bytes);
//
// Threads: one at a time. Lifetime: labels() is valid as long as the fields are.
#ifndef RINGSCRIBE_BACKENDS_CTF_FIELD_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_CTF_FIELD_LAYOUT_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/ctf/tsdl_text.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::ctf {

// A value as text, for where its type cannot be said: 5, 0xff, 0.25, a, {x=1 y=2}, [1 2].
std::string value_text(const model::Value& value);
// The same of fields: "x=1 y=2".
std::string fields_text(std::span<const model::Field> fields);

class LayoutKey {
 public:
  // An enumeration's value in the fields; those of one place in the layout have the same number.
  struct Label {
    uint32_t place;
    uint64_t number;
    std::string_view text;
  };

  void read(std::span<const model::Field> fields);
  const std::string& bytes() const noexcept { return bytes_; }
  const std::vector<Label>& labels() const noexcept { return labels_; }

 private:
  void add_members(std::span<const model::Field> fields, int depth);
  void add_value(const model::Value& value, int depth);
  void add_array(std::span<const model::Field> items, int depth);

  std::string bytes_;
  std::vector<Label> labels_;
  uint32_t places_ = 0;
};

class FieldLayout {
 public:
  static constexpr size_t kLabelsMax = 64;  // of an enumeration

  enum class Seen { kKnown, kNew, kMustBePlain };

  // `key` is LayoutKey::bytes(). A plain layout has a struct of number and name for each
  // enumeration, which needs no labels.
  FieldLayout(std::string_view key, bool is_plain);

  // Takes up the labels of an event. kNew: declare() says more than before. kMustBePlain: a number
  // has two labels, or there are too many; nothing is taken, and a plain layout has to be used.
  Seen see(std::span<const LayoutKey::Label> labels);
  bool is_plain() const noexcept { return is_plain_; }

  // The members of the struct of an event, whose names are added to `names`.
  std::string declare(FieldNames& names) const;
  // Appends the bytes of fields that have this layout.
  void append(std::span<const model::Field> fields, std::string& out) const;

 private:
  struct Node {
    char kind = 0;
    std::string name;
    std::vector<Node> children;  // members, or the one element
    uint32_t place = 0;          // of an enumeration
  };

  Node parse_value(std::string_view& key);
  std::vector<Node> parse_members(std::string_view& key);
  std::string declare_members(const std::vector<Node>& nodes, FieldNames& names) const;
  std::string type_text(const Node& node) const;
  void append_value(const Node& node, const model::Value& value, std::string& out) const;

  std::vector<Node> members_;
  std::vector<std::map<uint64_t, std::string>> enums_;  // by place
  bool is_plain_;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_FIELD_LAYOUT_H_
