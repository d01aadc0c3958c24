// SPDX-License-Identifier: Apache-2.0
//
// TimeDomain: which clock a timestamp is of: a predefined timestamp type, or a clock that was
// registered with Domain::get_time_domain. Cheap to copy.
//
//   Stream gpu = session->create_stream(
//       "gpu", {.domain = domain, .time_domain = TimestampType::kGpuGlobaltimer});
//   TimeDomain nic = domain.get_time_domain({.scope = port, .ticks_per_second = 1'250'000'000});
//   gpu.write_sync_point(nic, TimestampType::kCpuClockMonotonic, nic_ticks, host_ns);
//
// Source: nvToolsExtPayload.h, NVTX_TIMESTAMP_TYPE_* and nvtxTimeDomainAttr_t.
#ifndef RINGSCRIBE_API_TIME_DOMAIN_H_
#define RINGSCRIBE_API_TIME_DOMAIN_H_

#include <cstdint>

#include "ringscribe/scope.h"

namespace ringscribe {

// nvtx.TimestampType, with NVTX's numbers.
enum class TimestampType : uint64_t {
  kNone = 0,  // not known; two sync points tell what it is
  kToolProvided = 1,
  kCpuTsc = 10,
  kCpuTscNonvirtualized = 11,
  kCpuClockRealtime = 12,
  kCpuClockRealtimeCoarse = 13,
  kCpuClockMonotonic = 14,
  kCpuClockMonotonicRaw = 15,
  kCpuClockMonotonicCoarse = 16,
  kCpuClockBoottime = 17,
  kCpuClockProcessCputime = 18,
  kCpuClockThreadCputime = 19,
  kWinQpc = 30,
  kWinGstaft = 31,
  kWinGstaftp = 32,
  kCTime = 40,
  kCClock = 41,
  kCTimespecGet = 42,
  kCppSteadyClock = 50,
  kCppHighResolutionClock = 51,
  kCppSystemClock = 52,
  kCppUtcClock = 53,
  kCppTaiClock = 54,
  kCppGpsClock = 55,
  kCppFileClock = 56,
  kGpuGlobaltimer = 80,
};

class TimeDomain {
 public:
  constexpr TimeDomain() noexcept = default;         // not known
  constexpr TimeDomain(TimestampType type) noexcept  // NOLINT: implicit on purpose
      : id_(static_cast<uint64_t>(type)) {}
  // False for one that could not be had (Domain::status() says why).
  constexpr bool ok() const noexcept { return id_ != 0; }
  // The ID for NVTX.
  constexpr uint64_t id() const noexcept { return id_; }

 private:
  friend class Domain;
  friend class Session;
  friend class Stream;
  constexpr TimeDomain(uint64_t id, uint32_t domain) noexcept : id_(id), domain_(domain) {}

  uint64_t id_ = 0;
  uint32_t domain_ = 0;  // 0: predefined
};

// What a clock's value 0 means (NVTX_TIMER_START_*).
enum class TimerStart : uint64_t {
  kUnknown = 0,
  kSystemBoot = 1,
  kVmBoot = 2,
  kUnixEpoch = 3,
  kWinFiletime = 4,
};

struct TimeDomainOptions {
  TimestampType type = TimestampType::kNone;  // what kind of clock it is
  Scope scope = {};                           // where the clock is
  bool is_monotonic = false;                  // never goes back (NVTX_TIMER_FLAG_CLOCK_MONOTONIC)
  bool is_steady = false;                     // ticks at a constant rate (…_CLOCK_STEADY)
  int64_t ticks_per_second = 0;               // 0: not known
  TimerStart start = TimerStart::kUnknown;
  uint64_t static_id = 0;  // in [2^24, 2^31); 0: one of ours
};

// The same moment in two time domains.
struct SyncPoint {
  int64_t source;
  int64_t destination;
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_TIME_DOMAIN_H_
