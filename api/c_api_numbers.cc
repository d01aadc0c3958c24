// SPDX-License-Identifier: Apache-2.0
//
// The numbers of ringscribe_c.h are those of the C++ API, which are NVTX's (checked in runtime).
#include "ringscribe/counter.h"
#include "ringscribe/domain.h"
#include "ringscribe/ringscribe_c.h"
#include "ringscribe/schema_description.h"
#include "ringscribe/session.h"

namespace ringscribe {
namespace {

template <typename Enum>
constexpr bool same(int64_t number, Enum value) {
  return number == static_cast<int64_t>(value);
}

static_assert(same(RINGSCRIBE_SUCCESS, ResultCode::kSuccess));
static_assert(same(RINGSCRIBE_FAILED, ResultCode::kFailed));
static_assert(same(RINGSCRIBE_INVALID_ARGUMENT, ResultCode::kInvalidArgument));
static_assert(same(RINGSCRIBE_LIBRARY_NOT_FOUND, ResultCode::kLibraryNotFound));
static_assert(same(RINGSCRIBE_LIBRARY_LOAD_FAILED, ResultCode::kLibraryLoadFailed));
static_assert(same(RINGSCRIBE_LIBRARY_SYMBOL_MISSING, ResultCode::kLibrarySymbolMissing));
static_assert(same(RINGSCRIBE_INTERFACE_VERSION_NOT_SUPPORTED,
                   ResultCode::kInterfaceVersionNotSupported));
static_assert(same(RINGSCRIBE_NOT_SUPPORTED, ResultCode::kNotSupported));

static_assert(same(RINGSCRIBE_SCOPE_NONE, PredefinedScope::kNone));
static_assert(same(RINGSCRIBE_SCOPE_ROOT, PredefinedScope::kRoot));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_HW_MACHINE, PredefinedScope::kCurrentHwMachine));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_HW_SOCKET, PredefinedScope::kCurrentHwSocket));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_HW_CPU_PHYSICAL,
                   PredefinedScope::kCurrentHwCpuPhysical));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_HW_CPU_LOGICAL, PredefinedScope::kCurrentHwCpuLogical));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_HW_INNERMOST, PredefinedScope::kCurrentHwInnermost));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_HYPERVISOR, PredefinedScope::kCurrentHypervisor));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_VM, PredefinedScope::kCurrentVm));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_KERNEL, PredefinedScope::kCurrentKernel));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_CONTAINER, PredefinedScope::kCurrentContainer));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_OS, PredefinedScope::kCurrentOs));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_SW_PROCESS, PredefinedScope::kCurrentSwProcess));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_SW_THREAD, PredefinedScope::kCurrentSwThread));
static_assert(same(RINGSCRIBE_SCOPE_CURRENT_SW_INNERMOST, PredefinedScope::kCurrentSwInnermost));

static_assert(same(RINGSCRIBE_RESOURCE_GENERIC_POINTER, ResourceType::kGenericPointer));
static_assert(same(RINGSCRIBE_RESOURCE_GENERIC_HANDLE, ResourceType::kGenericHandle));
static_assert(same(RINGSCRIBE_RESOURCE_GENERIC_THREAD_NATIVE, ResourceType::kGenericThreadNative));
static_assert(same(RINGSCRIBE_RESOURCE_GENERIC_THREAD_POSIX, ResourceType::kGenericThreadPosix));

static_assert(same(RINGSCRIBE_TIMESTAMP_NONE, TimestampType::kNone));
static_assert(same(RINGSCRIBE_TIMESTAMP_TOOL_PROVIDED, TimestampType::kToolProvided));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_TSC, TimestampType::kCpuTsc));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_TSC_NONVIRTUALIZED,
                   TimestampType::kCpuTscNonvirtualized));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_REALTIME, TimestampType::kCpuClockRealtime));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_REALTIME_COARSE,
                   TimestampType::kCpuClockRealtimeCoarse));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC, TimestampType::kCpuClockMonotonic));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC_RAW,
                   TimestampType::kCpuClockMonotonicRaw));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_MONOTONIC_COARSE,
                   TimestampType::kCpuClockMonotonicCoarse));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_BOOTTIME, TimestampType::kCpuClockBoottime));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_PROCESS_CPUTIME,
                   TimestampType::kCpuClockProcessCputime));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPU_CLOCK_THREAD_CPUTIME,
                   TimestampType::kCpuClockThreadCputime));
static_assert(same(RINGSCRIBE_TIMESTAMP_WIN_QPC, TimestampType::kWinQpc));
static_assert(same(RINGSCRIBE_TIMESTAMP_WIN_GSTAFT, TimestampType::kWinGstaft));
static_assert(same(RINGSCRIBE_TIMESTAMP_WIN_GSTAFTP, TimestampType::kWinGstaftp));
static_assert(same(RINGSCRIBE_TIMESTAMP_C_TIME, TimestampType::kCTime));
static_assert(same(RINGSCRIBE_TIMESTAMP_C_CLOCK, TimestampType::kCClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_C_TIMESPEC_GET, TimestampType::kCTimespecGet));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_STEADY_CLOCK, TimestampType::kCppSteadyClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_HIGH_RESOLUTION_CLOCK,
                   TimestampType::kCppHighResolutionClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_SYSTEM_CLOCK, TimestampType::kCppSystemClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_UTC_CLOCK, TimestampType::kCppUtcClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_TAI_CLOCK, TimestampType::kCppTaiClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_GPS_CLOCK, TimestampType::kCppGpsClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_CPP_FILE_CLOCK, TimestampType::kCppFileClock));
static_assert(same(RINGSCRIBE_TIMESTAMP_GPU_GLOBALTIMER, TimestampType::kGpuGlobaltimer));

static_assert(same(RINGSCRIBE_TIMER_START_UNKNOWN, TimerStart::kUnknown));
static_assert(same(RINGSCRIBE_TIMER_START_SYSTEM_BOOT, TimerStart::kSystemBoot));
static_assert(same(RINGSCRIBE_TIMER_START_VM_BOOT, TimerStart::kVmBoot));
static_assert(same(RINGSCRIBE_TIMER_START_UNIX_EPOCH, TimerStart::kUnixEpoch));
static_assert(same(RINGSCRIBE_TIMER_START_WIN_FILETIME, TimerStart::kWinFiletime));

static_assert(same(RINGSCRIBE_TYPE_CHAR, EntryType::kChar));
static_assert(same(RINGSCRIBE_TYPE_UCHAR, EntryType::kUchar));
static_assert(same(RINGSCRIBE_TYPE_SHORT, EntryType::kShort));
static_assert(same(RINGSCRIBE_TYPE_USHORT, EntryType::kUshort));
static_assert(same(RINGSCRIBE_TYPE_INT, EntryType::kInt));
static_assert(same(RINGSCRIBE_TYPE_UINT, EntryType::kUint));
static_assert(same(RINGSCRIBE_TYPE_LONG, EntryType::kLong));
static_assert(same(RINGSCRIBE_TYPE_ULONG, EntryType::kUlong));
static_assert(same(RINGSCRIBE_TYPE_LONGLONG, EntryType::kLongLong));
static_assert(same(RINGSCRIBE_TYPE_ULONGLONG, EntryType::kUlongLong));
static_assert(same(RINGSCRIBE_TYPE_INT8, EntryType::kInt8));
static_assert(same(RINGSCRIBE_TYPE_UINT8, EntryType::kUint8));
static_assert(same(RINGSCRIBE_TYPE_INT16, EntryType::kInt16));
static_assert(same(RINGSCRIBE_TYPE_UINT16, EntryType::kUint16));
static_assert(same(RINGSCRIBE_TYPE_INT32, EntryType::kInt32));
static_assert(same(RINGSCRIBE_TYPE_UINT32, EntryType::kUint32));
static_assert(same(RINGSCRIBE_TYPE_INT64, EntryType::kInt64));
static_assert(same(RINGSCRIBE_TYPE_UINT64, EntryType::kUint64));
static_assert(same(RINGSCRIBE_TYPE_FLOAT, EntryType::kFloat));
static_assert(same(RINGSCRIBE_TYPE_DOUBLE, EntryType::kDouble));
static_assert(same(RINGSCRIBE_TYPE_LONG_DOUBLE, EntryType::kLongDouble));
static_assert(same(RINGSCRIBE_TYPE_SIZE, EntryType::kSize));
static_assert(same(RINGSCRIBE_TYPE_ADDRESS, EntryType::kAddress));
static_assert(same(RINGSCRIBE_TYPE_WCHAR, EntryType::kWchar));
static_assert(same(RINGSCRIBE_TYPE_CHAR8, EntryType::kChar8));
static_assert(same(RINGSCRIBE_TYPE_CHAR16, EntryType::kChar16));
static_assert(same(RINGSCRIBE_TYPE_CHAR32, EntryType::kChar32));
static_assert(same(RINGSCRIBE_TYPE_BYTE, EntryType::kByte));
static_assert(same(RINGSCRIBE_TYPE_INT128, EntryType::kInt128));
static_assert(same(RINGSCRIBE_TYPE_UINT128, EntryType::kUint128));
static_assert(same(RINGSCRIBE_TYPE_FLOAT16, EntryType::kFloat16));
static_assert(same(RINGSCRIBE_TYPE_FLOAT32, EntryType::kFloat32));
static_assert(same(RINGSCRIBE_TYPE_FLOAT64, EntryType::kFloat64));
static_assert(same(RINGSCRIBE_TYPE_FLOAT128, EntryType::kFloat128));
static_assert(same(RINGSCRIBE_TYPE_BFLOAT16, EntryType::kBfloat16));
static_assert(same(RINGSCRIBE_TYPE_TF32, EntryType::kTf32));
static_assert(same(RINGSCRIBE_TYPE_RANGE_ID, EntryType::kRangeId));
static_assert(same(RINGSCRIBE_TYPE_CATEGORY, EntryType::kCategory));
static_assert(same(RINGSCRIBE_TYPE_COLOR_ARGB, EntryType::kColorArgb));
static_assert(same(RINGSCRIBE_TYPE_SCOPE_ID, EntryType::kScopeId));
static_assert(same(RINGSCRIBE_TYPE_PID32, EntryType::kPid32));
static_assert(same(RINGSCRIBE_TYPE_PID64, EntryType::kPid64));
static_assert(same(RINGSCRIBE_TYPE_TID32, EntryType::kTid32));
static_assert(same(RINGSCRIBE_TYPE_TID64, EntryType::kTid64));
static_assert(same(RINGSCRIBE_TYPE_STRING, EntryType::kString));
static_assert(same(RINGSCRIBE_TYPE_UTF8, EntryType::kUtf8));
static_assert(same(RINGSCRIBE_TYPE_UTF16, EntryType::kUtf16));
static_assert(same(RINGSCRIBE_TYPE_UTF32, EntryType::kUtf32));
static_assert(same(RINGSCRIBE_TYPE_REGISTERED_STRING, EntryType::kRegisteredString));
static_assert(same(RINGSCRIBE_TYPE_UNION_SELECTOR, EntryType::kUnionSelector));
static_assert(same(RINGSCRIBE_TYPE_REFERENCED, EntryType::kReferenced));
static_assert(same(RINGSCRIBE_TYPE_RAW, EntryType::kRaw));

static_assert(same(RINGSCRIBE_LIMIT_NONE, CounterLimit::Type::kNone));
static_assert(same(RINGSCRIBE_LIMIT_INT64, CounterLimit::Type::kInt64));
static_assert(same(RINGSCRIBE_LIMIT_UINT64, CounterLimit::Type::kUint64));
static_assert(same(RINGSCRIBE_LIMIT_DOUBLE, CounterLimit::Type::kFloat64));

static_assert(same(RINGSCRIBE_COUNTER_VALUE_UNSPECIFIED, CounterValueType::kUnspecified));
static_assert(same(RINGSCRIBE_COUNTER_VALUE_ABSOLUTE, CounterValueType::kAbsolute));
static_assert(same(RINGSCRIBE_COUNTER_VALUE_DELTA, CounterValueType::kDelta));
static_assert(same(RINGSCRIBE_COUNTER_VALUE_DELTA_SINCE_START, CounterValueType::kDeltaSinceStart));

static_assert(same(RINGSCRIBE_COUNTER_INTERPOLATION_UNSPECIFIED,
                   CounterInterpolation::kUnspecified));
static_assert(same(RINGSCRIBE_COUNTER_INTERPOLATION_POINT, CounterInterpolation::kPoint));
static_assert(same(RINGSCRIBE_COUNTER_INTERPOLATION_SINCE_LAST, CounterInterpolation::kSinceLast));
static_assert(same(RINGSCRIBE_COUNTER_INTERPOLATION_UNTIL_NEXT, CounterInterpolation::kUntilNext));
static_assert(same(RINGSCRIBE_COUNTER_INTERPOLATION_LINEAR, CounterInterpolation::kLinear));

static_assert(same(RINGSCRIBE_KIND_NONE, EventKind::kNone));
static_assert(same(RINGSCRIBE_KIND_RANGE_PUSH_POP, EventKind::kRangePushPop));
static_assert(same(RINGSCRIBE_KIND_RANGE_START_END, EventKind::kRangeStartEnd));
static_assert(same(RINGSCRIBE_KIND_MARK, EventKind::kMark));
static_assert(same(RINGSCRIBE_KIND_RANGE_PUSH, EventKind::kRangePush));
static_assert(same(RINGSCRIBE_KIND_RANGE_POP, EventKind::kRangePop));
static_assert(same(RINGSCRIBE_KIND_RANGE_START, EventKind::kRangeStart));
static_assert(same(RINGSCRIBE_KIND_RANGE_END, EventKind::kRangeEnd));

static_assert(same(RINGSCRIBE_SCHEMA_STATIC, SchemaType::kStatic));
static_assert(same(RINGSCRIBE_SCHEMA_DYNAMIC, SchemaType::kDynamic));
static_assert(same(RINGSCRIBE_SCHEMA_UNION, SchemaType::kUnion));
static_assert(same(RINGSCRIBE_SCHEMA_UNION_WITH_INTERNAL_SELECTOR,
                   SchemaType::kUnionWithInternalSelector));

static_assert(same(RINGSCRIBE_ROLE_FIELD, Role::kField));
static_assert(same(RINGSCRIBE_ROLE_MESSAGE, Role::kMessage));
static_assert(same(RINGSCRIBE_ROLE_TIMESTAMP, Role::kTimestamp));
static_assert(same(RINGSCRIBE_ROLE_RANGE_BEGIN, Role::kRangeBegin));
static_assert(same(RINGSCRIBE_ROLE_RANGE_END, Role::kRangeEnd));
static_assert(same(RINGSCRIBE_ROLE_MARK, Role::kMark));
static_assert(same(RINGSCRIBE_ROLE_COUNTER, Role::kCounter));

static_assert(same(RINGSCRIBE_ARRAY_NONE, ArrayForm::kNone));
static_assert(same(RINGSCRIBE_ARRAY_FIXED, ArrayForm::kFixed));
static_assert(same(RINGSCRIBE_ARRAY_ZERO_TERMINATED, ArrayForm::kZeroTerminated));
static_assert(same(RINGSCRIBE_ARRAY_LENGTH_FIELD, ArrayForm::kLengthField));
static_assert(same(RINGSCRIBE_ARRAY_LENGTH_PAYLOAD, ArrayForm::kLengthPayload));

static_assert(same(RINGSCRIBE_STORAGE_INLINE, Storage::kInline));
static_assert(same(RINGSCRIBE_STORAGE_POINTER, Storage::kPointer));
static_assert(same(RINGSCRIBE_STORAGE_OFFSET_FROM_BASE, Storage::kOffsetFromBase));
static_assert(same(RINGSCRIBE_STORAGE_OFFSET_FROM_HERE, Storage::kOffsetFromHere));
static_assert(same(RINGSCRIBE_STORAGE_FLEXIBLE, Storage::kFlexible));

static_assert(same(RINGSCRIBE_OVERFLOW_AS_PROCESS, StreamOverflow::kAsProcess));
static_assert(same(RINGSCRIBE_OVERFLOW_DROP, StreamOverflow::kDrop));
static_assert(same(RINGSCRIBE_OVERFLOW_BLOCK, StreamOverflow::kBlock));
static_assert(same(RINGSCRIBE_STREAM_INTERLEAVING_NONE, StreamInterleaving::kNone));
static_assert(same(RINGSCRIBE_STREAM_INTERLEAVING_SCOPE, StreamInterleaving::kScope));

static_assert(same(RINGSCRIBE_STREAM_ORDERING_UNKNOWN, StreamOrdering::kUnknown));
static_assert(same(RINGSCRIBE_STREAM_ORDERING_STRICT, StreamOrdering::kStrict));
static_assert(same(RINGSCRIBE_STREAM_ORDERING_PACKED_RANGE_START,
                   StreamOrdering::kPackedRangeStart));
static_assert(same(RINGSCRIBE_STREAM_ORDERING_PACKED_RANGE_END, StreamOrdering::kPackedRangeEnd));

static_assert(same(RINGSCRIBE_STREAM_SKID_NONE, StreamSkid::kNone));
static_assert(same(RINGSCRIBE_STREAM_SKID_TIME_NS, StreamSkid::kTimeNs));
static_assert(same(RINGSCRIBE_STREAM_SKID_EVENT_COUNT, StreamSkid::kEventCount));

static_assert(same(RINGSCRIBE_BATCH_SORTED, BatchOrdering::kSorted));
static_assert(same(RINGSCRIBE_BATCH_PARTIALLY_SORTED, BatchOrdering::kPartiallySorted));
static_assert(same(RINGSCRIBE_BATCH_SORTED_PER_SCOPE, BatchOrdering::kSortedPerScope));
static_assert(same(RINGSCRIBE_BATCH_UNSORTED, BatchOrdering::kUnsorted));
static_assert(same(RINGSCRIBE_BATCH_DETECT, BatchOrdering::kDetect));

static_assert(same(RINGSCRIBE_NO_VALUE_ZERO, CounterNoValueReason::kZero));
static_assert(same(RINGSCRIBE_NO_VALUE_UNCHANGED, CounterNoValueReason::kUnchanged));
static_assert(same(RINGSCRIBE_NO_VALUE_UNAVAILABLE, CounterNoValueReason::kUnavailable));

static_assert(same(RINGSCRIBE_TIMES_EMBEDDED, SampleTimes::Form::kEmbedded));
static_assert(same(RINGSCRIBE_TIMES_EACH, SampleTimes::Form::kEach));
static_assert(same(RINGSCRIBE_TIMES_FROM, SampleTimes::Form::kFrom));
static_assert(same(RINGSCRIBE_TIMES_UNTIL, SampleTimes::Form::kUntil));

static_assert(same(RINGSCRIBE_LOSS_RING_FULL, LossCause::kRingFull));
static_assert(same(RINGSCRIBE_LOSS_TOO_LARGE, LossCause::kTooLarge));
static_assert(same(RINGSCRIBE_LOSS_MEMORY_LIMIT, LossCause::kMemoryLimit));
static_assert(same(RINGSCRIBE_LOSS_STREAM_CLOSED, LossCause::kStreamClosed));
static_assert(same(RINGSCRIBE_LOSS_NESTED, LossCause::kNested));
static_assert(same(RINGSCRIBE_LOSS_REJECTED, LossCause::kRejected));
static_assert(same(RINGSCRIBE_LOSS_INVALID, LossCause::kInvalid));

}  // namespace
}  // namespace ringscribe
