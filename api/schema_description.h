// SPDX-License-Identifier: Apache-2.0
//
// A layout that is known only at run time: what RINGSCRIBE_SCHEMA makes of a struct, as data. For
// other languages' bindings, for file formats that describe themselves, and for layouts that no C++
// struct has: unions, fields of variable length one behind the other, packed structs.
//
//   AnySchema point = domain.get_schema("point", {{{.name = "x", .type = EntryType::kFloat32},
//                                                  {.name = "y", .type = EntryType::kFloat32}}});
//   AnySchema hit = domain.get_schema(
//       "hit", {{{.name = "time", .type = EntryType::kInt64, .role = Role::kMark},
//                {.name = "where", .type = point}}},
//       {.kind = EventKind::kMark});
//   stream.write_event(hit, bytes, hit.row_bytes());
//
// Source: nvToolsExtPayload.h, nvtxPayloadSchemaEntry_t and nvtxPayloadSchemaAttr_t.
#ifndef RINGSCRIBE_API_SCHEMA_DESCRIPTION_H_
#define RINGSCRIBE_API_SCHEMA_DESCRIPTION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ringscribe/entry_type.h"
#include "ringscribe/enum.h"
#include "ringscribe/runtime/flex_layout.h"
#include "ringscribe/runtime/reference.h"
#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe {

// The layout of a user's events, registered in a domain. Schema<T> is the typed one.
class AnySchema {
 public:
  constexpr AnySchema() noexcept = default;
  constexpr bool ok() const noexcept { return !reference_.is_none(); }
  // Bytes of a row; 0 if rows differ in size.
  constexpr uint32_t row_bytes() const noexcept { return row_bytes_; }
  constexpr EventKind kind() const noexcept { return kind_; }
  // The ID for NVTX.
  constexpr uint64_t id() const noexcept { return id_; }

 protected:
  friend class Domain;
  friend class Stream;
  friend struct Payload;
  uint64_t id_ = 0;
  const runtime::FlexLayout* flexible_ = nullptr;  // nullptr: no fields of variable length
  runtime::Reference reference_;
  runtime::Reference event_;  // the same if it has a kind, else none
  uint32_t row_bytes_ = 0;
  EventKind kind_ = EventKind::kNone;
};

template <typename T>
class Schema : public AnySchema {};

// The type of a field: predefined, or a schema or enum of the same domain.
class FieldType {
 public:
  constexpr FieldType(EntryType type) noexcept  // NOLINT: implicit on purpose, as all here
      : id_(static_cast<uint64_t>(type)) {}
  constexpr FieldType(const AnySchema& schema) noexcept : id_(schema.id()) {}  // NOLINT
  constexpr FieldType(Enum type) noexcept : id_(type.id()) {}                  // NOLINT
  constexpr uint64_t id() const noexcept { return id_; }

 private:
  uint64_t id_;
};

// Whether a field is an array, and what says how long it is (NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_*).
enum class ArrayForm : uint8_t {
  kNone = 0,
  kFixed = 1,  // Field::length elements
  kZeroTerminated = 2,
  kLengthField = 3,    // Field::length is the index of the field that has the length(s)
  kLengthPayload = 4,  // Field::length is the index of the payload that has the length(s)
};

// Where the data of a field is.
enum class Storage : uint8_t {
  kInline = 0,
  kPointer = 1,         // the field has the address of data in another payload of the event
  kOffsetFromBase = 2,  // the field has an offset from the payload's begin
  kOffsetFromHere = 3,  // the field has an offset from the field's end
  kFlexible = 4,        // the field is a Text or Array<T> (flexible.h): copied when written
};

struct Field {
  std::string_view name = {};
  FieldType type = EntryType::kInvalid;
  Role role = Role::kField;
  ArrayForm array = ArrayForm::kNone;
  // Of a fixed array its elements, of a fixed text its code units; see ArrayForm for other
  // meanings; of a union the index of the field that selects the member.
  uint64_t length = 0;
  Storage storage = Storage::kInline;
  uint64_t offset = runtime::kComputedOffset;  // in bytes; computed by NVTX's rules if not given
  std::string_view description = {};
  bool hide = false;
  FieldSemantics semantics = {};
};

struct SchemaOptions {
  EventKind kind = EventKind::kNone;
  SchemaType type = SchemaType::kStatic;
  size_t row_bytes = 0;           // with padding; computed by NVTX's rules if 0
  size_t pack_align = 0;          // as #pragma pack(N) of C; 0: natural alignment
  bool is_referenced = false;     // other payloads of an event may point into this one
  bool is_counter_group = false;  // for Domain::get_counter; fields have Role::kCounter
  uint64_t static_id = 0;         // in [2^24, 2^31); 0: one of ours
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_SCHEMA_DESCRIPTION_H_
