// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recording/recording.h"

#include <exception>
#include <utility>

#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/model/threaded_sink.h"
#include "ringscribe/tools/recording/file_kind.h"

namespace ringscribe::tools {

std::string warning_of(const journal::ReplaySummary& replayed) {
  std::string warning;
  const auto add = [&warning](const std::string& text) {
    warning += (warning.empty() ? "" : "; ") + text;
  };
  if (replayed.damaged) add(replayed.damage + "; only what comes before that is used");
  if (replayed.truncated)
    add("its session did not end, or the file is cut: only its " + std::to_string(replayed.bytes) +
        " bytes of whole frames are used");
  if (replayed.unknown_frames != 0)
    add(std::to_string(replayed.unknown_frames) +
        " frames are of a newer version and left out; use a newer Ringscribe");
  if (replayed.rejected != 0)
    add(std::to_string(replayed.rejected) +
        " calls were refused, the first: " + replayed.first_rejection.message());
  return warning;
}

Result<journal::JournalInfo> check_recording(const std::string& path) {
  if (Status status = check_file_kind(path); !status.ok()) return status;
  return journal::read_header(path);
}

Result<Recording> read_recording(const std::string& path, std::unique_ptr<model::EventSink> sink,
                                 const ReadOptions& options) try {
  Result<journal::JournalInfo> info = check_recording(path);
  if (!info.ok()) return info.status();
  if (options.threads > 1) sink = std::make_unique<model::ThreadedSink>(std::move(sink));
  model::Model model(std::move(sink), info->session_name);
  Result<journal::ReplaySummary> replayed =
      journal::replay(path, model, {.stop = options.stop, .progress = options.progress});
  if (!replayed.ok()) return replayed.status();
  if (!replayed->end_status.ok()) return replayed->end_status;
  Recording recording;
  recording.info = std::move(replayed->info);
  recording.stopped = replayed->stopped;
  recording.truncated = replayed->truncated || replayed->damaged;
  recording.warning = warning_of(*replayed);
  return recording;
} catch (const std::exception& error) {
  return Status(ResultCode::kFailed, "cannot read \"" + path + "\": " + error.what());
}

}  // namespace ringscribe::tools
