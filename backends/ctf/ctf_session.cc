// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/ctf_session.h"

#include <exception>
#include <string>
#include <utility>

#include "ringscribe/backends/ctf/ctf_sink.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/output/output_folder.h"
#include "ringscribe/backends/output/output_path.h"

namespace ringscribe::ctf {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_ctf_session(
    const nvtxw::SessionConfig& config) {
  try {
    const std::string path = output::output_path(config.output, config.name, ".ctf");
    auto folder = output::OutputFolder::create(path, folder_mark());
    if (!folder.ok()) return folder.status().with_context("ctf");
    auto sink = std::make_unique<CtfSink>(std::move(folder).value());
    return std::unique_ptr<nvtxw::SessionBackend>(
        std::make_unique<model::Model>(std::move(sink), config.name));
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed,
                  "ctf: opening session \"" + config.name + "\" failed: " + error.what());
  }
}

}  // namespace ringscribe::ctf
