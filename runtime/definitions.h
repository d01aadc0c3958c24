// SPDX-License-Identifier: Apache-2.0
//
// What an application defines in a domain: registered strings, categories, scopes, schemas,
// counters. Asking for one never waits for the backend (DESIGN D5): it gets its number for records
// and a static ID of ours at once; the flusher registers it before its first use.
//
// IDs: ours lie in [2^31, 2^32) of NVTX's static range; a user's own static IDs go below.
//
// Threads: the fields are written before the definition is published (in a table and a queue, both
// with release) and constant from then on, except those marked "flusher".
// Lifetime: owned by the DomainState; freed when the session ends, after its streams are closed.
#ifndef RINGSCRIBE_RUNTIME_DEFINITIONS_H_
#define RINGSCRIBE_RUNTIME_DEFINITIONS_H_

#include <cstdint>

#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe::runtime {

class DomainState;

inline constexpr uint64_t kOurStaticIds = uint64_t{1} << 31;
inline constexpr uint64_t kUserSchemaIds = kOurStaticIds + 0x1000;  // below: built-in schemas
inline constexpr uint64_t kProcessScopeId = kOurStaticIds + 0x3FFFFFFF;
inline constexpr uint64_t kThreadScopeIds = kOurStaticIds + 0x40000000;  // plus the thread number

enum class DefinitionKind : uint8_t { kString, kCategory, kScope, kSchema, kCounter };

struct Definition {
  DefinitionKind kind;
  DomainState* domain = nullptr;
  uint32_t number = 0;     // in records; 0 for categories and scopes
  uint64_t static_id = 0;  // for NVTX; 0 for strings
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

struct SchemaDefinition final : Definition {
  SchemaDefinition() : Definition(DefinitionKind::kSchema) {}
  String name;
  Vector<SchemaEntry> entries;  // their names point into entry_names
  Vector<String> entry_names;
  EventKind event_kind = EventKind::kMark;
  uint32_t row_bytes = 0;
};

struct CounterDefinition final : Definition {
  CounterDefinition() : Definition(DefinitionKind::kCounter) {}
  String name;
  String description;
  String unit;
  uint64_t value_type = 0;  // NVTX_PAYLOAD_ENTRY_TYPE_INT64 or _FLOAT64
  uint64_t scope_id = 0;
  uint32_t sample_bytes = 8;
  bool has_min = false, has_max = false;
  double min = 0, max = 0;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_DEFINITIONS_H_
