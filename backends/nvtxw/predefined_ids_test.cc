// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/predefined_ids.h"

#include <catch2/catch.hpp>
#include <initializer_list>

namespace ringscribe::nvtxw {
namespace {

TEST_CASE("timestamp types are those of NVTX 3, with its gaps") {
  for (const uint64_t type :
       std::initializer_list<uint64_t>{0, 1, 10, 14, 19, 30, 32, 40, 42, 50, 56, 80}) {
    INFO(type);
    CHECK(is_predefined_timestamp_type(type));
  }
  for (const uint64_t type :
       std::initializer_list<uint64_t>{2, 9, 20, 29, 33, 39, 43, 49, 57, 79, 81, 1 << 24}) {
    INFO(type);
    CHECK_FALSE(is_predefined_timestamp_type(type));
  }
}

TEST_CASE("scopes are those of NVTX 3, with its gaps") {
  for (const uint64_t scope : std::initializer_list<uint64_t>{0, 1, 2, 5, 15, 16, 17, 22, 31}) {
    INFO(scope);
    CHECK(is_predefined_scope(scope));
  }
  for (const uint64_t scope : std::initializer_list<uint64_t>{6, 14, 23, 30, 32, 1 << 24}) {
    INFO(scope);
    CHECK_FALSE(is_predefined_scope(scope));
  }
}

}  // namespace
}  // namespace ringscribe::nvtxw
