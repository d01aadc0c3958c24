// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/names.h"

#include <catch2/catch.hpp>
#include <string>

#include "ringscribe/backends/sqlite/test_database.h"

namespace ringscribe::sqlite {
namespace {

int64_t id_of(NameTable& names, std::string_view text) {
  int64_t id = 0;
  REQUIRE(names.find_or_add(text, &id).ok());
  return id;
}

TEST_CASE("a text has one number as long as it is remembered") {
  auto database = fresh_database("names");
  {
    NameTable names;
    REQUIRE(names.open(*database).ok());
    CHECK(id_of(names, "a") == 1);
    CHECK(id_of(names, "") == 2);
    CHECK(id_of(names, std::string_view("a\0b", 3)) == 3);
    CHECK(id_of(names, "a") == 1);
    CHECK(id_of(names, "") == 2);
    CHECK(id_of(names, std::string_view("a\0b", 3)) == 3);
  }
  CHECK(query(*database, "SELECT id, length(CAST(text AS BLOB)) FROM names") == "1|1\n2|0\n3|3");
}

TEST_CASE("texts without end are all there, and memory forgets the older ones") {
  auto database = fresh_database("many_names");
  {
    NameTable names;
    REQUIRE(names.open(*database).ok());
    REQUIRE(database->begin().ok());
    for (size_t i = 0; i < 4 * NameTable::kTextsMax; ++i) id_of(names, std::to_string(i));
    // Long ones: more bytes than are kept.
    for (size_t i = 0; i < 30; ++i) id_of(names, std::string(400'000, static_cast<char>('0' + i)));
    for (size_t i = 0; i < 4 * NameTable::kTextsMax; ++i) id_of(names, std::to_string(i));
  }
  CHECK(query(*database, "SELECT count(DISTINCT text), count(*) > 50000 FROM names") ==
        std::to_string(4 * NameTable::kTextsMax + 30) + "|1");
}

}  // namespace
}  // namespace ringscribe::sqlite
