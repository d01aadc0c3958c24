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

TEST_CASE("a journal, an empty file and no file are left to whoever reads them") {
  const Folder folder;
  CHECK(check_file_kind(folder.file("\xD7RSJ\r\n\x1A\n")).ok());
  CHECK(check_file_kind(folder.file("")).ok());
  CHECK(check_file_kind(folder.path / "none").ok());
  CHECK(check_file_kind("/dev/null").ok());
}

TEST_CASE("what is something else is named") {
  const Folder folder;
  const auto said = [&](std::string_view bytes) {
    return check_file_kind(folder.file(bytes)).message();
  };
  CHECK_THAT(said({"SQLite format 3\0....", 20}), Contains("an SQLite database"));
  CHECK_THAT(said("\x7f"
                  "ELF.."),
             Contains("a program"));
  CHECK_THAT(said("{\"traceEvents\": []}"), Contains("is JSON"));
  CHECK_THAT(said("\x0a\x10...."), Contains("a Perfetto trace"));
  CHECK_THAT(said("\x0a\x10...."), Contains("RINGSCRIBE_BACKEND=journal"));
  CHECK_THAT(said("\x1f\x8b.."), Contains("a gzip file"));
}

TEST_CASE("of folders, a CTF trace is known") {
  const Folder folder;
  CHECK_THAT(check_file_kind(folder.path).message(), Contains("recover"));
  std::ofstream(folder.path / "metadata") << "/* CTF 1.8 */";
  CHECK_THAT(check_file_kind(folder.path).message(), Contains("a CTF trace"));
}

}  // namespace
}  // namespace ringscribe::tools
