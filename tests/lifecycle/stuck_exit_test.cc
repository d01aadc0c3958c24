// SPDX-License-Identifier: Apache-2.0
//
// Processes that exit while their backend is stuck and their threads record. They end all the same,
// with the exit code that they wanted, and say what became of their events.
#include <ringscribe/ringscribe.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/plain_backend.h"

namespace ringscribe {
namespace {

constexpr int kWanted = 7;

std::atomic<bool> g_is_stuck{false};

// Takes everything, but does not come back from the first batch.
nvtxwInterface_v2_t stuck_interface() {
  nvtxwInterface_v2_t table = *testing::plain_interface();
  table.EventBatchWrite = [](nvtxwStreamHandle_t, const nvtxEventBatch_t*) -> nvtxwResultCode_t {
    g_is_stuck = true;
    g_is_stuck.notify_all();
    while (true) ::pause();
  };
  return table;
}

runtime::Settings settings_of(runtime::Overflow overflow) {
  runtime::Settings settings;
  settings.overflow = overflow;
  settings.block_timeout_ns = 0;  // no bound
  settings.ring_bytes = runtime::kSmallRingBytes;
  settings.exit_wait_ns = 100'000'000;
  return settings;
}

struct Child {
  int status = 0;
  std::string told;
};

// What became of a process that runs `body`. If it did not end, neither would this test.
Child run(const std::function<void()>& body) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    body();
    ::_exit(99);
  }
  ::close(ends[1]);
  Child child;
  char buffer[4096];
  for (ssize_t size; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    child.told.append(buffer, static_cast<size_t>(size));
  ::close(ends[0]);
  REQUIRE(::waitpid(pid, &child.status, 0) == pid);
  return child;
}

void record_without_end(const Stream& stream) {
  std::thread([&stream] {
    while (true) RINGSCRIBE_MARK(stream, "while the process exits");
  }).detach();
}

// Begins a session and exits with its backend stuck and two threads recording. The session is
// destroyed after ringscribe has given up.
[[noreturn]] void exit_while_stuck(const runtime::Settings& settings) {
  static std::optional<Session> destroyed_last;
  static Stream& stream = *new Stream;
  static const nvtxwInterface_v2_t table = stuck_interface();
  new runtime::Runtime(settings, runtime::Runtime::Drive::kThread);
  auto session = Session::begin("stuck", {.interface = &table});
  if (!session.ok()) ::_exit(98);
  destroyed_last.emplace(std::move(*session));
  stream = destroyed_last->live_stream("live");
  record_without_end(stream);
  record_without_end(stream);
  g_is_stuck.wait(false);
  std::exit(kWanted);
}

TEST_CASE("a process ends although its backend is stuck and its threads record") {
  for (const runtime::Overflow overflow :
       {runtime::Overflow::kDrop, runtime::Overflow::kBlock, runtime::Overflow::kOverwrite}) {
    INFO(static_cast<int>(overflow));
    const Child child = run([&] { exit_while_stuck(settings_of(overflow)); });
    INFO(child.told);
    REQUIRE(WIFEXITED(child.status));
    CHECK(WEXITSTATUS(child.status) == kWanted);
    CHECK(child.told.find("did not return within 0.1 s of exit()") != std::string::npos);
    CHECK(child.told.find("session \"stuck\": ") != std::string::npos);
    CHECK(child.told.find(" recorded, ") != std::string::npos);
    CHECK(child.told.find("recover") == std::string::npos);
  }
}

TEST_CASE("a crash folder stays behind, and is named") {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string folder = std::string(base != nullptr ? base : "/tmp") + "/stuck-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  runtime::Settings settings = settings_of(runtime::Overflow::kDrop);
  settings.crash_dir = runtime::String(folder);
  const Child child = run([&] { exit_while_stuck(settings); });
  INFO(child.told);
  REQUIRE(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == kWanted);
  CHECK_FALSE(std::filesystem::is_empty(folder));
  const std::string left = std::filesystem::directory_iterator(folder)->path();
  CHECK(child.told.find("ringscribe recover makes them from \"" + left) != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("calls after that do nothing, and end") {
  const Child child = run([] {
    static Session& session = *new Session;
    static Stream& stream = *new Stream;
    static const nvtxwInterface_v2_t table = stuck_interface();
    // Runs last: handlers run in the opposite order.
    std::atexit([] {
      RINGSCRIBE_MARK(stream, "late");
      (void)session.flush();
      (void)session.get_domain("late");
      (void)session.live_stream("late");
      (void)stream.close();
      (void)Session::begin("late", {.interface = &table}).ok();
      (void)session.end();
    });
    new runtime::Runtime(settings_of(runtime::Overflow::kDrop), runtime::Runtime::Drive::kThread);
    session = *Session::begin("stuck", {.interface = &table});
    stream = session.live_stream("live");
    RINGSCRIBE_MARK(stream, "here");
    g_is_stuck.wait(false);
    std::exit(kWanted);
  });
  INFO(child.told);
  REQUIRE(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == kWanted);
}

TEST_CASE("threads that record during exit have what they wrote until then, and harm nothing") {
  const Child child = run([] {
    static Session& session = *new Session;
    static Stream& stream = *new Stream;
    new runtime::Runtime(settings_of(runtime::Overflow::kDrop), runtime::Runtime::Drive::kThread);
    session = *Session::begin("well", {.interface = testing::plain_interface()});
    stream = session.live_stream("live");
    record_without_end(stream);
    record_without_end(stream);
    while (session.stats().recorded == 0) std::this_thread::yield();
    std::exit(kWanted);
  });
  INFO(child.told);
  REQUIRE(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == kWanted);
  CHECK(child.told.find("did not return") == std::string::npos);
}

}  // namespace
}  // namespace ringscribe
