// SPDX-License-Identifier: Apache-2.0
//
// FlexLayout: where a row has fields of variable length (api/flexible.h), so that the recording
// thread can copy what they point to into the ring behind the row.
//
// A field is 16 bytes: the number of elements, then their address. In a record the second word is
// an offset into the bytes behind the row; in a batch it is an address again.
//
// Threads: any; an object is constant. Lifetime: of the process; equal layouts are one object.
#ifndef RINGSCRIBE_RUNTIME_FLEX_LAYOUT_H_
#define RINGSCRIBE_RUNTIME_FLEX_LAYOUT_H_

#include <cstdint>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

struct FlexField {
  uint32_t offset;         // of the count in the row
  uint32_t element_bytes;  // 1 for text
  bool is_text;

  bool operator==(const FlexField&) const = default;
};

struct FlexLayout {
  Vector<FlexField> fields;  // in order of their offsets
};

// The object of that layout; nullptr for none.
const FlexLayout* intern_flex_layout(const Vector<FlexField>& fields);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_FLEX_LAYOUT_H_
