// SPDX-License-Identifier: Apache-2.0
//
// What the sessions of all sinks have in common: where the output goes, whether it is rotated
// (key `rotate`) or written on a thread of its own, and the model in front.
//
//   return open_sink_session(config, {"perfetto", ".pftrace"}, [options](const std::string& path) {
//     ... return Result<std::unique_ptr<EventSink>>(...);
//   });
//
// Threads: any. Errors: kInvalidArgument for a `rotate` that cannot be read, else as `open_sink`;
// an exception becomes a Status.
#ifndef RINGSCRIBE_BACKENDS_MODEL_SINK_SESSION_H_
#define RINGSCRIBE_BACKENDS_MODEL_SINK_SESSION_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/session_config.h"

namespace ringscribe::model {

inline constexpr std::string_view kRotateKey = "rotate";

struct SinkFormat {
  std::string_view name;       // for messages
  std::string_view extension;  // with its dot
};

// Called for each file of the session.
using OpenSink = std::function<Result<std::unique_ptr<EventSink>>(const std::string& path)>;

Result<std::unique_ptr<nvtxw::SessionBackend>> open_sink_session(const nvtxw::SessionConfig& config,
                                                                 const SinkFormat& format,
                                                                 OpenSink open_sink);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_SINK_SESSION_H_
