// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/sink_session.h"

#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ringscribe/backends/model/recording_sink.h"

namespace ringscribe::model {
namespace {

struct Opened {
  std::vector<std::string> paths;
  RecordingSink::Log log;

  Result<std::unique_ptr<nvtxw::SessionBackend>> open(nvtxw::SessionConfig config) {
    return open_sink_session(config, {"text", ".txt"}, [this](const std::string& path) {
      paths.push_back(path);
      return Result<std::unique_ptr<EventSink>>(std::make_unique<RecordingSink>(log));
    });
  }
};

TEST_CASE("the output's path, or one made of the session's name, without rotation") {
  Opened opened;
  nvtxw::SessionConfig config;
  config.name = "run 7";
  REQUIRE(opened.open(config).ok());
  config.output = "out/x.txt";
  auto session = opened.open(config);
  REQUIRE(session.ok());
  CHECK(opened.paths == std::vector<std::string>{"run 7.txt", "out/x.txt"});
  CHECK(opened.log.session == "run 7");
  CHECK((*session)->end().ok());
}

TEST_CASE("with rotation, the first part's path") {
  Opened opened;
  nvtxw::SessionConfig config;
  config.output = "out/x.txt";
  config.other = {{"other", "1"}, {"rotate", "1MiB,5s"}};
  REQUIRE(opened.open(config).ok());
  CHECK(opened.paths == std::vector<std::string>{"out/x-0001.txt"});
}

TEST_CASE("a rotation that cannot be read is refused, with what can") {
  Opened opened;
  nvtxw::SessionConfig config;
  config.other = {{"rotate", "5 days"}};
  const auto session = opened.open(config);
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == ResultCode::kInvalidArgument);
  CHECK(session.status().message().find("text: rotate=5 days is not known") != std::string::npos);
  CHECK(session.status().message().find("512MiB,60s") != std::string::npos);
  CHECK(opened.paths.empty());
}

TEST_CASE("a sink that cannot be opened, or throws, is a failure with the format's name") {
  const nvtxw::SessionConfig config;
  const auto refused = open_sink_session(config, {"text", ".txt"}, [](const std::string&) {
    return Result<std::unique_ptr<EventSink>>(Status(ResultCode::kFailed, "no disk"));
  });
  CHECK(refused.status().message() == "no disk");
  const auto thrown = open_sink_session(
      config, {"text", ".txt"}, [](const std::string&) -> Result<std::unique_ptr<EventSink>> {
        throw std::runtime_error("no luck");
      });
  CHECK(thrown.status().message().find("no luck") != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::model
