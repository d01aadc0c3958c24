// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/chrome_session.h"

#include <memory>
#include <string>
#include <utility>

#include "ringscribe/backends/chrome/chrome_sink.h"
#include "ringscribe/backends/model/sink_session.h"
#include "ringscribe/backends/output/output_file.h"

namespace ringscribe::chrome {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_chrome_session(
    const nvtxw::SessionConfig& config) {
  using Opened = Result<std::unique_ptr<model::EventSink>>;
  return model::open_sink_session(
      config, {"chrome", ".json"}, [](const std::string& path) -> Opened {
        auto file = output::OutputFile::create(path, output::Finish::kInPlace);
        if (!file.ok()) return file.status().with_context("chrome");
        return Opened(std::make_unique<ChromeSink>(std::move(file).value()));
      });
}

}  // namespace ringscribe::chrome
