// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/sink_session.h"

#include <exception>
#include <utility>

#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/model/rotating_sink.h"
#include "ringscribe/backends/model/threaded_sink.h"
#include "ringscribe/backends/output/output_path.h"
#include "ringscribe/backends/output/rotation.h"

namespace ringscribe::model {
namespace {

// The sink of a session that is not rotated, or of all its parts.
Result<std::unique_ptr<EventSink>> open_all(const nvtxw::SessionConfig& config,
                                            const SinkFormat& format, const OpenSink& open_sink) {
  const std::string path = output::output_path(config.output, config.name, format.extension);
  for (const auto& [key, value] : config.other) {
    if (key != kRotateKey) continue;
    output::Rotation rotation;
    if (!output::read_rotation(value, rotation)) {
      return Status(ResultCode::kInvalidArgument,
                    std::string(format.name) + ": rotate=" + value +
                        " is not known; write a size (KiB, MiB, GiB), a time (s, min, h), or both "
                        "with a comma, such as 512MiB,60s");
    }
    const auto open_part = [path, open_sink](uint32_t part) {
      return open_sink(output::part_path(path, part));
    };
    Result<std::unique_ptr<EventSink>> first = open_part(1);
    if (!first.ok()) return first;
    return std::unique_ptr<EventSink>(std::make_unique<RotatingSink>(
        RotatingSink::Bounds{rotation.bytes, rotation.ns}, std::move(*first), open_part));
  }
  return open_sink(path);
}

}  // namespace

Result<std::unique_ptr<nvtxw::SessionBackend>> open_sink_session(const nvtxw::SessionConfig& config,
                                                                 const SinkFormat& format,
                                                                 OpenSink open_sink) {
  try {
    Result<std::unique_ptr<EventSink>> sink = open_all(config, format, open_sink);
    if (!sink.ok()) return sink.status();
    if (config.is_written_on_a_thread)
      sink = std::unique_ptr<EventSink>(std::make_unique<ThreadedSink>(std::move(*sink)));
    return std::unique_ptr<nvtxw::SessionBackend>(
        std::make_unique<Model>(std::move(*sink), config.name));
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed, std::string(format.name) + ": opening session \"" +
                                           config.name + "\" failed: " + error.what());
  }
}

}  // namespace ringscribe::model
