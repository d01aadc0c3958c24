// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/knobs.h"

#include <signal.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace ringscribe::runtime {
namespace {

std::map<std::string, std::string> g_environment;
std::vector<std::string> g_warnings;

Settings read(std::map<std::string, std::string> environment) {
  g_environment = std::move(environment);
  g_warnings.clear();
  return read_settings(
      [](const char* name) -> const char* {
        const auto at = g_environment.find(name);
        return at == g_environment.end() ? nullptr : at->second.c_str();
      },
      [](const char* sentence) { g_warnings.push_back(sentence); });
}

TEST_CASE("with nothing set, the defaults of the table are in force and nothing is warned of") {
  const Settings settings = read({});
  CHECK(g_warnings.empty());
  for (const Knob& knob : knobs()) {
    // Every default, as a user would type it, reads back as itself.
    if (knob.default_value[0] == '\0' || knob.unit == KnobUnit::kPath) continue;
    INFO(knob.name);
    const String effective = effective_value(knob, settings);
    CHECK(std::string(effective) == knob.default_value);
    read({{knob.name, knob.default_value}});
    CHECK(g_warnings.empty());
  }
}

TEST_CASE("sizes take suffixes in powers of 1024, whatever the case") {
  CHECK(read({{"RINGSCRIBE_BUFFER_SIZE", "8mb"}}).ring_bytes == 8u << 20);
  CHECK(read({{"RINGSCRIBE_BUFFER_SIZE", "64KiB"}}).ring_bytes == 64u << 10);
  CHECK(read({{"RINGSCRIBE_BUFFER_SIZE", "1G"}}).ring_bytes == 1u << 30);
  CHECK(read({{"RINGSCRIBE_BUFFER_SIZE", " 16 K "}}).ring_bytes == 16u << 10);
  CHECK(g_warnings.empty());
}

TEST_CASE("a ring's size is rounded up to a power of two") {
  CHECK(read({{"RINGSCRIBE_BUFFER_SIZE", "100K"}}).ring_bytes == 128u << 10);
}

TEST_CASE("a value that cannot be used keeps the default and is warned of once, by name") {
  for (const char* bad : {"8,192", "-1", "", "1e3", "99999999999999999999", "eight", "1TB", "15K",
                          "0", "8 mb x", "0x1000", "1.5M"}) {
    INFO(bad);
    CHECK(read({{"RINGSCRIBE_BUFFER_SIZE", bad}}).ring_bytes == 2u << 20);
    REQUIRE(g_warnings.size() == 1);
    CHECK(g_warnings[0].find("RINGSCRIBE_BUFFER_SIZE=\"" + std::string(bad) + "\"") == 0);
    CHECK(g_warnings[0].find("from 16KiB to 1GiB") != std::string::npos);
    CHECK(g_warnings[0].find("using 2MiB") != std::string::npos);
  }
}

TEST_CASE("switches take 1, yes, true, on and their opposites") {
  for (const char* yes : {"1", "yes", "TRUE", "On"})
    CHECK(read({{"RINGSCRIBE_ENABLED", yes}}).enabled);
  for (const char* no : {"0", "NO", "false", "off"})
    CHECK_FALSE(read({{"RINGSCRIBE_ENABLED", no}}).enabled);
  CHECK(g_warnings.empty());
  CHECK(read({{"RINGSCRIBE_ENABLED", "2"}}).enabled);
  CHECK(g_warnings.size() == 1);
}

TEST_CASE("times take units, and 0 needs none") {
  CHECK(read({{"RINGSCRIBE_BLOCK_TIMEOUT", "0"}}).block_timeout_ns == 0);
  CHECK(read({{"RINGSCRIBE_BLOCK_TIMEOUT", "250us"}}).block_timeout_ns == 250'000);
  CHECK(read({{"RINGSCRIBE_FLUSH_INTERVAL", "1s"}}).flush_interval_ns == 1'000'000'000);
  CHECK(g_warnings.empty());
  CHECK(read({{"RINGSCRIBE_FLUSH_INTERVAL", "10"}}).flush_interval_ns == 10'000'000);
  CHECK(g_warnings.size() == 1);
}

TEST_CASE("words are those of the table") {
  CHECK(read({{"RINGSCRIBE_OVERFLOW", "Block"}}).overflow == Overflow::kBlock);
  CHECK(read({{"RINGSCRIBE_CLOCK", "monotonic"}}).clock == ClockChoice::kMonotonic);
  CHECK(read({{"RINGSCRIBE_LOG", "off"}}).log_level == LogLevel::kOff);
  CHECK(g_warnings.empty());
  CHECK(read({{"RINGSCRIBE_OVERFLOW", "overwrite"}}).overflow == Overflow::kOverwrite);
  CHECK(read({{"RINGSCRIBE_SNAPSHOT_SIGNAL", "usr1"}}).snapshot_signal == SIGUSR1);
  CHECK(g_warnings.empty());
  CHECK(read({{"RINGSCRIBE_OVERFLOW", "discard"}}).overflow == Overflow::kDrop);
  REQUIRE(g_warnings.size() == 1);
  CHECK(g_warnings[0].find("one of: drop block overwrite") != std::string::npos);
}

TEST_CASE("a CPU list is checked before the flusher needs it") {
  CHECK(read({{"RINGSCRIBE_FLUSHER_CPU", "0,2-3"}}).flusher_cpus == "0,2-3");
  CHECK(g_warnings.empty());
  for (const char* bad : {"a", "3-1", "0,", "-", "99999"}) {
    INFO(bad);
    CHECK(read({{"RINGSCRIBE_FLUSHER_CPU", bad}}).flusher_cpus.empty());
    CHECK(g_warnings.size() == 1);
  }
}

TEST_CASE("an unknown variable of our prefix is warned of, others are not") {
  g_warnings.clear();
  const char* environment[] = {"PATH=/bin", "RINGSCRIBE_BUFER_SIZE=1M", "RINGSCRIBE_LOG=warn",
                               nullptr};
  warn_of_unknown(environment, [](const char* sentence) { g_warnings.push_back(sentence); });
  REQUIRE(g_warnings.size() == 1);
  CHECK(g_warnings[0].find("RINGSCRIBE_BUFER_SIZE") == 0);
}

}  // namespace
}  // namespace ringscribe::runtime
