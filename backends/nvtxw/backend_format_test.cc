// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/backend_format.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/nvtxw/fake_session.h"

namespace ringscribe::nvtxw {
namespace {

SessionConfig seen;

Result<std::unique_ptr<SessionBackend>> open_fake(const SessionConfig& config) {
  static FakeSession::Journal journal;
  seen = config;
  return std::unique_ptr<SessionBackend>(std::make_unique<FakeSession>(&journal));
}

Result<std::unique_ptr<SessionBackend>> refuse(const SessionConfig&) {
  return Status(ResultCode::kNotSupported, "refused as told");
}

constexpr std::string_view kKeys[] = {"level"};
constexpr BackendFormat kFormats[] = {{"fake", ".fake", open_fake, kKeys},
                                      {"refusing", "", refuse, {}}};
constexpr FormatTable kTable = {kFormats, "fake"};

TEST_CASE("the default format is opened with the whole configuration") {
  REQUIRE(open_backend(kTable, "s", "output=o|level=3|other=1").ok());
  CHECK(seen.name == "s");
  CHECK(seen.format == "fake");
  CHECK(seen.output == "o");
  CHECK(seen.other.size() == 2);
}

TEST_CASE("without the key, the extension of the output names the format") {
  constexpr BackendFormat formats[] = {{"one", ".one", open_fake, {}},
                                       {"two", ".two", open_fake, {}}};
  const FormatTable table = {formats, "one"};
  REQUIRE(open_backend(table, "s", "output=a.one/b.two").ok());
  CHECK(seen.format == "two");
  REQUIRE(open_backend(table, "s", "output=a.two|format=one").ok());
  CHECK(seen.format == "one");
  REQUIRE(open_backend(table, "s", "output=a.three").ok());
  CHECK(seen.format == "one");
}

TEST_CASE("a format that does not exist is refused with those that do") {
  const Status status = open_backend(kTable, "s", "format=nonsense").status();
  CHECK(status.code() == ResultCode::kInvalidArgument);
  CHECK(status.message().find("'nonsense'") != std::string::npos);
  CHECK(status.message().find("fake, refusing") != std::string::npos);
}

TEST_CASE("a backend's own failure comes through unchanged") {
  const Status status = open_backend(kTable, "s", "format=refusing").status();
  CHECK(status.code() == ResultCode::kNotSupported);
  CHECK(status.message() == "refused as told");
}

}  // namespace
}  // namespace ringscribe::nvtxw
