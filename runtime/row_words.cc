// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/row_words.h"

#include <string_view>

#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/record.h"

namespace ringscribe::runtime {

void resolve_strings(const SchemaDefinition& schema, uint8_t* row, size_t row_bytes,
                     StreamOutput& output) {
  for (const size_t offset : schema.string_offsets) {
    if (offset + 8 > row_bytes) continue;
    resolve_string(row + offset, output);
  }
}

void resolve_string(uint8_t* word_at, StreamOutput& output) {
  const uint64_t word = load_word(word_at);
  uint64_t handle = 0;
  if (word != 0 && high_word(word) == output.domain.number()) {
    StringDefinition* string = output.tables.strings.get(low_word(word));
    if (string != nullptr && output.domain.ensure(*string)) handle = string->handle;
  }
  store_word(word_at, handle);
}

void append_flexible(const FlexLayout& layout, uint8_t* row, const uint8_t* flex, Vector<char>& to,
                     size_t to_begin) {
  for (const FlexField& field : layout.fields) {
    const uint64_t bytes = load_word(row + field.offset) * field.element_bytes;
    const auto* from = reinterpret_cast<const char*>(flex + load_word(row + field.offset + 8));
    to.resize(to_begin + pad_to_record(to.size() - to_begin));  // arrays at their alignment
    const uint64_t at = to.size() - to_begin;
    if (field.is_text) {
      const std::string_view text(from, bytes);
      if (is_valid_c_text(text)) {
        to.insert(to.end(), from, from + bytes);
      } else {
        const std::string valid = to_valid_c_text(text);
        to.insert(to.end(), valid.begin(), valid.end());
      }
      to.push_back('\0');
    } else {
      to.insert(to.end(), from, from + bytes);
      if (bytes == 0) to.resize(to.size() + 8);  // so that even an empty array has a place
    }
    store_word(row + field.offset + 8, at);
  }
}

void resolve_flexible(const FlexLayout& layout, uint8_t* row, const char* base) {
  for (const FlexField& field : layout.fields)
    store_word(row + field.offset + 8,
               reinterpret_cast<uint64_t>(base) + load_word(row + field.offset + 8));
}

}  // namespace ringscribe::runtime
