// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/names.h"

#include <functional>

namespace ringscribe::sqlite {

Status NameTable::open(Database& database) {
  return database.prepare("INSERT INTO names VALUES(?, ?)", insert_);
}

Status NameTable::find_or_add(std::string_view text, int64_t* id_out) {
  Slot& slot = slots_[std::hash<std::string_view>()(text) % kTextsMax];
  if (slot.id != 0 && slot.text == text) {
    *id_out = slot.id;
    return {};
  }
  insert_.bind(1, last_id_ + 1);
  insert_.bind(2, text);
  if (Status status = insert_.run(); !status.ok()) return status;
  *id_out = ++last_id_;
  if (bytes_ + text.size() > kBytesMax) {
    for (Slot& other : slots_) other = Slot();
    bytes_ = 0;
  }
  bytes_ -= slot.text.size();
  slot.id = 0;
  slot.text.clear();
  if (text.size() > kBytesMax / 16) return {};
  slot.text = text;
  slot.id = last_id_;
  bytes_ += text.size();
  return {};
}

}  // namespace ringscribe::sqlite
