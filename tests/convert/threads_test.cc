// SPDX-License-Identifier: Apache-2.0
//
// A conversion on two threads writes what one on one thread writes, byte by byte.
#include <sys/random.h>
#include <time.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "ringscribe/tools/convert.h"

// In the place of the C library's: no second passes, after which a sink would write what it has,
// and no two outputs differ by chance.
extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {1000, 0};
  return 0;
}
extern "C" ssize_t getrandom(void* bytes, size_t size, unsigned) {
  std::memset(bytes, 1, size);
  return static_cast<ssize_t>(size);
}

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The folder's files by name. CTF's number, which is made at random, is left out.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = bytes_of(entry.path());
  for (auto& [name, metadata] : files) {
    if (!name.ends_with("metadata")) continue;
    const std::string key = "uuid = \"";
    const std::string text = metadata.substr(metadata.find(key) + key.size(), 36);
    std::string bytes;
    for (size_t i = 0; i < text.size(); i += 2) {
      if (text[i] == '-') ++i;
      bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    }
    const std::string beside = name.substr(0, name.size() - 8);
    for (auto& [other, content] : files) {
      if (!other.starts_with(beside)) continue;
      replace_all(content, text, "UUID");
      replace_all(content, bytes, std::string(16, '\0'));
    }
  }
  return files;
}

const fs::path& folder() {
  static const fs::path path = [] {
    const char* temporary = std::getenv("TEST_TMPDIR");
    const fs::path made = fs::path(temporary == nullptr ? "/tmp" : temporary) / "threads_test";
    fs::remove_all(made);
    fs::create_directories(made);
    return made;
  }();
  return path;
}

std::string journal(const std::string& kind, const std::string& arguments = "") {
  const std::string path = (folder() / (kind + ".rsj")).string();
  const std::string command = std::string(std::getenv("WRITE_SESSIONS")) + " " + kind + " " + path;
  REQUIRE(std::system((command + " " + arguments).c_str()) == 0);
  return path;
}

void check_same(const std::string& from, const std::string& format, const std::string& config) {
  INFO(from << " to " << format << " with " << config);
  std::map<std::string, std::string> files[2];
  for (const unsigned threads : {1u, 2u}) {
    const fs::path to = folder() / (threads == 1 ? "one" : "two");
    fs::remove_all(to);
    fs::create_directories(to);
    auto done = convert(
        from,
        {.output = to.string() + "/", .format = format, .config = config, .threads = threads});
    REQUIRE(done.ok());
    CHECK(done->warning == "");
    CHECK(done->events.value_or(0) > 0);
    CHECK(done->bytes > 0);
    files[threads - 1] = files_in(to);
  }
  REQUIRE(files[0].size() >= 1);
  REQUIRE(files[0].size() == files[1].size());
  for (const auto& [name, bytes] : files[0]) {
    INFO(name << ", " << bytes.size() << " bytes");
    CHECK((files[1].contains(name) && files[1].at(name) == bytes));
  }
}

TEST_CASE("two threads write the bytes of one") {
  // Several lots of calls and of each sink, with texts, fields, samples.
  const std::string from = journal("long", "60000");
  for (const char* format : {"perfetto", "chrome", "ctf", "sqlite"}) check_same(from, format, "");
  check_same(from, "perfetto", "perfetto_compression=deflate:1");
}

TEST_CASE("two threads write the parts of one") {
  const std::string from = (folder() / "long.rsj").string();
  for (const char* format : {"perfetto", "chrome", "ctf"}) {
    check_same(from, format, "rotate=256KiB");
    check_same(from, format, "rotate=9s");
  }
}

TEST_CASE("two threads write of odd sessions what one writes") {
  for (const std::string& from : {journal("texts"), journal("losses"), journal("wide", "2000")})
    for (const char* format : {"perfetto", "chrome", "ctf", "sqlite"}) check_same(from, format, "");
}

}  // namespace
}  // namespace ringscribe::tools
