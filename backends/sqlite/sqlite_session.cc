// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/sqlite_session.h"

#include <exception>
#include <string>
#include <utility>

#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/output/output_path.h"
#include "ringscribe/backends/sqlite/sqlite_sink.h"

namespace ringscribe::sqlite {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_sqlite_session(
    const nvtxw::SessionConfig& config) {
  try {
    SinkOptions options;
    for (const auto& [key, value] : config.other) {
      if (key != kIndexesKey) continue;
      options.make_indexes = value == "end";
      if (options.make_indexes || value == "none") continue;
      return Status(ResultCode::kInvalidArgument,
                    "sqlite: sqlite_indexes=" + value + " is not known; write end or none");
    }
    auto sink =
        SqliteSink::create(output::output_path(config.output, config.name, kExtension), options);
    if (!sink.ok()) return sink.status();
    return std::unique_ptr<nvtxw::SessionBackend>(
        std::make_unique<model::Model>(std::move(sink).value(), config.name));
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed,
                  "sqlite: opening session \"" + config.name + "\" failed: " + error.what());
  }
}

}  // namespace ringscribe::sqlite
