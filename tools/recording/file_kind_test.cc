// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recording/file_kind.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

struct Folder {
  fs::path path = fs::path(std::getenv("TEST_TMPDIR")) / "file_kind";
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(std::string_view bytes) const {
    std::ofstream(path / "file", std::ios::binary) << bytes;
    return path / "file";
  }
};

TEST_CASE("journals and Perfetto traces are known by their first bytes") {
  const Folder folder;
  CHECK(recording_kind(folder.file("\xD7RSJ\r\n\x1A\n")).value() == FileKind::kJournal);
  CHECK(recording_kind(folder.file("\x0a\x10....")).value() == FileKind::kPerfettoTrace);
}

TEST_CASE("an empty file, no file and a device are left to whoever reads them") {
  const Folder folder;
  CHECK(recording_kind(folder.file("")).value() == FileKind::kJournal);
  CHECK(recording_kind(folder.path / "none").value() == FileKind::kJournal);
  CHECK(recording_kind("/dev/null").value() == FileKind::kJournal);
}

TEST_CASE("what is something else is named") {
  const Folder folder;
  const auto said = [&](std::string_view bytes) {
    return recording_kind(folder.file(bytes)).status().message();
  };
  CHECK_THAT(said({"SQLite format 3\0....", 20}), Contains("an SQLite database"));
  CHECK_THAT(said("\x7f"
                  "ELF.."),
             Contains("a program"));
  CHECK_THAT(said("{\"traceEvents\": []}"), Contains("is JSON"));
  CHECK_THAT(said("{\"traceEvents\": []}"), Contains("RINGSCRIBE_BACKEND=journal"));
  CHECK_THAT(said("\x1f\x8b.."), Contains("a gzip file"));
}

TEST_CASE("of folders, a CTF trace is known") {
  const Folder folder;
  CHECK_THAT(recording_kind(folder.path).status().message(), Contains("recover"));
  std::ofstream(folder.path / "metadata") << "/* CTF 1.8 */";
  CHECK_THAT(recording_kind(folder.path).status().message(), Contains("a CTF trace"));
}

}  // namespace
}  // namespace ringscribe::tools
