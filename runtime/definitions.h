// SPDX-License-Identifier: Apache-2.0
//
// What an application defines in a domain: registered strings, categories, scopes, schemas, enums,
// counters, time domains, resources. Asking for one never waits for the backend (DESIGN D5): it
// gets its number for records and a static ID of ours at once; the flusher registers it before its
// first use.
//
// IDs: ours lie in [2^31, 2^32) of NVTX's static range; a user's own static IDs go below.
//
// Threads: the fields are written before the definition is published (in a table and a queue, both
// with release) and constant from then on, except those marked "flusher".
// Lifetime: owned by the DomainState; freed when the session ends, after its streams are closed.
#ifndef RINGSCRIBE_RUNTIME_DEFINITIONS_H_
#define RINGSCRIBE_RUNTIME_DEFINITIONS_H_

#include <cstdint>

#include "ringscribe/runtime/flex_layout.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/owned_semantics.h"
#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe::runtime {

class DomainState;

inline constexpr uint64_t kOurStaticIds = uint64_t{1} << 31;
inline constexpr uint64_t kUserSchemaIds = kOurStaticIds + 0x1000;    // below: built-in schemas
inline constexpr uint64_t kUserEnumIds = kOurStaticIds + 0x20000000;  // above all schema numbers
inline constexpr uint64_t kProcessScopeId = kOurStaticIds + 0x3FFFFFFF;
inline constexpr uint64_t kThreadScopeIds = kOurStaticIds + 0x40000000;  // plus the thread number

// Users' static IDs lie between NVTX's first one and ours.
inline constexpr uint64_t kFirstStaticId = uint64_t{1} << 24;

enum class DefinitionKind : uint8_t {
  kString,
  kCategory,
  kScope,
  kSchema,
  kEnum,
  kCounter,
  kTimeDomain,
  kResource,
};

struct Definition {
  DefinitionKind kind;
  DomainState* domain = nullptr;
  uint32_t number = 0;     // in records; 0 for those that records do not name
  uint64_t static_id = 0;  // for NVTX; 0 for strings and resources
  bool is_tried = false;   // flusher: registered, or refused by the backend
  bool is_usable = false;  // flusher: registered
  virtual ~Definition() = default;

 protected:
  explicit Definition(DefinitionKind definition_kind) : kind(definition_kind) {}
};

struct StringDefinition final : Definition {
  StringDefinition() : Definition(DefinitionKind::kString) {}
  String text;
  uint64_t handle = 0;  // flusher: the backend's
};

struct CategoryDefinition final : Definition {
  CategoryDefinition() : Definition(DefinitionKind::kCategory) {}
  String name;
};

struct ScopeDefinition final : Definition {
  ScopeDefinition() : Definition(DefinitionKind::kScope) {}
  String path;
  uint64_t parent_id = 0;
};

// A schema as NVTX takes it: fields of variable length are told as NVTX has them.
struct SchemaDefinition final : Definition {
  struct Entry {
    String name;
    String description;
    uint64_t flags = 0;
    uint64_t type = 0;
    uint64_t detail = 0;
    uint64_t offset = 0;
    uint64_t place = kComputedOffset;  // where it stands in a row; kComputedOffset if that varies
    OwnedSemantics semantics;
  };
  SchemaDefinition() : Definition(DefinitionKind::kSchema) {}
  String name;
  Vector<Entry> entries;
  SchemaType type = SchemaType::kStatic;
  EventKind event_kind = EventKind::kNone;
  uint64_t flags = 0;  // NVTX_PAYLOAD_SCHEMA_FLAG_*
  size_t pack_align = 0;
  uint32_t row_bytes = 0;            // 0: rows differ in size
  uint32_t declared_bytes = 0;       // what the description said; 0: nothing
  uint32_t time_offset = 0;          // of the first timestamp
  bool has_timestamp = false;        // as a counter group: samples have their time
  Vector<uint32_t> string_offsets;   // of registered strings, whose numbers become handles
  Vector<uint32_t> pointer_offsets;  // of addresses within the event's payloads
  const FlexLayout* flexible = nullptr;
};

struct EnumDefinition final : Definition {
  struct Value {
    String name;
    uint64_t value = 0;
    bool is_flag = false;
  };
  EnumDefinition() : Definition(DefinitionKind::kEnum) {}
  String name;
  Vector<Value> values;
  uint32_t size_bytes = 0;
};

struct CounterDefinition final : Definition {
  CounterDefinition() : Definition(DefinitionKind::kCounter) {}
  String name;
  String description;
  uint64_t layout = 0;  // NVTX_PAYLOAD_ENTRY_TYPE_* or the ID of a group's schema
  uint64_t scope_id = 0;
  OwnedSemantics semantics;  // counter and time domain
  uint32_t sample_bytes = 8;
  uint32_t time_offset = 0;  // of the time in a sample, for groups whose samples have one
  String key;                // what it was asked for with
};

struct TimeDomainDefinition final : Definition {
  TimeDomainDefinition() : Definition(DefinitionKind::kTimeDomain) {}
  uint64_t scope_id = 0;
  uint64_t timestamp_type = 0;
  uint64_t flags = 0;
  int64_t ticks_per_second = 0;
  uint64_t start = 0;
};

struct ResourceDefinition final : Definition {
  ResourceDefinition() : Definition(DefinitionKind::kResource) {}
  int32_t type = 0;
  uint64_t identifier = 0;
  String name;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_DEFINITIONS_H_
