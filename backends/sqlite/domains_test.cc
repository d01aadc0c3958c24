// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/domains.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/sqlite/test_database.h"

namespace ringscribe::sqlite {
namespace {

int64_t category(DomainTable& domains, int64_t domain, uint32_t number, std::string_view name) {
  int64_t id = 0;
  REQUIRE(domains.category(domain, number, name, &id).ok());
  return id;
}

TEST_CASE("domains and categories have one row each") {
  auto database = fresh_database("domains");
  {
    DomainTable domains;
    REQUIRE(domains.open(*database).ok());
    int64_t id = -1;
    REQUIRE(domains.find_or_add("", &id).ok());
    CHECK(id == 0);
    REQUIRE(domains.find_or_add("io", &id).ok());
    CHECK(id == 1);
    REQUIRE(domains.find_or_add("", &id).ok());
    CHECK(id == 0);
    // A number whose name comes later.
    const int64_t seven = category(domains, 0, 7, "");
    CHECK(category(domains, 0, 7, "hot") == seven);
    CHECK(category(domains, 0, 7, "") == seven);
    CHECK(category(domains, 0, 7, "hot") == seven);
    // Another name for it, and back.
    const int64_t cold = category(domains, 0, 7, "cold");
    CHECK(cold != seven);
    CHECK(category(domains, 0, 7, "") == cold);
    CHECK(category(domains, 0, 7, "hot") == seven);
    CHECK(category(domains, 0, 7, "") == seven);
    // The same in another domain; a name alone.
    CHECK(category(domains, 1, 7, "hot") > cold);
    CHECK(category(domains, 1, 0, "hot") == category(domains, 1, 0, "hot"));
  }
  CHECK(query(*database, "SELECT domain_id, number, name FROM categories ORDER BY id") ==
        "0|7|hot\n0|7|cold\n1|7|hot\n1|NULL|hot");
}

}  // namespace
}  // namespace ringscribe::sqlite
