// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/perfetto_session.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ringscribe/backends/model/sink_session.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/perfetto/perfetto_sink.h"

namespace ringscribe::perfetto {
namespace {

constexpr std::string_view kCompressionKey = "perfetto_compression";
constexpr int kDefaultLevel = 6;

// Reads "none", "deflate" or "deflate:1" to "deflate:9". False for anything else.
bool read_compression(std::string_view value, int& level) {
  constexpr std::string_view kDeflate = "deflate";
  level = 0;
  if (value == "none") return true;
  if (!value.starts_with(kDeflate)) return false;
  value.remove_prefix(kDeflate.size());
  level = kDefaultLevel;
  if (value.empty()) return true;
  if (value.size() != 2 || value[0] != ':' || value[1] < '1' || value[1] > '9') return false;
  level = value[1] - '0';
  return true;
}

}  // namespace

Result<std::unique_ptr<nvtxw::SessionBackend>> open_perfetto_session(
    const nvtxw::SessionConfig& config) {
  SinkOptions options;
  for (const auto& [key, value] : config.other) {
    if (key != kCompressionKey || read_compression(value, options.compression_level)) continue;
    return Status(ResultCode::kInvalidArgument,
                  "perfetto: perfetto_compression=" + value +
                      " is not known; write none, deflate, or deflate: with a level of 1 to 9");
  }
  using Opened = Result<std::unique_ptr<model::EventSink>>;
  return model::open_sink_session(
      config, {"perfetto", ".pftrace"}, [options](const std::string& path) -> Opened {
        auto file = output::OutputFile::create(path, output::Finish::kRename);
        if (!file.ok()) return file.status().with_context("perfetto");
        return Opened(std::make_unique<PerfettoSink>(std::move(file).value(), options));
      });
}

}  // namespace ringscribe::perfetto
