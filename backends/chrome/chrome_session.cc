// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/chrome_session.h"

#include <exception>
#include <string>
#include <utility>

#include "ringscribe/backends/chrome/chrome_sink.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/output/output_path.h"

namespace ringscribe::chrome {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_chrome_session(
    const nvtxw::SessionConfig& config) {
  try {
    const std::string path = output::output_path(config.output, config.name, ".json");
    auto file = output::OutputFile::create(path, output::Finish::kInPlace);
    if (!file.ok()) return file.status().with_context("chrome");
    auto sink = std::make_unique<ChromeSink>(std::move(file).value());
    return std::unique_ptr<nvtxw::SessionBackend>(
        std::make_unique<model::Model>(std::move(sink), config.name));
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed,
                  "chrome: opening session \"" + config.name + "\" failed: " + error.what());
  }
}

}  // namespace ringscribe::chrome
