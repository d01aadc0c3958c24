// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/factory.h"

#include <catch2/catch.hpp>
#include <set>

namespace ringscribe {
namespace {

TEST_CASE("each format has a name of its own, an opener, and the default is one of them") {
  std::set<std::string_view> names;
  for (const nvtxw::BackendFormat& format : backend_formats().formats) {
    CHECK(names.insert(format.name).second);
    CHECK(format.open != nullptr);
    CHECK(find_backend_format(format.name) == &format);
  }
  CHECK(backend_formats().default_format == "perfetto");
  CHECK(names.count(backend_formats().default_format) == 1);
  CHECK(find_backend_format("Perfetto") == nullptr);
}

TEST_CASE("the fixed extensions stand") {
  REQUIRE(find_backend_format("perfetto") != nullptr);
  REQUIRE(find_backend_format("journal") != nullptr);
  REQUIRE(find_backend_format("chrome") != nullptr);
  REQUIRE(find_backend_format("sqlite") != nullptr);
  REQUIRE(find_backend_format("ctf") != nullptr);
  REQUIRE(find_backend_format("null") != nullptr);
  CHECK(find_backend_format("perfetto")->extension == ".pftrace");
  CHECK(find_backend_format("journal")->extension == ".rsj");
  CHECK(find_backend_format("chrome")->extension == ".json");
  CHECK(find_backend_format("sqlite")->extension == ".sqlite");
  CHECK(find_backend_format("ctf")->extension == ".ctf");
  CHECK(find_backend_format("null")->extension.empty());
}

TEST_CASE("only version 2 is given, and a place for it is needed") {
  const void* out = &out;
  CHECK(get_backends_interface(2, nullptr) == NVTXW_RESULT_INVALID_ARGUMENT);
  for (const int32_t version : {0, 1, 3, -2}) {
    out = &out;
    CHECK(get_backends_interface(version, &out) == NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED);
    CHECK(out == nullptr);
  }
  CHECK(get_backends_interface(2, &out) == NVTXW_RESULT_SUCCESS);
  CHECK(out == backends_interface());
}

TEST_CASE("a session of the null backend begins and ends through the table") {
  const nvtxwInterface_v2_t& table = *backends_interface();
  const nvtxwSessionAttributes_t attr{sizeof attr, "s", "format=null"};
  nvtxwSessionHandle_t session = nullptr;
  REQUIRE(table.SessionBegin(&attr, &session) == NVTXW_RESULT_SUCCESS);
  CHECK(session != nullptr);
  CHECK(table.SessionEnd(session) == NVTXW_RESULT_SUCCESS);
}

}  // namespace
}  // namespace ringscribe
