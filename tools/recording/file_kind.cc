// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recording/file_kind.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

struct Kind {
  std::string_view begin;
  std::string_view name;
};

constexpr std::array kKinds = {
    Kind{"SQLite format 3\0"sv, "an SQLite database"},
    Kind{"\x7f"
         "ELF"sv,
         "a program or library"},
    Kind{"\x1f\x8b"sv, "a gzip file"},
    Kind{"\x28\xb5\x2f\xfd"sv, "a zstd file"},
    Kind{"PK\x03\x04"sv, "a zip file"},
    Kind{"{\""sv, "JSON"},
    Kind{"[\n"sv, "JSON"},
    Kind{"[{"sv, "JSON"},
};

// The first field of a Perfetto trace, a packet.
constexpr std::string_view kPacket = "\x0a";
constexpr std::string_view kWanted =
    "; journals (.rsj) and Perfetto traces (.pftrace) are read here: RINGSCRIBE_BACKEND=journal or "
    "`ringscribe run --format journal` record one";

Status refuse(const std::string& path, const std::string& what) {
  return Status(ResultCode::kInvalidArgument, "cannot read \"" + path + "\": it is " + what);
}

Status refuse_folder(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path / "metadata", ignored))
    return refuse(path, "a CTF trace" + std::string(kWanted));
  return refuse(path,
                "a folder; name a file in it. (What a process that crashed has left in "
                "RINGSCRIBE_CRASH_DIR is made a file by `ringscribe recover`.)");
}

}  // namespace

Result<FileKind> recording_kind(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return refuse_folder(path);
  if (!fs::is_regular_file(status)) return FileKind::kJournal;  // a pipe can be read only once
  std::array<char, 16> bytes = {};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  const std::string_view begin(bytes.data(), static_cast<size_t>(file.gcount()));
  if (begin.starts_with(kPacket)) return FileKind::kPerfettoTrace;
  for (const Kind& kind : kKinds) {
    if (begin.starts_with(kind.begin))
      return refuse(path, std::string(kind.name) + std::string(kWanted));
  }
  return FileKind::kJournal;
}

}  // namespace ringscribe::tools
