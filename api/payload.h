// SPDX-License-Identifier: Apache-2.0
//
// Payload: one of several parts that make one event (nvtxPayloadData_t).
//
//   stream.write_event({{Payload(times, &row, sizeof row),
//                        Payload(EntryType::kUtf8, text.data(), text.size()),
//                        Payload(EntryType::kReferenced, blob.data(), blob.size())}});
//
// Bytes are copied by the call. A pointer in a payload (Storage::kPointer) has to point into one of
// the event's payloads; it is made right where the copy ends up.
#ifndef RINGSCRIBE_API_PAYLOAD_H_
#define RINGSCRIBE_API_PAYLOAD_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/schema_description.h"

namespace ringscribe {

struct Payload {
  // Laid out as `schema` says.
  constexpr Payload(const AnySchema& schema, const void* bytes, size_t byte_count) noexcept
      : data(bytes),
        size_bytes(byte_count),
        schema_reference(schema.reference_),
        row_bytes(schema.row_bytes_),
        is_flexible(schema.flexible_ != nullptr) {}
  // Elements of one predefined type, as many as fit; text without length or terminator; or bytes,
  // kReferenced or kRaw.
  constexpr Payload(EntryType type, const void* bytes, size_t byte_count) noexcept
      : data(bytes), size_bytes(byte_count), predefined(static_cast<uint32_t>(type)) {}

  const void* data;
  size_t size_bytes;
  runtime::Reference schema_reference;  // none: `predefined` says what it is
  uint32_t predefined = 0;
  uint32_t row_bytes = 0;    // fewer bytes are refused
  bool is_flexible = false;  // refused: such a row is an event by itself
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_PAYLOAD_H_
