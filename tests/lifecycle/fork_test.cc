// SPDX-License-Identifier: Apache-2.0
//
// Children of a process that records with all its might: none hangs, none writes into its parent's
// file, each has its own exit code, and the parent loses nothing.
#include <ringscribe/ringscribe.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/tests/support/probes.h"

extern char** environ;

namespace ringscribe {
namespace {

using testing::mix;
using testing::Probe;

#ifdef RINGSCRIBE_SANITIZED
constexpr int kForks = 40;
// What a child leaves of its parent's is no leak, but LeakSanitizer looks at exit().
void exit_with_handlers(int code) { ::_exit(code); }
#else
constexpr int kForks = 200;
void exit_with_handlers(int code) { std::exit(code); }
#endif
constexpr uint64_t kWriters = 3;

// The exit status. A child that hangs makes this test hang, which ends it.
int status_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// What a child may do with what it has of its parent: all of it without effect.
void record_in_child(Session& session, const Stream& stream, const Stream& live,
                     const Schema<Probe>& schema) {
  for (uint64_t i = 0; i < 100; ++i) stream.write_event(schema, {0, 99, i, mix(99, i)});
  for (int i = 0; i < 100; ++i) RINGSCRIBE_MARK(live, "in a child");
#ifdef RINGSCRIBE_SANITIZED
  // A sanitizer's allocator may have been locked by another thread when this process was forked.
  (void)session;
#else
  std::thread([&] { RINGSCRIBE_RANGE(live, "thread of a child"); }).join();
  (void)session.get_domain("of a child").get_registered_string("text");
  (void)session.flush();
#endif
}

TEST_CASE("children of a process that records") {
  ::setenv("RINGSCRIBE_OVERFLOW", "block", 1);
  ::setenv("RINGSCRIBE_BLOCK_TIMEOUT", "0", 1);
  ::setenv("RINGSCRIBE_FLUSH_INTERVAL", "200us", 1);
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/fork.rsj";
  auto session = Session::begin("parent", {.backend = "journal", .output = path});
  REQUIRE(session.ok());
  Domain domain = session->get_domain("fork");
  const Stream stream = session->create_stream("probes", {.domain = domain});
  const Stream live = session->live_stream("live", domain);
  const auto schema = domain.get_schema<Probe>(EventKind::kMark);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0};
  std::vector<std::thread> writers;
  for (uint64_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      uint64_t i = 0;
      for (; !stop.load(std::memory_order_relaxed); ++i) {
        stream.write_event(schema, {static_cast<int64_t>(i), writer, i, mix(writer, i)});
        // The point is forks beside a busy flusher, not a large file.
        if (i % 256 == 255) std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      written += i;
    });
  }
  int wrong = 0;
  for (int i = 0; i < kForks; ++i) {
    RINGSCRIBE_MARK(live, "before a fork");
    const int code = i % 100;
    const pid_t child = ::fork();
    if (child == 0) {
      record_in_child(*session, stream, live, schema);
      if (i % 2 == 0) ::_exit(code);
      exit_with_handlers(code);
    }
    REQUIRE(child > 0);
    const int status = status_of(child);
    if (status != code) {
      ++wrong;
      UNSCOPED_INFO("child " << i << ": " << status << " instead of " << code);
    }
  }
  CHECK(wrong == 0);

  // Fork and exec, posix_spawn (vfork inside glibc), and a child that forks again.
  const pid_t execs = ::fork();
  if (execs == 0) {
    RINGSCRIBE_MARK(live, "between fork and exec");
    ::execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
    ::_exit(1);
  }
  CHECK(status_of(execs) == 7);
  std::string shell = "sh", option = "-c", command = "exit 8";
  char* const arguments[] = {shell.data(), option.data(), command.data(), nullptr};
  pid_t spawned = 0;
  REQUIRE(::posix_spawn(&spawned, "/bin/sh", nullptr, nullptr, arguments, environ) == 0);
  CHECK(status_of(spawned) == 8);
  const pid_t lent = ::vfork();
  if (lent == 0) ::_exit(6);
  CHECK(status_of(lent) == 6);
  const pid_t nested = ::fork();
  if (nested == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      record_in_child(*session, stream, live, schema);
      exit_with_handlers(5);
    }
    ::_exit(status_of(grandchild));
  }
  CHECK(status_of(nested) == 5);

  stop = true;
  for (std::thread& writer : writers) writer.join();
  CHECK(session->end().ok());
  CHECK(session->stats().lost() == 0);
  testing::ProbeChecker probes;
  auto replayed = journal::replay(path, probes);
  REQUIRE(replayed.ok());
  CHECK(replayed->finished);
  CHECK_FALSE(replayed->damaged);
  CHECK(probes.events == written);
  CHECK(probes.torn == 0);
  CHECK(probes.disordered == 0);
  CHECK(probes.gaps == 0);
  CHECK_FALSE(probes.writers.contains(99));
}

}  // namespace
}  // namespace ringscribe
