// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/bytes.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace ringscribe::ctf {
namespace {

TEST_CASE("numbers are little-endian and without gaps") {
  std::string out;
  put(out, uint8_t{1});
  put(out, uint32_t{0x05040302});
  put(out, int16_t{-2});
  CHECK(out == std::string("\x01\x02\x03\x04\x05\xfe\xff", 7));
  put_at(out, 1, uint16_t{0x0a0b});
  CHECK(out == std::string("\x01\x0b\x0a\x04\x05\xfe\xff", 7));
}

}  // namespace
}  // namespace ringscribe::ctf
