// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/field_rows.h"

#include <catch2/catch.hpp>
#include <list>
#include <string>

#include "ringscribe/backends/sqlite/test_database.h"

namespace ringscribe::sqlite {
namespace {

using model::Field;
using model::Value;
using model::ValueKind;

Value number(int64_t value) {
  Value result;
  result.kind = ValueKind::kInt;
  result.int_value = value;
  return result;
}

Value real(double value) {
  Value result;
  result.kind = ValueKind::kDouble;
  result.double_value = value;
  return result;
}

Value nested(ValueKind kind, std::span<const Field> children) {
  Value result;
  result.kind = kind;
  result.children = children;
  return result;
}

constexpr const char* kAll = "SELECT event_id, position, path, type, value FROM fields";

TEST_CASE("each value is a row with its path") {
  auto database = fresh_database("fields");
  REQUIRE(database->execute("PRAGMA foreign_keys = OFF").ok());
  {
    FieldRows fields;
    REQUIRE(fields.open(*database).ok());
    const Field inner[] = {{"x", number(1)}, {"x", number(2)}, {"", Value{}}};
    const Field items[] = {{"", nested(ValueKind::kStruct, inner)}, {"", number(3)}};
    const Field all[] = {{"a", nested(ValueKind::kArray, items)},
                         {"", number(4)},
                         {"e", nested(ValueKind::kStruct, {})}};
    REQUIRE(fields.add(1, all).ok());
    REQUIRE(fields.add(2, {}).ok());
  }
  CHECK(query(*database, kAll) ==
        "1|0|a[0].x|integer|1\n1|1|a[0].x|integer|2\n1|2|a[0].(unnamed)|none|NULL\n"
        "1|3|a[1]|integer|3\n1|4|(unnamed)|integer|4\n1|5|e|struct|NULL");
}

TEST_CASE("a layout may change types, and have children after all") {
  auto database = fresh_database("layouts");
  {
    FieldRows fields;
    REQUIRE(fields.open(*database).ok());
    const Field first[] = {{"n", number(1)}, {"m", number(2)}};
    const Field second[] = {{"n", real(2.5)}, {"m", number(2)}};
    const Field child[] = {{"", number(3)}};
    const Field third[] = {{"n", nested(ValueKind::kArray, child)}, {"m", real(4)}};
    REQUIRE(fields.add(1, first, 1).ok());
    REQUIRE(fields.add(2, second, 1).ok());
    REQUIRE(fields.add(3, third, 1).ok());
    REQUIRE(fields.add(4, first, 1).ok());
  }
  CHECK(query(*database, kAll) ==
        "1|0|n|integer|1\n1|1|m|integer|2\n2|0|n|real|2.5\n2|1|m|integer|2\n"
        "3|0|n[0]|integer|3\n3|1|m|real|4.0\n4|0|n|integer|1\n4|1|m|integer|2");
  CHECK(query(*database, "SELECT count(*) FROM field_keys") == "5");
}

TEST_CASE("keys are unique, also when more are in use than are remembered") {
  auto database = fresh_database("keys");
  {
    FieldRows fields;
    REQUIRE(fields.open(*database).ok());
    REQUIRE(database->begin().ok());
    const std::vector<Field> items(FieldRows::kKeysMax + 100, Field{"", number(1)});
    const Field all[] = {{"a", nested(ValueKind::kArray, items)}};
    REQUIRE(fields.add(1, all).ok());
    REQUIRE(fields.add(2, all).ok());
  }
  const std::string count = std::to_string(FieldRows::kKeysMax + 100);
  CHECK(query(*database, "SELECT count(*), count(DISTINCT path) FROM field_keys") ==
        count + "|" + count);
}

TEST_CASE("below 64 levels stands a text") {
  auto database = fresh_database("deep");
  {
    FieldRows fields;
    REQUIRE(fields.open(*database).ok());
    std::list<Field> levels = {{"leaf", number(1)}};
    for (int i = 0; i < 100; ++i) {
      levels.push_front({"s", nested(ValueKind::kStruct, {&levels.front(), 1})});
    }
    REQUIRE(fields.add(1, {&levels.front(), 1}).ok());
  }
  CHECK(query(*database, "SELECT length(path), value FROM fields") ==
        std::to_string(2 * 65 - 1) + "|(nested too deep to show)");
}

}  // namespace
}  // namespace ringscribe::sqlite
