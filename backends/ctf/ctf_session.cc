// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/ctf_session.h"

#include <memory>
#include <string>
#include <utility>

#include "ringscribe/backends/ctf/ctf_sink.h"
#include "ringscribe/backends/model/sink_session.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_ctf_session(
    const nvtxw::SessionConfig& config) {
  using Opened = Result<std::unique_ptr<model::EventSink>>;
  return model::open_sink_session(config, {"ctf", ".ctf"}, [](const std::string& path) -> Opened {
    auto folder = output::OutputFolder::create(path, folder_mark());
    if (!folder.ok()) return folder.status().with_context("ctf");
    return Opened(std::make_unique<CtfSink>(std::move(folder).value()));
  });
}

}  // namespace ringscribe::ctf
