// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/thread_layout.h"

#include <catch2/catch.hpp>

namespace ringscribe::chrome {
namespace {

using model::kNoTrack;
using model::TrackKind;

constexpr int64_t kOurs = int64_t{1} << 30;

struct Bench {
  ThreadLayout layout;
  std::string lines;

  Bench() {
    layout.begin("s", lines);
    lines.clear();
  }
  const ThreadLayout::Row& add(uint32_t id, uint32_t parent, TrackKind kind, std::string_view name,
                               int64_t pid = 0, int64_t tid = 0, int64_t number = 0,
                               std::string_view domain = "") {
    REQUIRE(layout.add({id, parent, kind, name, domain, pid, tid, number}, lines).ok());
    return layout.row(layout.row_number(id, lines));
  }
};

TEST_CASE("the first line has no comma") {
  ThreadLayout layout;
  std::string lines;
  layout.begin("a \"b\"", lines);
  CHECK(lines.substr(0, 10) == "\n{\"ph\":\"M\"");
  CHECK(lines.find(R"("name":"process_name","args":{"name":"a \"b\""}})") != std::string::npos);
  CHECK(
      lines.find("\n,{\"ph\":\"M\",\"pid\":1073741824,\"tid\":0,\"name\":\"process_sort_index\"") !=
      std::string::npos);
}

TEST_CASE("processes and threads keep the system's numbers") {
  Bench bench;
  const auto process = bench.add(0, kNoTrack, TrackKind::kProcess, "engine", 4000).place;
  CHECK(process.substr(0, 17) == "\"pid\":4000,\"tid\":");
  bench.lines.clear();
  const auto& thread = bench.add(1, 0, TrackKind::kThread, "worker", 4000, 4001, 1);
  CHECK(thread.place == "\"pid\":4000,\"tid\":4001,\"ts\":");
  CHECK(bench.lines ==
        "\n,{\"ph\":\"M\",\"pid\":4000,\"tid\":4001,\"name\":\"thread_name\",\"args\":{\"name\":"
        "\"worker\"}}");
}

TEST_CASE("a process's own row becomes a thread with its first event") {
  Bench bench;
  REQUIRE(bench.layout.add({0, kNoTrack, TrackKind::kProcess, "p", "", 7, 0, 0}, bench.lines).ok());
  CHECK(bench.lines.find("thread_name") == std::string::npos);
  bench.layout.row_number(0, bench.lines);
  CHECK(bench.lines.find("thread_name") != std::string::npos);
  CHECK(bench.layout.row(bench.layout.row_number(0, bench.lines)).tid >= kOurs);
}

TEST_CASE("what would share a thread with another gets a number of ours") {
  Bench bench;
  bench.add(0, kNoTrack, TrackKind::kProcess, "engine", 4000);
  bench.add(1, 0, TrackKind::kThread, "worker", 4000, 4001, 1);
  const auto reused = bench.add(2, 0, TrackKind::kThread, "second", 4000, 4001, 2).name;
  CHECK(reused == "second (tid 4001)");
  CHECK(bench.add(3, 0, TrackKind::kThread, "worker", 4000, 4001, 1, "io").name == "io");
  const auto& other = bench.add(4, kNoTrack, TrackKind::kProcess, "other", 4000);
  CHECK(other.name == "other (pid 4000)");
  CHECK(other.pid >= kOurs);
  const auto& far = bench.add(5, 4, TrackKind::kThread, "far", 4000, 4001, 1);
  CHECK(far.tid == 4001);
  CHECK(far.pid >= kOurs);
  CHECK(bench.add(6, kNoTrack, TrackKind::kProcess, "engine", 4000).pid == 4000);
}

TEST_CASE("numbers that no system gives are not taken for one") {
  Bench bench;
  for (uint32_t id = 0;
       const int64_t pid : {int64_t{0}, int64_t{-1}, INT64_MAX, INT64_MIN, kOurs}) {
    const auto& process = bench.add(id++, kNoTrack, TrackKind::kProcess, "", pid);
    CHECK(process.name == "(pid " + std::to_string(pid) + ")");
    CHECK(process.pid >= kOurs);
    CHECK(process.pid < int64_t{3} << 29);
    const auto& thread = bench.add(id, id - 1, TrackKind::kThread, "t", pid, pid, 0);
    CHECK(thread.name == "t (tid " + std::to_string(pid) + ")");
    CHECK(thread.tid >= int64_t{3} << 29);
    ++id;
  }
}

TEST_CASE("other scopes are threads of the process around them") {
  Bench bench;
  const int64_t node = bench.add(0, kNoTrack, TrackKind::kScope, "Node[0]").pid;
  CHECK(node > kOurs);
  CHECK(bench.add(1, 0, TrackKind::kScope, "GPU").name == "GPU");
  const auto& deep = bench.add(2, 1, TrackKind::kScope, "Engine");
  CHECK(deep.name == "GPU/Engine");
  CHECK(deep.pid == node);
  const auto& stream = bench.add(3, kNoTrack, TrackKind::kStream, "orders");
  CHECK(stream.pid == kOurs);
  bench.add(4, kNoTrack, TrackKind::kProcess, "p", 7);
  bench.add(5, 4, TrackKind::kThread, "t", 7, 8, 1);
  const auto& below = bench.add(6, 5, TrackKind::kScope, "fiber");
  CHECK(below.pid == 7);
  CHECK(below.name == "t/fiber");
}

TEST_CASE("counters of a process have names of their own") {
  Bench bench;
  bench.add(0, kNoTrack, TrackKind::kStream, "a");
  bench.add(1, kNoTrack, TrackKind::kStream, "b");
  const auto name = [&](uint32_t id, uint32_t parent) {
    REQUIRE(
        bench.layout.add_counter({id, parent, "depth", "orders", "", "", false}, bench.lines).ok());
    return bench.layout.counter(id).name;
  };
  CHECK(name(0, 0) == "depth");
  CHECK(name(1, 1) == "depth (b)");
  CHECK(name(2, 1) == "depth (b) (2)");
  bench.lines.clear();
  CHECK(name(3, kNoTrack) == "depth (s)");
  CHECK(bench.lines.find("thread_name") != std::string::npos);
  CHECK(bench.layout.counter(0).head == R"("name":"depth","cat":"default","args":{"orders":)");
}

TEST_CASE("tracks out of turn and unknown parents are refused with a sentence") {
  Bench bench;
  CHECK(bench.layout.add({1, kNoTrack, TrackKind::kStream, "", "", 0, 0, 0}, bench.lines)
            .message()
            .find("the next is 0") != std::string::npos);
  CHECK(bench.layout.add({0, 5, TrackKind::kStream, "", "", 0, 0, 0}, bench.lines)
            .message()
            .find("announce the parent first") != std::string::npos);
  CHECK_FALSE(bench.layout.add_counter({0, 5, "", "", "", "", false}, bench.lines).ok());
  CHECK(bench.lines.empty());
}

}  // namespace
}  // namespace ringscribe::chrome
