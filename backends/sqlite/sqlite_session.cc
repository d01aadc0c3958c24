// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/sqlite_session.h"

#include <memory>
#include <string>
#include <utility>

#include "ringscribe/backends/model/sink_session.h"
#include "ringscribe/backends/sqlite/sqlite_sink.h"

namespace ringscribe::sqlite {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_sqlite_session(
    const nvtxw::SessionConfig& config) {
  SinkOptions options;
  for (const auto& [key, value] : config.other) {
    if (key != kIndexesKey) continue;
    options.make_indexes = value == "end";
    if (options.make_indexes || value == "none") continue;
    return Status(ResultCode::kInvalidArgument,
                  "sqlite: sqlite_indexes=" + value + " is not known; write end or none");
  }
  using Opened = Result<std::unique_ptr<model::EventSink>>;
  return model::open_sink_session(config, {"sqlite", kExtension},
                                  [options](const std::string& path) -> Opened {
                                    auto sink = SqliteSink::create(path, options);
                                    if (!sink.ok()) return sink.status();
                                    return Opened(std::move(sink).value());
                                  });
}

}  // namespace ringscribe::sqlite
