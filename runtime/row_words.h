// SPDX-License-Identifier: Apache-2.0
//
// The words of a row that mean one thing in the recording thread and another to a backend: numbers
// of registered strings become handles, what fields of variable length hold gets its place.
//
// Threads: the flusher only.
#ifndef RINGSCRIBE_RUNTIME_ROW_WORDS_H_
#define RINGSCRIBE_RUNTIME_ROW_WORDS_H_

#include <cstdint>

#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/flex_layout.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/stream_output.h"

namespace ringscribe::runtime {

// Replaces numbers of registered strings (api/event_args.h) by the backend's handles; 0 for a
// string of another domain and one that the backend refused.
// Words beyond `row_bytes` are left alone: a payload of a dynamic schema may be short.
void resolve_strings(const SchemaDefinition& schema, uint8_t* row, size_t row_bytes,
                     StreamOutput& output);

// The same with one word.
void resolve_string(uint8_t* word_at, StreamOutput& output);

// Appends what the row's fields of variable length hold to `to`, text made valid and with a zero
// behind it, and puts its offset from `to_begin` into the row's words. `flex` is what the record
// has behind the row.
void append_flexible(const FlexLayout& layout, uint8_t* row, const uint8_t* flex, Vector<char>& to,
                     size_t to_begin);

// Adds `base` to the words that append_flexible() has set.
void resolve_flexible(const FlexLayout& layout, uint8_t* row, const char* base);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_ROW_WORDS_H_
