// SPDX-License-Identifier: Apache-2.0
//
// EntryType: the predefined types of a payload's fields, NVTX_PAYLOAD_ENTRY_TYPE_* with their
// numbers (nvToolsExtPayload.h). For layouts that are described at run time and for payloads of a
// plain type; a struct with RINGSCRIBE_SCHEMA needs none of them.
#ifndef RINGSCRIBE_API_ENTRY_TYPE_H_
#define RINGSCRIBE_API_ENTRY_TYPE_H_

#include <cstdint>

namespace ringscribe {

enum class EntryType : uint64_t {
  kInvalid = 0,
  // C's types, as wide as on this machine.
  kChar = 1,
  kUchar = 2,
  kShort = 3,
  kUshort = 4,
  kInt = 5,
  kUint = 6,
  kLong = 7,
  kUlong = 8,
  kLongLong = 9,
  kUlongLong = 10,
  kInt8 = 11,
  kUint8 = 12,
  kInt16 = 13,
  kUint16 = 14,
  kInt32 = 15,
  kUint32 = 16,
  kInt64 = 17,
  kUint64 = 18,
  kFloat = 19,
  kDouble = 20,
  kLongDouble = 21,
  kSize = 22,
  kAddress = 23,
  kWchar = 24,
  kChar8 = 25,
  kChar16 = 26,
  kChar32 = 27,
  kByte = 32,
  kInt128 = 33,
  kUint128 = 34,
  kFloat16 = 42,
  kFloat32 = 43,
  kFloat64 = 44,
  kFloat128 = 45,
  kBfloat16 = 50,
  kTf32 = 52,
  // Attributes of the event.
  kRangeId = 67,
  kCategory = 68,
  kColorArgb = 69,
  kScopeId = 70,
  kPid32 = 71,
  kPid64 = 72,
  kTid32 = 73,
  kTid64 = 74,
  // Text; lengths count code units.
  kString = 75,  // in the locale's encoding
  kUtf8 = 76,
  kUtf16 = 77,
  kUtf32 = 78,
  kRegisteredString = 80,  // the field has a RegisteredString
  kUnionSelector = 100,
  // Not for fields, only for a payload of an event as a whole.
  kReferenced = 1022,  // bytes that other payloads of the event point into
  kRaw = 1023,         // bytes that a viewer may show as they are
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_ENTRY_TYPE_H_
