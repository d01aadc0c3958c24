// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/rotation.h"

#include <charconv>
#include <cstdio>

namespace ringscribe::output {
namespace {

constexpr uint64_t kMax = uint64_t{1} << 62;
constexpr uint64_t kSecond = 1'000'000'000;

struct Unit {
  std::string_view name;
  uint64_t factor;
  bool is_time;
};
constexpr Unit kUnits[] = {
    {"KiB", uint64_t{1} << 10, false}, {"MiB", uint64_t{1} << 20, false},
    {"GiB", uint64_t{1} << 30, false}, {"s", kSecond, true},
    {"min", 60 * kSecond, true},       {"h", 3600 * kSecond, true},
};

bool read_one(std::string_view text, Rotation& rotation) noexcept {
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) return false;
  text.remove_prefix(static_cast<size_t>(rest - text.data()));
  for (const Unit& unit : kUnits) {
    if (text != unit.name || number > kMax / unit.factor) continue;
    if (unit.is_time ? rotation.ns != 0 : rotation.bytes != 0) return false;
    if (unit.is_time) {
      rotation.ns = static_cast<int64_t>(number * unit.factor);
    } else {
      rotation.bytes = number * unit.factor;
    }
    return true;
  }
  return false;
}

}  // namespace

bool read_rotation(std::string_view text, Rotation& rotation) noexcept {
  Rotation result;
  const size_t comma = text.find(',');
  if (!read_one(text.substr(0, comma), result)) return false;
  if (comma != std::string_view::npos && !read_one(text.substr(comma + 1), result)) return false;
  rotation = result;
  return true;
}

std::string part_path(std::string_view path, uint32_t part) {
  const size_t name = path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1;
  const size_t dot = path.rfind('.');
  const bool has_extension = dot != std::string_view::npos && dot > name;
  const size_t end = has_extension ? dot : path.size();
  char number[16];
  std::snprintf(number, sizeof number, "-%04u", part);
  return std::string(path.substr(0, end)) + number + std::string(path.substr(end));
}

}  // namespace ringscribe::output
