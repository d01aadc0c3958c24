// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/field_layout.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/bytes.h"

namespace ringscribe::ctf {
namespace {

using model::Field;
using model::Value;
using model::ValueKind;
using Seen = FieldLayout::Seen;

Value number(int64_t value) {
  Value result;
  result.kind = ValueKind::kInt;
  result.int_value = value;
  return result;
}

Value text(std::string_view value, uint64_t enumerator = 0) {
  Value result;
  result.kind = ValueKind::kText;
  result.text = value;
  result.uint_value = enumerator;
  return result;
}

Value nested(ValueKind kind, std::span<const Field> children) {
  Value result;
  result.kind = kind;
  result.children = children;
  return result;
}

std::string key_of(std::span<const Field> fields) {
  LayoutKey key;
  key.read(fields);
  return key.bytes();
}

std::string declared(std::span<const Field> fields) {
  FieldNames names;
  return FieldLayout(key_of(fields), false).declare(names);
}

std::string encoded(std::span<const Field> fields) {
  std::string out;
  FieldLayout(key_of(fields), false).append(fields, out);
  return out;
}

// Two lengths or numbers, as the trace has them.
template <typename... Numbers>
std::string bytes(Numbers... numbers) {
  std::string out;
  (put(out, numbers), ...);
  return out;
}

TEST_CASE("keys are equal for the same names and kinds, whatever the values, and for no others") {
  const Field a[] = {{"x", number(1)}, {"y", text("a")}};
  const Field b[] = {{"x", number(2)}, {"y", text("bcd")}};
  const Field other_name[] = {{"x", number(1)}, {"z", text("a")}};
  const Field other_kind[] = {{"x", number(1)}, {"y", number(1)}};
  const Field fewer[] = {{"x", number(1)}};
  CHECK(key_of(a) == key_of(b));
  CHECK(key_of(a) != key_of(other_name));
  CHECK(key_of(a) != key_of(other_kind));
  CHECK(key_of(a) != key_of(fewer));
  // A name cannot be taken for what follows it.
  const Field split[] = {{"xi", number(1)}, {"y", number(1)}};
  const Field joined[] = {{"x", number(1)}, {"iy", number(1)}};
  CHECK(key_of(split) != key_of(joined));
}

TEST_CASE("arrays of any length share a layout, an empty one has its own") {
  const Field one[] = {{"", number(1)}};
  const Field two[] = {{"", number(1)}, {"", number(2)}};
  const Field a[] = {{"x", nested(ValueKind::kArray, one)}};
  const Field b[] = {{"x", nested(ValueKind::kArray, two)}};
  const Field none[] = {{"x", nested(ValueKind::kArray, {})}};
  CHECK(key_of(a) == key_of(b));
  CHECK(key_of(a) != key_of(none));
  CHECK(declared(a) == "u32 __x_length;\ni64 _x[__x_length];\n");
  CHECK(encoded(b) == bytes(uint32_t{2}, int64_t{1}, int64_t{2}));
  CHECK(declared(none) == "u32 __x_length;\nu8 _x[__x_length];\n");
  CHECK(encoded(none) == bytes(uint32_t{0}));
}

TEST_CASE("an array of different elements is one of texts") {
  const Field inner[] = {{"a", number(1)}, {"b", text("t", 3)}};
  const Field mixed[] = {{"", number(-1)}, {"", nested(ValueKind::kStruct, inner)}};
  const Field fields[] = {{"x", nested(ValueKind::kArray, mixed)}, {"e", text("E", 5)}};
  CHECK(declared(fields).find("u32 __x_length;\ntext _x[__x_length];\n") == 0);
  CHECK(encoded(fields) ==
        bytes(uint32_t{2}) + std::string("-1\0{a=1 b=t}\0", 13) + bytes(uint64_t{5}));
  // Labels inside of a text are none of the layout.
  LayoutKey key;
  key.read(fields);
  REQUIRE(key.labels().size() == 1);
  CHECK(key.labels()[0].place == 0);
  CHECK(key.labels()[0].text == "E");
}

TEST_CASE("structs and sequences nest") {
  const Field items[] = {{"", number(7)}};
  const Field arrays[] = {{"", nested(ValueKind::kArray, items)},
                          {"", nested(ValueKind::kArray, items)}};
  const Field fields[] = {{"x y", nested(ValueKind::kArray, arrays)}};
  CHECK(declared(fields) ==
        "u32 __x_y_length;\nstruct {\nu32 __items_length;\ni64 _items[__items_length];\n} "
        "_x_y[__x_y_length]; /* \"x y\" */\n");
  CHECK(encoded(fields) == bytes(uint32_t{2}, uint32_t{1}, int64_t{7}, uint32_t{1}, int64_t{7}));
}

TEST_CASE("an enumeration has the labels that were seen, in all elements of an array") {
  const Field items[] = {{"", text("B", 2)}, {"", text("A", 1)}};
  const Field fields[] = {{"x", nested(ValueKind::kArray, items)}, {"y", text("C", 1)}};
  LayoutKey key;
  key.read(fields);
  REQUIRE(key.labels().size() == 3);
  CHECK(key.labels()[1].place == 0);
  CHECK(key.labels()[2].place == 1);
  FieldLayout layout(key.bytes(), false);
  CHECK(layout.see(key.labels()) == Seen::kNew);
  CHECK(layout.see(key.labels()) == Seen::kKnown);
  FieldNames names;
  const std::string text = layout.declare(names);
  CHECK(text.find("enum : u64 { \"A\" = 1, \"B\" = 2 } _x[") != std::string::npos);
  CHECK(text.find("enum : u64 { \"C\" = 1 } _y;") != std::string::npos);
}

TEST_CASE("a number with two labels, or too many labels, make the layout plain") {
  const Field fields[] = {{"e", text("A", 1)}};
  FieldLayout layout(key_of(fields), false);
  const LayoutKey::Label first[] = {{0, 1, "A"}};
  const LayoutKey::Label other[] = {{0, 2, "B"}, {0, 1, "C"}};
  CHECK(layout.see(first) == Seen::kNew);
  CHECK(layout.see(other) == Seen::kMustBePlain);
  // Nothing of it was taken.
  const LayoutKey::Label second[] = {{0, 2, "D"}};
  CHECK(layout.see(second) == Seen::kNew);
  std::vector<std::string> labels;
  for (uint64_t i = 0; i < FieldLayout::kLabelsMax; ++i) labels.push_back(std::to_string(i));
  Seen seen = Seen::kNew;
  for (uint64_t i = 2; i < FieldLayout::kLabelsMax; ++i) {
    const LayoutKey::Label label[] = {{0, i + 1, labels[i]}};
    seen = layout.see(label);
    CHECK(seen == Seen::kNew);
  }
  const LayoutKey::Label last[] = {{0, 1000, "one more"}};
  CHECK(layout.see(last) == Seen::kMustBePlain);
  FieldLayout plain(key_of(fields), true);
  CHECK(plain.see(last) == Seen::kKnown);
  FieldNames names;
  CHECK(plain.declare(names) == "struct { u64 _number; text _name; } _e;\n");
  std::string out;
  plain.append(fields, out);
  CHECK(out == bytes(uint64_t{1}) + std::string("A\0", 2));
}

TEST_CASE("what is too deep is a text, at any depth") {
  Value value = nested(ValueKind::kArray, {});
  std::vector<Field> levels(1000);
  for (Field& level : levels) {
    level = {"", value};
    value = nested(ValueKind::kStruct, {&level, 1});
  }
  const Field fields[] = {{"x", value}};
  CHECK(encoded(fields) == std::string("(nested too deep to show)\0", 26));
  CHECK(value_text(value).find("(nested too deep to show)") != std::string::npos);
}

TEST_CASE("values as text") {
  Value value;
  CHECK(value_text(value) == "nothing");
  value.kind = ValueKind::kAddress;
  value.uint_value = UINT64_MAX;
  CHECK(value_text(value) == "0xffffffffffffffff");
  value.kind = ValueKind::kDouble;
  value.double_value = 0.1;
  CHECK(value_text(value) == "0.1");
  const Field fields[] = {{"a", number(INT64_MIN)}, {"b", text("x y")}};
  CHECK(fields_text(fields) == "a=-9223372036854775808 b=x y");
  CHECK(fields_text({}).empty());
}

}  // namespace
}  // namespace ringscribe::ctf
