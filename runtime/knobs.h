// SPDX-License-Identifier: Apache-2.0
//
// The environment variables that tune the runtime: one table, read once (README, "Knobs").
//
//   const Settings& settings = ...;  read_settings(get_environment, warn)
//
// A value that cannot be used is reported once with the variable, the value, what is accepted and
// what is used instead; the default stands. Case does not matter. Sizes take K, M, G (also KB or
// KiB, powers of 1024), times ns, us, ms, s, switches 1/yes/true/on and 0/no/false/off.
// Threads: read_settings() from one; Settings is a value.
#ifndef RINGSCRIBE_RUNTIME_KNOBS_H_
#define RINGSCRIBE_RUNTIME_KNOBS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

enum class Overflow : uint8_t { kDrop, kBlock, kOverwrite };

struct Settings {
  bool enabled = true;
  String backend;  // empty: not set
  String output;   // empty: not set
  uint64_t ring_bytes = uint64_t{2} << 20;
  uint64_t memory_limit_bytes = uint64_t{256} << 20;
  Overflow overflow = Overflow::kDrop;
  uint64_t block_timeout_ns = 100'000'000;  // 0: no bound
  uint64_t snapshot_bytes = uint64_t{64} << 20;
  uint64_t snapshot_ns = 0;        // 0: any time
  int snapshot_signal = 0;         // 0: none
  uint64_t snapshot_range_ns = 0;  // 0: none
  uint64_t flush_interval_ns = 10'000'000;
  uint64_t flush_watermark_percent = 50;  // 0: never wakes
  uint64_t batch_events_max = 4096;
  String crash_dir;            // empty: off
  String flusher_cpus;         // empty: any
  String domains, categories;  // filters of the injection library; empty: all
  ClockChoice clock = ClockChoice::kAuto;
  bool huge_pages = true;
  LogLevel log_level = LogLevel::kWarn;
  // No knob: how long exit() may be held by a backend that does not come back.
  uint64_t exit_wait_ns = 10'000'000'000;
};

enum class KnobUnit : uint8_t {
  kSwitch,
  kText,
  kPath,
  kBytes,
  kNanoseconds,
  kPercent,
  kCount,
  kWord
};

struct Knob {
  const char* name;           // "RINGSCRIBE_BUFFER_SIZE"
  const char* default_value;  // as a user would type it
  KnobUnit unit;
  uint64_t min;
  uint64_t max;
  const char* words;  // kWord: the accepted ones, separated by ' '
  const char* meaning;
};

// All knobs, in the order of the README's table.
std::span<const Knob> knobs() noexcept;

using GetEnvironment = const char* (*)(const char* name);
using Warn = void (*)(const char* sentence);

// Reads every knob through `get`, which returns nullptr for an unset one.
Settings read_settings(GetEnvironment get, Warn warn);
// Names of variables in `environment` (as environ) that begin with RINGSCRIBE_ and are no knob are
// warned about.
void warn_of_unknown(const char* const* environment, Warn warn);
// The value in force of `knob`, as a user would type it.
String effective_value(const Knob& knob, const Settings& settings);

// --- The parsers, for tests and other front ends. Each returns false on what it cannot use.
bool parse_switch(std::string_view text, bool& value) noexcept;
bool parse_bytes(std::string_view text, uint64_t& value) noexcept;
bool parse_nanoseconds(std::string_view text, uint64_t& value) noexcept;
bool parse_percent(std::string_view text, uint64_t& value) noexcept;
bool parse_count(std::string_view text, uint64_t& value) noexcept;
// "0,2-3": true if it is a list of CPU numbers below `cpus_max`; calls `use` for each.
bool parse_cpu_list(std::string_view text, unsigned cpus_max, void (*use)(void*, unsigned),
                    void* context) noexcept;

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_KNOBS_H_
