// SPDX-License-Identifier: Apache-2.0
//
// The tables and views of the database, as SQL. What stands in CREATE TABLE as a comment is kept in
// the database: `.schema` of the command sqlite3 shows it. docs/formats.md has the rules.
//
//   Status status = database.execute(kSchema);
//
// Threads, lifetime: constants.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_SCHEMA_H_
#define RINGSCRIBE_BACKENDS_SQLITE_SCHEMA_H_

#include <cstdint>

namespace ringscribe::sqlite {

// PRAGMA user_version: raised when a query that worked would no longer.
inline constexpr int kSchemaVersion = 1;
// PRAGMA application_id: "RSDB".
inline constexpr int32_t kApplicationId = 0x52534442;

// Everything but the indexes, in one transaction.
extern const char kSchema[];
// For the end: they cost more than the events while events come.
extern const char kIndexes[];

// event_data.kind.
inline constexpr int64_t kKindMark = 0;
inline constexpr int64_t kKindPushPop = 1;
inline constexpr int64_t kKindStartEnd = 2;
// event_data.flags.
inline constexpr int64_t kEndIsMissing = 1;
inline constexpr int64_t kBeginIsMissing = 2;
inline constexpr int64_t kEndBeforeBegin = 4;
// sample_data.missing: a reason of NVTXW (0 to 255), or this.
inline constexpr int64_t kMissingNan = 256;

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_SCHEMA_H_
