// SPDX-License-Identifier: Apache-2.0
//
// ValueReader: turns bytes of a known type and length into a Value: numbers, text, enum names.
//
// It does not know where the bytes are from; the caller has checked that they are there.
//
//   ValueReader reader(definitions, arena);
//   Value value;
//   reader.scalar(type_info(NVTX_PAYLOAD_ENTRY_TYPE_INT32), bytes, value);
//
// Threads: one at a time. Lifetime: results point into the bytes, the definitions and the arena.
#ifndef RINGSCRIBE_BACKENDS_MODEL_VALUE_READER_H_
#define RINGSCRIBE_BACKENDS_MODEL_VALUE_READER_H_

#include <cstddef>
#include <string_view>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/schema.h"
#include "ringscribe/backends/model/type_info.h"

namespace ringscribe::model {

class ValueReader {
 public:
  ValueReader(const Definitions& definitions, Arena& arena)
      : definitions_(definitions), arena_(arena) {}

  // One value of `type` (`type.size` bytes at `data`). A registered string gives its text; one
  // that nobody registered gives the handle as a number. False for kText and kNone.
  bool scalar(TypeInfo type, const std::byte* data, Value& value);

  // `count` code units, characters or bytes, cut at the first zero, as valid UTF-8.
  std::string_view text(TypeInfo type, const std::byte* data, size_t count);

  // The name; of flags "A|B"; of a number that has no name the number.
  Value enumeration(const Enumeration& enumeration, const std::byte* data);

 private:
  bool join_flags(const Enumeration& enumeration, uint64_t number, std::string_view& text);

  const Definitions& definitions_;
  Arena& arena_;
};

// How many elements of `element_size` bytes (at least 1) come before one whose bytes are all
// zero, in at most `available` bytes; `is_terminated` says whether there was one.
size_t count_until_zero(const std::byte* data, size_t available, size_t element_size,
                        bool& is_terminated);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_VALUE_READER_H_
