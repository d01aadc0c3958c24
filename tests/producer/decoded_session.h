// SPDX-License-Identifier: Apache-2.0
//
// DecodedSession: a session of the C++ API whose backend is the model with a recording sink, in
// this process: what a viewer would be told of what the API was given.
//
//   DecodedSession s;
//   Stream stream = s.session.create_stream("stream");
//   stream.write_mark(5, {.message = "hello"});
//   const auto& events = s.events();            // ends the session
//
// One at a time. Nothing runs on another thread but what the test starts, unless it asks for a
// flusher with Drive::kThread.
#ifndef RINGSCRIBE_TESTS_PRODUCER_DECODED_SESSION_H_
#define RINGSCRIBE_TESTS_PRODUCER_DECODED_SESSION_H_

#include <ringscribe/ringscribe.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/nvtxw/interface_table.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe::testing {

class DecodedSession {
 public:
  using Log = model::RecordingSink::Log;

  using Drive = runtime::Runtime::Drive;
  explicit DecodedSession(const runtime::Settings& settings = {}, Drive drive = Drive::kByHand)
      : runtime_(settings, drive), session(begin()) {}

  // Ends the session. What our own stream `ringscribe` says is left out: see own_messages().
  const Log& end() {
    const Status status = session.end();
    if (!status.ok()) log().problems[status.message()] += 1;
    for (const auto& event : log().events)
      if (event.domain == "ringscribe") own_messages_.push_back(event.message);
    std::erase_if(log().events, [](const auto& event) { return event.domain == "ringscribe"; });
    return log();
  }
  const std::vector<std::string>& own_messages() const { return own_messages_; }
  const std::vector<model::RecordingSink::RecordedEvent>& events() { return end().events; }

 private:
  static Log& log() {
    static Log log;
    return log;
  }
  static Session begin() {
    log() = Log();
    return *Session::begin("decoded", {.interface = interface()});
  }
  static const nvtxwInterface_v2_t* interface() {
    static constexpr nvtxw::BackendFormat kFormats[] = {
        {"decoded",
         "",
         [](const nvtxw::SessionConfig& config) -> Result<std::unique_ptr<nvtxw::SessionBackend>> {
           std::unique_ptr<nvtxw::SessionBackend> backend = std::make_unique<model::Model>(
               std::make_unique<model::RecordingSink>(log()), config.name);
           return backend;
         },
         {}}};
    static constexpr nvtxw::FormatTable kTable = {kFormats, "decoded"};
    return nvtxw::make_interface(&kTable);
  }

  runtime::Runtime runtime_;
  std::vector<std::string> own_messages_;

 public:
  Session session;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_PRODUCER_DECODED_SESSION_H_
