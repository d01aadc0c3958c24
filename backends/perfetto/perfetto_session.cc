// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/perfetto_session.h"

#include <exception>
#include <string>
#include <utility>

#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/output/output_path.h"
#include "ringscribe/backends/perfetto/perfetto_sink.h"

namespace ringscribe::perfetto {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_perfetto_session(
    const nvtxw::SessionConfig& config) {
  try {
    const std::string path = output::output_path(config.output, config.name, ".pftrace");
    auto file = output::OutputFile::create(path, output::Finish::kRename);
    if (!file.ok()) return file.status().with_context("perfetto");
    auto sink = std::make_unique<PerfettoSink>(std::move(file).value());
    return std::unique_ptr<nvtxw::SessionBackend>(
        std::make_unique<model::Model>(std::move(sink), config.name));
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed,
                  "perfetto: opening session \"" + config.name + "\" failed: " + error.what());
  }
}

}  // namespace ringscribe::perfetto
