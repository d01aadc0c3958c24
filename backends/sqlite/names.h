// SPDX-License-Identifier: Apache-2.0
//
// NameTable: the texts of events, each under a number (table `names`).
//
// Numbers of the latest texts are kept in memory, up to a bound; a text that was forgotten gets a
// new number. To look it up in the file first took four times as long where all texts differ.
//
//   NameTable names;
//   Status status = names.open(database);
//   int64_t id = 0;
//   status = names.find_or_add("match", &id);
//
// Threads: one at a time. Lifetime: ends before its database; texts are copied.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_NAMES_H_
#define RINGSCRIBE_BACKENDS_SQLITE_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/sqlite/database.h"

namespace ringscribe::sqlite {

class NameTable {
 public:
  Status open(Database& database);
  // Adds a row if the text is new.
  Status find_or_add(std::string_view text, int64_t* id_out);

  static constexpr size_t kTextsMax = size_t{8} << 10;
  static constexpr size_t kBytesMax = size_t{8} << 20;

 private:
  struct Slot {
    int64_t id = 0;  // 0: free
    std::string text;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(kTextsMax);  // by hash
  size_t bytes_ = 0;
  int64_t last_id_ = 0;
  Statement insert_;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_NAMES_H_
