// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/domains.h"

namespace ringscribe::sqlite {

Status DomainTable::open(Database& database) {
  Status status = database.prepare("INSERT INTO domains VALUES(?, ?)", insert_domain_);
  if (!status.ok()) return status;
  status = database.prepare("INSERT INTO categories VALUES(?, ?, ?, ?)", insert_category_);
  if (!status.ok()) return status;
  return database.prepare("UPDATE categories SET name = ?2 WHERE id = ?1", name_category_);
}

Status DomainTable::find_or_add(std::string_view name, int64_t* id_out) {
  if (const auto found = domains_.find(name); found != domains_.end()) {
    *id_out = found->second;
    return {};
  }
  const auto id = static_cast<int64_t>(domains_.size());
  insert_domain_.bind(1, id);
  insert_domain_.bind(2, name);
  if (Status status = insert_domain_.run(); !status.ok()) return status;
  domains_.emplace(name, id);
  *id_out = id;
  return {};
}

Status DomainTable::category(int64_t domain, uint32_t number, std::string_view name,
                             int64_t* id_out) {
  if (names_.size() + numbers_.size() > kCategoriesMax) {
    names_.clear();
    numbers_.clear();
  }
  Named* const by_number = number == 0 ? nullptr : &numbers_[{domain, number}];
  if (name.empty() && by_number != nullptr && by_number->id != 0) {
    *id_out = by_number->id;
    return {};
  }
  NameKey key(domain, number, name);
  if (!name.empty()) {
    if (const auto found = names_.find(key); found != names_.end()) {
      *id_out = found->second;
      if (by_number != nullptr) *by_number = {found->second, true};
      return {};
    }
  }
  if (by_number != nullptr && by_number->id != 0 && !by_number->has_name) {
    name_category_.bind(1, by_number->id);
    name_category_.bind(2, name);
    if (Status status = name_category_.run(); !status.ok()) return status;
    by_number->has_name = true;
    *id_out = by_number->id;
  } else {
    insert_category_.bind(1, last_category_ + 1);
    insert_category_.bind(2, domain);
    if (number != 0) {
      insert_category_.bind(3, int64_t{number});
    } else {
      insert_category_.bind_null(3);
    }
    if (name.empty()) {
      insert_category_.bind_null(4);
    } else {
      insert_category_.bind(4, name);
    }
    if (Status status = insert_category_.run(); !status.ok()) return status;
    *id_out = ++last_category_;
    if (by_number != nullptr) *by_number = {last_category_, !name.empty()};
  }
  if (!name.empty()) names_.emplace(std::move(key), *id_out);
  return {};
}

}  // namespace ringscribe::sqlite
