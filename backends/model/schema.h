// SPDX-License-Identifier: Apache-2.0
//
// Schema: the compiled form of a payload schema, and the enums and semantics it refers to.
//
// A registered schema is a list of entries with flags to interpret and IDs to look up; that is
// done once, so that decoding an event walks `steps` and looks nothing up. The flags of NVTX are
// numbers inside bit fields (MARK is BEGIN and END together): they are masked here and become
// enumerations, and no other file of the model sees them.
//
//   std::unique_ptr<Schema> schema = compile_schema(attr, lookup);
//   for (const Step& step : schema->steps) ...
//
// Threads: immutable after compile_schema(). Lifetime: nested schemas and enums are pointed to,
// and live as long as the registry that owns them.
#ifndef RINGSCRIBE_BACKENDS_MODEL_SCHEMA_H_
#define RINGSCRIBE_BACKENDS_MODEL_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/type_info.h"
#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/entry_rules.h"

namespace ringscribe::model {

// The kind of event a schema makes: the number in bits 3 and up of the schema's flags.
enum class Family : uint8_t {
  kNone = 0,
  kCounterGroup = 1,
  kRangePushPop = 2,
  kRangeStartEnd = 3,
  kMark = 4,
  kPush = 5,
  kPop = 6,
  kStart = 7,
  kEnd = 8,
};

// What an entry means for its event; kNone is a field.
enum class Role : uint8_t {
  kNone,
  kMessage,
  kTime,
  kRangeBegin,
  kRangeEnd,
  kMark,
  kCounter,
  kCategory,
  kColor,
  kRangeId,
  kScope,
  kProcess,  // its event comes from that process or thread; shown as a field, too
  kThread,
};

// How an entry is read: entry_rules.h decides.
using ArrayForm = nvtxw::EntryArray;
using Place = nvtxw::EntryPlace;

struct Enumeration {
  struct Entry {
    uint64_t value;
    std::string name;
    bool is_flag;
  };
  uint8_t size = 0;  // in bytes: 1, 2, 4 or 8; 0 if it was registered with another one
  bool has_flags = false;
  std::vector<Entry> entries;  // by value, the first of equal ones only; values cut to `size`
};

struct CounterSemantics {
  std::string unit;
  uint64_t scale_numerator = 1;
  uint64_t scale_denominator = 1;
  bool normalize = false;
  CounterValueType value_type = CounterValueType::kUnspecified;
  CounterInterpolation interpolation = CounterInterpolation::kUnspecified;
  bool has_minimum = false;
  bool has_maximum = false;
  double minimum = 0;  // as written, not scaled
  double maximum = 0;
};

// What the linked list of semantics behind an entry or a counter says.
struct Semantics {
  uint64_t time_domain = 0;  // 0: says nothing
  uint64_t scope = 0;        // 0: says nothing
  bool has_counter = false;
  CounterSemantics counter;
  // Of a correlation domain (nvtxSemanticsCorrelation_t): the same for equal UUIDs; 0: none.
  uint64_t correlation = 0;
};
Semantics read_semantics(const nvtxSemanticsHeader_t* first);
// The number of the flow that events with this value of that correlation domain are in; never 0.
uint64_t flow_number(uint64_t correlation, uint64_t value);

struct Schema;

struct Step {
  std::string name;  // valid UTF-8
  std::string description;
  Role role = Role::kNone;
  // Of a scope, process or thread: the time or counter role it belongs to, or kNone; else `role`.
  Role purpose = Role::kNone;
  bool is_hidden = false;
  bool is_deep_copy = false;
  ArrayForm form = ArrayForm::kScalar;
  Place place = Place::kInline;
  // One of the three says what an element is. `type` is kNone for nested schemas and enums.
  TypeInfo type;
  const Schema* nested = nullptr;
  const Enumeration* enumeration = nullptr;
  bool is_unknown = false;  // an ID that nobody registered: decoding ends here
  uint64_t detail = 0;      // element count, or index of the length, or of the union's selector
  // From the schema's base. Only if `has_offset`; otherwise it follows from the entry before.
  uint64_t offset = 0;
  bool has_offset = false;
  size_t element_size = 0;  // in bytes; 0 if it varies or is unknown
  size_t align = 1;
  Semantics semantics;
};

enum class SchemaKind : uint8_t { kStatic, kDynamic, kUnion, kUnionInternal };

struct Schema {
  static constexpr uint32_t kDepthMax = 24;
  static constexpr size_t kNoSelector = SIZE_MAX;

  uint64_t id = 0;
  std::string name;  // valid UTF-8; "" if it has none
  SchemaKind kind = SchemaKind::kStatic;
  Family family = Family::kNone;
  // The size of each payload in bytes; 0 if payloads differ in size.
  size_t size = 0;
  size_t align = 1;
  uint32_t depth = 1;             // of nesting
  bool needs_locations = false;   // an entry refers to another one
  size_t selector = kNoSelector;  // kUnionInternal: the index of the entry that selects
  std::vector<Step> steps;

  bool is_union() const { return kind == SchemaKind::kUnion || kind == SchemaKind::kUnionInternal; }
  // The name in quotes if there is one, else the ID: for sentences.
  std::string label() const;
};

// How compile_schema() finds what entries refer to; null for what is not registered.
struct SchemaLookup {
  std::function<const Schema*(uint64_t id)> schema;
  std::function<const Enumeration*(uint64_t id)> enumeration;
};

// Compiles `attr`, reading only the fields that its mask declares. What is inconsistent in an
// entry makes that entry unknown, not the schema.
std::unique_ptr<Schema> compile_schema(const nvtxPayloadSchemaAttr_t& attr,
                                       const SchemaLookup& lookup);

std::unique_ptr<Enumeration> compile_enumeration(const nvtxPayloadEnumAttr_t& attr);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_SCHEMA_H_
