// SPDX-License-Identifier: Apache-2.0
//
// A thousand sessions, one after the other, leave no descriptor and no memory behind.
#include <ringscribe/ringscribe.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace ringscribe {
namespace {

namespace fs = std::filesystem;

size_t open_descriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

[[maybe_unused]] uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

void record_a_session(int number, const std::string& folder) {
  constexpr const char* kBackends[] = {"perfetto", "journal", "chrome", "ctf", "sqlite", "null"};
  const char* backend = kBackends[number % 6];
  // Spaces and letters of many bytes.
  const std::string path = folder + "/Sitzung Größe " + std::to_string(number % 6);
  fs::remove_all(path);  // a file or a folder
  auto session = Session::begin("session", {.backend = backend, .output = path});
  REQUIRE(session.ok());
  Domain domain = session->get_domain("domain");
  const Stream live = session->live_stream("live", domain);
  const Counter counter = domain.get_counter<int64_t>("counter");
  const RegisteredString text =
      domain.get_registered_string("text of session " + std::to_string(number));
  std::thread other([&] { RINGSCRIBE_MARK(live, "of a thread"); });
  for (int64_t i = 0; i < 100; ++i) {
    RINGSCRIBE_RANGE(live, "range");
    (void)live.mark({.message = text});
    (void)live.sample(counter, i);
  }
  other.join();
  CHECK(session->end().ok());
  CHECK(session->stats().recorded == 301);
}

TEST_CASE("a thousand sessions leave nothing behind") {
  const char* base = std::getenv("TEST_TMPDIR");
  const std::string folder = base != nullptr ? base : "/tmp";
  // What grows once, such as tables and caches, has grown after these.
  for (int i = 0; i < 200; ++i) record_a_session(i, folder);
  const size_t descriptors = open_descriptors();
  [[maybe_unused]] const uint64_t resident = resident_bytes();
  for (int i = 200; i < 1000; ++i) record_a_session(i, folder);
  CHECK(open_descriptors() == descriptors);
#ifndef RINGSCRIBE_SANITIZED  // sanitizers keep freed memory for a while
  const uint64_t growth = resident_bytes() > resident ? resident_bytes() - resident : 0;
  CHECK(growth < (uint64_t{4} << 20));
#endif
}

}  // namespace
}  // namespace ringscribe
