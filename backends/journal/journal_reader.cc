// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/journal_reader.h"

#include <cstring>
#include <memory>

#include "ringscribe/backends/journal/byte_codec.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/frame_reader.h"
#include "ringscribe/backends/journal/frame_replayer.h"

namespace ringscribe::journal {
namespace {

// The session frame, which is the first of every journal.
Status read_session(const std::string& path, FrameReader& reader, JournalInfo* info) {
  Frame frame;
  switch (reader.next(&frame)) {
    case FrameReader::Next::kFrame:
      break;
    case FrameReader::Next::kDamaged:
      return Status(ResultCode::kFailed, "cannot read \"" + path + "\": " + reader.damage());
    default:
      return Status(ResultCode::kFailed, "cannot read \"" + path +
                                             "\": it is truncated before its session; nothing "
                                             "can be had of it");
  }
  Decoder decoder(frame.payload);
  std::string_view name;
  std::string_view format;
  uint32_t keys = 0;
  decoder.view(name);
  decoder.view(format);
  decoder.number(keys);
  info->major = reader.header().major;
  info->minor = reader.header().minor;
  info->session_name = name;
  info->format = format;
  for (uint32_t i = 0; i < keys && decoder.ok(); ++i) {
    std::string_view key;
    std::string_view value;
    decoder.view(key);
    decoder.view(value);
    info->config.emplace_back(key, value);
  }
  if (frame.type != FrameType::kSession || frame.codec != FrameCodec::kPlain || !decoder.ok()) {
    return Status(ResultCode::kFailed,
                  "cannot read \"" + path + "\": it is damaged, its first frame is no session");
  }
  return Status();
}

void note_rejection(const Status& status, ReplaySummary* summary) {
  if (status.ok()) return;
  if (summary->rejected++ == 0) summary->first_rejection = status;
}

void note_damage(std::string why, ReplaySummary* summary) {
  summary->damaged = true;
  summary->damage = std::move(why);
}

// Handles the end frame; nothing may follow it.
void finish(const Frame& frame, FrameReader& reader, ReplaySummary* summary) {
  EndPayload end = {};
  if (frame.payload.size() >= sizeof(end)) {
    std::memcpy(&end, frame.payload.data(), sizeof(end));
    summary->null_pointers = end.null_pointers;
    summary->skipped_extensions = end.skipped_extensions;
  }
  summary->finished = true;
  Frame beyond;
  if (reader.next(&beyond) != FrameReader::Next::kEnd) {
    note_damage("the journal goes on behind its end, at byte " + std::to_string(summary->bytes),
                summary);
  }
}

// True if the replay goes on with the next frame.
bool step(FrameReader& reader, FrameReplayer& replayer, ReplaySummary* summary) {
  Frame frame;
  switch (reader.next(&frame)) {
    case FrameReader::Next::kFrame:
      break;
    case FrameReader::Next::kDamaged:
      note_damage(reader.damage(), summary);
      return false;
    case FrameReader::Next::kEnd:
    case FrameReader::Next::kTruncated:
      summary->truncated = true;
      return false;
  }
  if (frame.type == FrameType::kEnd && frame.codec == FrameCodec::kPlain) {
    ++summary->frames;
    summary->bytes = reader.bytes();
    finish(frame, reader, summary);
    return false;
  }
  switch (replayer.replay(frame)) {
    case FrameReplayer::Outcome::kDone:
      note_rejection(replayer.status(), summary);
      break;
    case FrameReplayer::Outcome::kUnknown:
      ++summary->unknown_frames;
      break;
    case FrameReplayer::Outcome::kMalformed:
      note_damage("the journal is damaged at byte " + std::to_string(frame.file_offset) + ": " +
                      replayer.problem(),
                  summary);
      return false;
  }
  ++summary->frames;
  summary->bytes = reader.bytes();
  return true;
}

}  // namespace

Result<JournalInfo> read_header(const std::string& path) {
  Result<std::unique_ptr<FrameReader>> reader = FrameReader::open(path);
  if (!reader.ok()) return reader.status();
  JournalInfo info;
  const Status read = read_session(path, *reader.value(), &info);
  if (!read.ok()) return read;
  return info;
}

Result<ReplaySummary> replay(const std::string& path, nvtxw::SessionBackend& target,
                             const ReplayOptions& options) {
  Result<std::unique_ptr<FrameReader>> reader = FrameReader::open(path);
  if (!reader.ok()) return reader.status();
  ReplaySummary summary;
  const Status read = read_session(path, *reader.value(), &summary.info);
  if (!read.ok()) return read;
  summary.frames = 1;
  summary.bytes = reader.value()->bytes();
  FrameReplayer replayer(target);
  do {
    // Relaxed: it says nothing of other memory.
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
      summary.stopped = true;
      return summary;
    }
    if (options.progress) options.progress(summary.bytes);
  } while (summary.bytes < options.bytes_max && step(*reader.value(), replayer, &summary));
  summary.end_status = target.end();
  return summary;
}

}  // namespace ringscribe::journal
