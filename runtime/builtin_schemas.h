// SPDX-License-Identifier: Apache-2.0
//
// The schemas of marks and ranges that carry a message, colour and category: what text_rows.h lays
// out, told to a backend. One of each a domain, registered when first needed (domain_state.h).
#ifndef RINGSCRIBE_RUNTIME_BUILTIN_SCHEMAS_H_
#define RINGSCRIBE_RUNTIME_BUILTIN_SCHEMAS_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe::runtime {

// By what they carry. The text forms point to a message in the flexible data; the others have a
// registered string. A text form's number is that of the other form plus 1.
enum class BuiltinSchema : uint8_t {
  kMark,
  kMarkText,
  kPushPop,
  kPushPopText,
  kStartEnd,
  kStartEndText,
  kPush,
  kPushText,
  kStart,
  kStartText,
  kPop,
  kEnd,
  kScope,  // a payload beside that of a user's schema
  kLoss,   // a mark that says what is missing; backends/model/loss_mark.h reads it
};

// Registers `schema` under the static ID `id`. Returns the result code of the backend.
int32_t register_builtin_schema(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                                BuiltinSchema schema, uint64_t id);

// NVTX's structs, filled in.
nvtxPayloadSchemaEntry_t schema_entry(const char* name, uint64_t flags, uint64_t type,
                                      uint64_t offset, uint64_t array_length = 0);
nvtxPayloadSchemaAttr_t static_schema(const char* name, uint64_t schema_flags,
                                      const nvtxPayloadSchemaEntry_t* entries, size_t count,
                                      size_t row_bytes, uint64_t id);
// NVTX_PAYLOAD_SCHEMA_FLAG_* of an event kind.
constexpr uint64_t schema_flags(EventKind kind) noexcept {
  return uint64_t{static_cast<uint8_t>(kind)} << 3;
}

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_BUILTIN_SCHEMAS_H_
