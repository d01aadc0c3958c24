// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/differential/document_words.h"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace ringscribe::testing {

namespace {

template <typename T>
struct Word {
  std::string_view word;
  T value;
};

template <typename T>
T look_up(std::string_view word, std::initializer_list<Word<T>> words) {
  for (const Word<T>& one : words)
    if (one.word == word) return one.value;
  std::fprintf(stderr, "document_words.cc: the document has an unknown word '%.*s'\n",
               static_cast<int>(word.size()), word.data());
  std::abort();
}

// A limit's type: NVTX has int64, uint64 and double, and both limits are of the same. Python takes
// uint64 unless one of the two is negative.
CounterLimit limit(const Json* value, bool is_signed) {
  if (value == nullptr) return {};
  if (!value->IsInt64() && !value->IsUint64()) return value->GetDouble();
  if (is_signed) return value->GetInt64();
  return value->GetUint64();
}

}  // namespace

std::string_view text_of(const Json& value) {
  if (!value.IsString()) return {};
  return std::string_view(value.GetString(), value.GetStringLength());
}

const Json* find_member(const Json& object, const char* name) {
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

std::string_view member_text(const Json& object, const char* name) {
  const Json* value = find_member(object, name);
  return value == nullptr ? std::string_view() : text_of(*value);
}

EventKind event_kind(std::string_view word) {
  return look_up<EventKind>(word, {{"MARK", EventKind::kMark},
                                   {"RANGE_PUSHPOP", EventKind::kRangePushPop},
                                   {"RANGE_STARTEND", EventKind::kRangeStartEnd},
                                   {"RANGE_PUSH", EventKind::kRangePush},
                                   {"RANGE_POP", EventKind::kRangePop},
                                   {"RANGE_START", EventKind::kRangeStart},
                                   {"RANGE_END", EventKind::kRangeEnd}});
}

Role role(std::string_view word) {
  return look_up<Role>(word, {{"", Role::kField},
                              {"MARK", Role::kMark},
                              {"RANGE_BEGIN", Role::kRangeBegin},
                              {"RANGE_END", Role::kRangeEnd},
                              {"MESSAGE", Role::kMessage},
                              {"COUNTER_TIMESTAMP", Role::kTimestamp}});
}

EntryType entry_type(std::string_view word) {
  return look_up<EntryType>(word, {{"int", EntryType::kInt64},
                                   {"float", EntryType::kFloat64},
                                   {"i1", EntryType::kInt8},
                                   {"i2", EntryType::kInt16},
                                   {"i4", EntryType::kInt32},
                                   {"i8", EntryType::kInt64},
                                   {"u1", EntryType::kUint8},
                                   {"u2", EntryType::kUint16},
                                   {"u4", EntryType::kUint32},
                                   {"u8", EntryType::kUint64},
                                   {"f2", EntryType::kFloat16},
                                   {"f4", EntryType::kFloat32},
                                   {"f8", EntryType::kFloat64},
                                   {"RANGE_ID", EntryType::kRangeId},
                                   {"CATEGORY", EntryType::kCategory},
                                   {"COLOR_ARGB", EntryType::kColorArgb},
                                   {"SCOPE_ID", EntryType::kScopeId},
                                   {"REGISTERED_STRING", EntryType::kRegisteredString}});
}

PredefinedScope predefined_scope(std::string_view word) {
  return look_up<PredefinedScope>(word, {{"NONE", PredefinedScope::kNone},
                                         {"ROOT", PredefinedScope::kRoot},
                                         {"CURRENT_HW_MACHINE", PredefinedScope::kCurrentHwMachine},
                                         {"CURRENT_VM", PredefinedScope::kCurrentVm}});
}

TimestampType timestamp_type(std::string_view word) {
  return look_up<TimestampType>(word,
                                {{"NONE", TimestampType::kNone},
                                 {"CPU_TSC", TimestampType::kCpuTsc},
                                 {"CPU_CLOCK_GETTIME_MONOTONIC", TimestampType::kCpuClockMonotonic},
                                 {"CPU_CLOCK_GETTIME_REALTIME", TimestampType::kCpuClockRealtime},
                                 {"CPP_STEADY_CLOCK", TimestampType::kCppSteadyClock},
                                 {"GPU_GLOBALTIMER", TimestampType::kGpuGlobaltimer}});
}

BatchOrdering batch_ordering(std::string_view word) {
  return look_up<BatchOrdering>(word, {{"SORTED", BatchOrdering::kSorted},
                                       {"PARTIALLY_SORTED", BatchOrdering::kPartiallySorted},
                                       {"SORTED_PER_SCOPE", BatchOrdering::kSortedPerScope},
                                       {"UNSORTED", BatchOrdering::kUnsorted}});
}

CounterNoValueReason no_value_reason(std::string_view word) {
  return look_up<CounterNoValueReason>(word, {{"ZERO", CounterNoValueReason::kZero},
                                              {"UNCHANGED", CounterNoValueReason::kUnchanged},
                                              {"UNAVAILABLE", CounterNoValueReason::kUnavailable}});
}

StreamInterleaving interleaving(std::string_view word) {
  return look_up<StreamInterleaving>(
      word, {{"NONE", StreamInterleaving::kNone}, {"SCOPE", StreamInterleaving::kScope}});
}

StreamOrdering stream_ordering(std::string_view word) {
  return look_up<StreamOrdering>(word, {{"UNKNOWN", StreamOrdering::kUnknown},
                                        {"STRICT", StreamOrdering::kStrict},
                                        {"PACKED_RANGE_START", StreamOrdering::kPackedRangeStart},
                                        {"PACKED_RANGE_END", StreamOrdering::kPackedRangeEnd}});
}

StreamSkid stream_skid(std::string_view word) {
  return look_up<StreamSkid>(word, {{"NONE", StreamSkid::kNone},
                                    {"TIME_NS", StreamSkid::kTimeNs},
                                    {"EVENT_COUNT", StreamSkid::kEventCount}});
}

Color color_of(const Json& value) {
  if (value.IsNull()) return {};
  if (value.IsUint()) return Color(value.GetUint());
  return look_up<Color>(text_of(value), {{"green", color::green},
                                         {"darkgreen", color::darkgreen},
                                         {"rapids", color::rapids},
                                         {"orange", color::orange}});
}

CounterSemantics semantics_of(const Json& value) {
  CounterSemantics result;
  if (value.IsNull()) return result;
  result.unit = member_text(value, "unit");
  const Json *min = find_member(value, "min"), *max = find_member(value, "max");
  const auto is_negative = [](const Json* one) {
    return one != nullptr && one->IsInt64() && one->GetInt64() < 0;
  };
  const bool is_signed = is_negative(min) || is_negative(max);
  result.min = limit(min, is_signed);
  result.max = limit(max, is_signed);
  result.value_type =
      look_up<CounterValueType>(member_text(value, "value_type"),
                                {{"ABSOLUTE", CounterValueType::kAbsolute},
                                 {"DELTA", CounterValueType::kDelta},
                                 {"DELTA_SINCE_START", CounterValueType::kDeltaSinceStart}});
  result.interpolation = look_up<CounterInterpolation>(
      member_text(value, "interpolation"), {{"POINT", CounterInterpolation::kPoint},
                                            {"SINCE_LAST", CounterInterpolation::kSinceLast},
                                            {"UNTIL_NEXT", CounterInterpolation::kUntilNext},
                                            {"LINEAR", CounterInterpolation::kLinear}});
  if (const Json* scale = find_member(value, "unit_scale_numerator"))
    result.unit_scale_numerator = scale->GetUint64();
  if (const Json* scale = find_member(value, "unit_scale_denominator"))
    result.unit_scale_denominator = scale->GetUint64();
  return result;
}

std::vector<uint8_t> bytes_of(const Json& hex) {
  const std::string_view digits = text_of(hex);
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(digit(digits[i]) * 16 + digit(digits[i + 1])));
  return bytes;
}

}  // namespace ringscribe::testing
