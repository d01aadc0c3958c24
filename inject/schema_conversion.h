// SPDX-License-Identifier: Apache-2.0
//
// From a schema as a program registers it (nvtxPayloadSchemaAttr_t) to one as the runtime takes it,
// and to what a call with such a payload has to know of it.
//
//   const nvtxPayloadSchemaAttr_t attr = without_what_the_mask_leaves_out(given);
//   SchemaUse use;
//   status = convert_entries(ids, attr, entries, use);     // then: define it
//   find_places(ids, attr, *definition, use);
//
// Threads: any; functions without state. Source: nvToolsExtPayload.h.
#ifndef RINGSCRIBE_INJECT_SCHEMA_CONVERSION_H_
#define RINGSCRIBE_INJECT_SCHEMA_CONVERSION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/schema_entry.h"
#include "ringscribe/runtime/semantics.h"

namespace ringscribe::inject {

// What a payload's bytes point to and is copied with it.
struct DeepCopy {
  uint32_t offset = 0;         // of the address in the row
  uint32_t element_bytes = 1;  // of the text's code units or the array's elements
  bool is_terminated = false;  // else `count` elements, or as many as stand at count_offset
  uint64_t count = 0;
  uint32_t count_offset = 0, count_bytes = 0;  // count_bytes 0: `count` says it
};

// A registered schema, for calls that name it.
struct SchemaUse {
  uint32_t number = 0;     // in records
  uint64_t id = 0;         // for the backend
  uint32_t row_bytes = 0;  // 0: rows differ in size
  EventKind kind = EventKind::kNone;
  bool counts_payloads = false;  // refers to payloads by their index in the event
  bool has_offsets = false;      // refers to bytes by their place in the payload, or in a batch's
  runtime::Vector<DeepCopy> copies;
  runtime::Vector<uint32_t> scopes;  // places of IDs of scopes, which are others for the backend
};

// What the program's IDs mean. Predefined ones stand for themselves.
class ProgramIds {
 public:
  static constexpr uint64_t kUnknownId = ~uint64_t{0};  // it was not given out

  // The backend's IDs. A type: a schema's or an enum's, or predefined.
  virtual uint64_t type_id(uint64_t id) const = 0;
  virtual uint64_t time_domain_id(uint64_t id) const = 0;
  virtual uint64_t scope_id(uint64_t id) const = 0;
  // nullptr for an ID that was not given out.
  virtual const SchemaUse* find_schema(uint64_t id) const noexcept = 0;

 protected:
  ~ProgramIds() = default;
};

// "what "name": why".
inline Status refused(const char* what, std::string_view name, const std::string& why) {
  return Status(ResultCode::kInvalidArgument,
                std::string(what) + " \"" + std::string(name) + "\": " + why);
}

// Fields that the mask does not name are zero, as NVTX has it.
nvtxPayloadSchemaAttr_t without_what_the_mask_leaves_out(const nvtxPayloadSchemaAttr_t& attr);
// What events of it are, or kNone: it is a part, a payload, or a counter group.
EventKind event_kind_of(const nvtxPayloadSchemaAttr_t& attr) noexcept;
// The rest of the flags that the runtime takes.
uint64_t flags_beside_kind(const nvtxPayloadSchemaAttr_t& attr) noexcept;
// Fails for an entry of a type that was not registered.
Status convert_entries(const ProgramIds& ids, const nvtxPayloadSchemaAttr_t& attr,
                       runtime::Vector<runtime::SchemaEntry>& entries, SchemaUse& use);
// Where in a row of `schema`, made of those entries, something stands that a call has to look at.
void find_places(const ProgramIds& ids, const nvtxPayloadSchemaAttr_t& attr,
                 const runtime::SchemaDefinition& schema, SchemaUse& use);
void convert_semantics(const ProgramIds& ids, const nvtxSemanticsHeader_t* header,
                       FieldSemantics& to);

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_SCHEMA_CONVERSION_H_
