// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/entry_locator.h"

#include <algorithm>
#include <cstring>

#include "ringscribe/backends/model/type_info.h"
#include "ringscribe/backends/model/value_reader.h"

namespace ringscribe::model {
namespace {

using nvtxw::kReferenceBytes;

uint64_t address_of(const std::byte* data) { return reinterpret_cast<uintptr_t>(data); }

// From `address` to the end of `region`; empty if it lies outside.
Bytes tail(Bytes region, uint64_t address) {
  const uint64_t begin = address_of(region.data());
  if (address < begin || address - begin >= region.size()) return {};
  return region.subspan(static_cast<size_t>(address - begin));
}

// A negative length is none. False if the product of the dimensions is beyond all payloads.
bool multiply(uint64_t& product, const Value& dimension) {
  const bool negative = dimension.kind == ValueKind::kInt && dimension.int_value < 0;
  const uint64_t factor = negative ? 0 : dimension.uint_value;
  return !__builtin_mul_overflow(product, factor, &product);
}

}  // namespace

bool EntryLocator::whole_number(const Step& step, const std::byte* data, Value& value) {
  TypeInfo type = step.type;
  if (step.enumeration != nullptr) {
    type = {TypeKind::kUint, step.enumeration->size, step.enumeration->size};
  }
  return is_integer(type.kind) && read_number(type, data, value);
}

const char* EntryLocator::locate(const SchemaView& view, const Step& step, size_t offset,
                                 Located& at) const {
  at.inline_end = Located::kUnknownEnd;
  if (step.place != Place::kInline) {
    const char* failure = follow(view, step, offset, at);
    return failure != nullptr || at.is_absent ? failure : count_elements(view, step, at);
  }
  if (offset > view.bytes.size()) {
    return "lies outside its payload";
  }
  at.data = view.bytes.data() + offset;
  at.available = view.bytes.size() - offset;
  at.inline_end = offset;  // count_elements() adds what the elements take
  const char* failure = count_elements(view, step, at);
  if (failure != nullptr) at.inline_end = Located::kUnknownEnd;
  return failure;
}

// Reads the 8-byte pointer or offset and looks up what it points to.
const char* EntryLocator::follow(const SchemaView& view, const Step& step, size_t offset,
                                 Located& at) const {
  if (offset > view.bytes.size() || view.bytes.size() - offset < kReferenceBytes) {
    return "lies outside its payload";
  }
  at.inline_end = offset + kReferenceBytes;
  const std::byte* stored = view.bytes.data() + offset;
  uint64_t address;
  std::memcpy(&address, stored, sizeof(address));
  if (step.place == Place::kPointer && address == 0) {
    at.is_absent = true;
    return nullptr;
  }
  if (step.place == Place::kFromBase) {
    address += address_of(event_.batch.flex_base != nullptr ? event_.batch.flex_base : top_.data());
  } else if (step.place == Place::kFromHere) {
    address += address_of(stored + kReferenceBytes);
  }
  const bool is_deep_copy = step.place == Place::kPointer && step.is_deep_copy;
  Bytes region = region_at(address);
  if (region.empty() && is_deep_copy && is_bounded_) region = tail(bound_, address);
  at.data = reinterpret_cast<const std::byte*>(static_cast<uintptr_t>(address));
  at.available = region.size();
  if (!region.empty()) return nullptr;
  if (is_deep_copy && !is_bounded_) {
    at.is_unbounded = true;
    at.available =
        step.form == ArrayForm::kZeroTerminated ? kTerminatorBytesMax : kDeepCopyBytesMax;
    return nullptr;
  }
  return "points outside of the event's data";
}

// From `address` to the end of the payload or batch data that it lies in; empty if in none.
Bytes EntryLocator::region_at(uint64_t address) const {
  for (const nvtxPayloadData_t& payload : event_.payloads) {
    if (payload.size == SIZE_MAX || payload.payload == nullptr) continue;
    const Bytes found =
        tail({static_cast<const std::byte*>(payload.payload), payload.size}, address);
    if (!found.empty()) return found;
  }
  const Bytes found = tail(event_.batch.flex, address);
  return found.empty() ? tail(event_.batch.rows, address) : found;
}

// Finds out how many elements there are, checks that they are there, and moves `inline_end` past
// them if the entry is inline.
const char* EntryLocator::count_elements(const SchemaView& view, const Step& step,
                                         Located& at) const {
  uint64_t count = 1;
  size_t terminator = 0;
  const size_t size = step.element_size;
  bool is_known = true;
  switch (step.form) {
    case ArrayForm::kScalar:
      break;
    case ArrayForm::kFixed:
      count = step.detail;
      break;
    case ArrayForm::kLengthIndex:
      is_known = length_from(view, step, count);
      break;
    case ArrayForm::kLengthPayload:
      is_known = length_from_payload(step.detail, count);
      break;
    case ArrayForm::kUnknown:
      is_known = false;
      break;
    case ArrayForm::kZeroTerminated: {
      if (size == 0) break;
      bool is_terminated = false;
      count = count_until_zero(at.data, at.available, size, is_terminated);
      if (is_terminated) terminator = size;
      at.is_cut = at.is_unbounded && !is_terminated;
      break;
    }
  }
  if (!is_known) {
    return "has a length that cannot be read";
  }
  if (size == 0) {  // a nested schema whose payloads differ in size
    at.count = 1;
    if (step.form == ArrayForm::kScalar && step.nested != nullptr) return nullptr;
    return "is an array of elements without a fixed size";
  }
  if (count > at.available / size) {
    return "is longer than the data that it is in";
  }
  at.count = static_cast<size_t>(count);
  if (step.place == Place::kInline) at.inline_end += at.count * size + terminator;
  return nullptr;
}

// The product of the numbers in the earlier entry that `step` names.
bool EntryLocator::length_from(const SchemaView& view, const Step& step, uint64_t& length) const {
  const Location& location = view.locations[static_cast<size_t>(step.detail)];
  const Step& source = view.schema.steps[static_cast<size_t>(step.detail)];
  if (location.data == nullptr) return false;
  length = 1;
  for (size_t i = 0; i < location.count; ++i) {
    Value value;
    if (!whole_number(source, location.data + i * source.element_size, value)) return false;
    if (!multiply(length, value)) return false;
  }
  return true;
}

// The same from another payload, which is a number, an array of them, or one entry of that kind.
bool EntryLocator::length_from_payload(uint64_t index, uint64_t& length) const {
  if (index >= event_.payloads.size()) return false;
  const nvtxPayloadData_t& payload = event_.payloads[static_cast<size_t>(index)];
  if (payload.payload == nullptr || payload.size == SIZE_MAX) return false;
  Step predefined;
  const Step* entry = &predefined;
  size_t count = SIZE_MAX;
  if (payload.schemaId < NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    predefined.type = type_info(payload.schemaId);
    predefined.element_size = predefined.type.size;
  } else {
    const Schema* schema = definitions_.schema(event_.domain, payload.schemaId);
    if (schema == nullptr || schema->steps.size() != 1) return false;
    entry = &schema->steps[0];
    if (entry->place != Place::kInline || entry->offset != 0) return false;
    if (entry->form == ArrayForm::kScalar) count = 1;
    if (entry->form == ArrayForm::kFixed) count = static_cast<size_t>(entry->detail);
  }
  const Step& source = *entry;
  if (source.element_size == 0) return false;
  const size_t there = payload.size / source.element_size;
  if (count != SIZE_MAX && count > there) return false;
  count = std::min(count, there);
  const auto* data = static_cast<const std::byte*>(payload.payload);
  length = 1;
  for (size_t i = 0; i < count; ++i) {
    Value value;
    if (!whole_number(source, data + i * source.element_size, value)) return false;
    if (source.form == ArrayForm::kZeroTerminated && value.uint_value == 0) break;
    if (!multiply(length, value)) return false;
  }
  return count > 0;
}

}  // namespace ringscribe::model
