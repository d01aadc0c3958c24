// SPDX-License-Identifier: Apache-2.0
//
// Field numbers of Perfetto's trace protos, by message: those that we write, and those that we read
// besides. tests/perfetto reads our files with the published protos, so a wrong number does not
// stay unseen.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACE_FIELDS_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACE_FIELDS_H_

#include <cstdint>

namespace ringscribe::perfetto {

namespace trace {
inline constexpr uint32_t kPacket = 1;
}
namespace packet {  // TracePacket
inline constexpr uint32_t kClockSnapshot = 6;
inline constexpr uint32_t kTimestamp = 8;
inline constexpr uint32_t kTrustedPacketSequenceId = 10;
inline constexpr uint32_t kTrackEvent = 11;
inline constexpr uint32_t kInternedData = 12;
inline constexpr uint32_t kSequenceFlags = 13;
inline constexpr uint32_t kCompressedPackets = 50;
inline constexpr uint32_t kTimestampClockId = 58;
inline constexpr uint32_t kTracePacketDefaults = 59;
inline constexpr uint32_t kTrackDescriptor = 60;
inline constexpr uint32_t kFirstPacketOnSequence = 87;
// Enum SequenceFlags.
inline constexpr uint32_t kIncrementalStateCleared = 1;
inline constexpr uint32_t kNeedsIncrementalState = 2;
}  // namespace packet
namespace defaults {  // TracePacketDefaults
inline constexpr uint32_t kTrackEventDefaults = 11;
inline constexpr uint32_t kTimestampClockId = 58;
}  // namespace defaults
namespace snapshot {  // ClockSnapshot
inline constexpr uint32_t kClocks = 1;
inline constexpr uint32_t kPrimaryTraceClock = 2;
}  // namespace snapshot
namespace clock {  // ClockSnapshot.Clock
inline constexpr uint32_t kClockId = 1;
inline constexpr uint32_t kTimestamp = 2;
inline constexpr uint32_t kIsIncremental = 3;
inline constexpr uint32_t kUnitMultiplierNs = 4;
// The first number for clocks of a sequence.
inline constexpr uint32_t kOfSequence = 64;
// Enum BuiltinClock.
inline constexpr uint32_t kRealtime = 1;
inline constexpr uint32_t kMonotonic = 3;
inline constexpr uint32_t kBoottime = 6;
}  // namespace clock
namespace descriptor {  // TrackDescriptor
inline constexpr uint32_t kUuid = 1;
inline constexpr uint32_t kName = 2;
inline constexpr uint32_t kProcess = 3;
inline constexpr uint32_t kThread = 4;
inline constexpr uint32_t kParentUuid = 5;
inline constexpr uint32_t kCounter = 8;
inline constexpr uint32_t kDescription = 14;
inline constexpr uint32_t kStaticName = 10;
inline constexpr uint32_t kSiblingMergeBehavior = 15;
inline constexpr uint32_t kSiblingMergeKeyInt = 17;
// Enum SiblingMergeBehavior.
inline constexpr int32_t kBySiblingMergeKey = 3;
}  // namespace descriptor
namespace process {  // ProcessDescriptor
inline constexpr uint32_t kPid = 1;
inline constexpr uint32_t kProcessName = 6;
inline constexpr uint32_t kProcessLabels = 8;
}  // namespace process
namespace thread {  // ThreadDescriptor
inline constexpr uint32_t kPid = 1;
inline constexpr uint32_t kTid = 2;
inline constexpr uint32_t kThreadName = 5;
}  // namespace thread
namespace counter_descriptor {  // CounterDescriptor
inline constexpr uint32_t kIsIncremental = 5;
inline constexpr uint32_t kUnitName = 6;
}  // namespace counter_descriptor
namespace interned_data {  // InternedData
inline constexpr uint32_t kEventCategories = 1;
inline constexpr uint32_t kEventNames = 2;
inline constexpr uint32_t kDebugAnnotationNames = 3;
inline constexpr uint32_t kDebugAnnotationStringValues = 29;
}  // namespace interned_data
namespace entry {  // EventCategory, EventName, DebugAnnotationName, InternedString
inline constexpr uint32_t kIid = 1;
inline constexpr uint32_t kName = 2;
}  // namespace entry
namespace track_event {  // TrackEvent
inline constexpr uint32_t kCategoryIids = 3;
inline constexpr uint32_t kDebugAnnotations = 4;
inline constexpr uint32_t kType = 9;  // an EventType
inline constexpr uint32_t kNameIid = 10;
inline constexpr uint32_t kTrackUuid = 11;
inline constexpr uint32_t kCategories = 22;
inline constexpr uint32_t kName = 23;
inline constexpr uint32_t kCounterValue = 30;
inline constexpr uint32_t kDoubleCounterValue = 44;
inline constexpr uint32_t kFlowIds = 47;
}  // namespace track_event
namespace annotation {  // DebugAnnotation
inline constexpr uint32_t kNameIid = 1;
inline constexpr uint32_t kBoolValue = 2;
inline constexpr uint32_t kUintValue = 3;
inline constexpr uint32_t kIntValue = 4;
inline constexpr uint32_t kDoubleValue = 5;
inline constexpr uint32_t kStringValue = 6;
inline constexpr uint32_t kPointerValue = 7;
inline constexpr uint32_t kName = 10;
inline constexpr uint32_t kDictEntries = 11;
inline constexpr uint32_t kArrayValues = 12;
inline constexpr uint32_t kStringValueIid = 17;
}  // namespace annotation

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACE_FIELDS_H_
