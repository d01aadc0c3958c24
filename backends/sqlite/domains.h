// SPDX-License-Identifier: Apache-2.0
//
// DomainTable: domains and the categories of each (tables `domains`, `categories`).
//
// A category is a number of its domain that gets a name sooner or later, or a name alone. A name
// that comes later goes into the row that is there; a number that gets another name has two rows.
//
//   DomainTable domains;
//   Status status = domains.open(database);
//   status = domains.find_or_add("io", &domain_id);
//   status = domains.category(domain_id, 7, "hot", &category_id);
//
// Threads: one at a time. Lifetime: ends before its database; texts are copied.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_DOMAINS_H_
#define RINGSCRIBE_BACKENDS_SQLITE_DOMAINS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "ringscribe/backends/sqlite/database.h"

namespace ringscribe::sqlite {

class DomainTable {
 public:
  Status open(Database& database);
  Status find_or_add(std::string_view name, int64_t* id_out);
  // `number` 0: it has a name only. An empty name: whichever the number has now.
  // REQUIRES: not both.
  Status category(int64_t domain, uint32_t number, std::string_view name, int64_t* id_out);

  // Beyond so many categories known ones are forgotten, and may get a second row.
  static constexpr size_t kCategoriesMax = size_t{64} << 10;

 private:
  struct Named {
    int64_t id = 0;
    bool has_name = false;
  };
  using NameKey = std::tuple<int64_t, uint32_t, std::string>;

  std::map<std::string, int64_t, std::less<>> domains_;
  std::map<std::pair<int64_t, uint32_t>, Named> numbers_;  // the latest row of each
  std::map<NameKey, int64_t> names_;
  int64_t last_category_ = 0;
  Statement insert_domain_;
  Statement insert_category_;
  Statement name_category_;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_DOMAINS_H_
