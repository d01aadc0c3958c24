// SPDX-License-Identifier: Apache-2.0
//
// FieldRows: the fields of events (tables `field_keys`, `field_data`), a value a row.
//
// A value inside of structs and arrays is a row, too, with a path like "order.lines[3].price".
// Structs and arrays without children are rows without a value. A field without a name is
// "(unnamed)"; dots and brackets in names stay as they are.
//
//   FieldRows fields;
//   Status status = fields.open(database);
//   status = fields.add(event_id, event.fields);
//
// Threads: one at a time. Lifetime: ends before its database; nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_FIELD_ROWS_H_
#define RINGSCRIBE_BACKENDS_SQLITE_FIELD_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/sqlite/database.h"

namespace ringscribe::sqlite {

class FieldRows {
 public:
  Status open(Database& database);
  // `layout`: EventBlock::field_names, or 0.
  Status add(int64_t event_id, std::span<const model::Field> fields, uint32_t layout = 0);

  // Below so many levels stands a text.
  static constexpr int kDepthMax = 64;
  static constexpr size_t kKeysMax = size_t{16} << 10;

 private:
  struct Key {
    model::ValueKind kind = model::ValueKind::kNone;
    int64_t id = 0;  // 0: not known
  };
  Status add_value(std::string_view name, const model::Value& value, int depth);
  Status add_row(int64_t key, const model::Value& value, int depth);
  Status key_of(model::ValueKind kind, int64_t* id_out);  // of path_

  std::map<std::string, int64_t, std::less<>> keys_;  // by kind and path
  std::map<uint32_t, std::vector<Key>> layouts_;
  std::string path_;
  std::string key_text_;
  int64_t event_id_ = 0;
  int64_t position_ = 0;
  Statement find_key_;
  Statement insert_key_;
  Statement insert_;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_FIELD_ROWS_H_
