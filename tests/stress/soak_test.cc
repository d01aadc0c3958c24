// SPDX-License-Identifier: Apache-2.0
//
// All that can go wrong at once, for SOAK_SECONDS (20): 32 threads that come and go and record
// events of all kinds with small rings and little memory; a signal that records in between; streams
// that are closed under their writers; invalid calls; children that are forked; a backend that
// stalls, refuses registrations and batches. Then the books have to balance, to the event:
//
//   written = recorded + lost, over all streams, and recorded = what the backend took
#include <ringscribe/ringscribe.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ringscribe/backends/nvtxw/interface_table.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/probes.h"

namespace ringscribe {
namespace {

using testing::mix;
using testing::Probe;

constexpr int kThreads = 32;

// --- The backend: counts what it took, and misbehaves.

struct Faults {
  std::atomic<uint64_t> accepted{0};
  std::atomic<uint64_t> torn{0};
  std::atomic<uint64_t> refused_calls{0};
};
Faults g_faults;

class FaultyBackend final : public nvtxw::SessionBackend {
 public:
  Status domain(uint32_t, std::string_view) override { return {}; }
  Status category(uint32_t, uint32_t, std::string_view) override { return sometimes(50); }
  Status string(uint32_t, uint64_t, std::string_view) override { return sometimes(50); }
  Status resource(uint32_t, const nvtxResourceAttributes_t&) override { return {}; }
  Status scope(uint32_t, const nvtxScopeAttr_t&) override { return sometimes(100); }
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override {
    row_bytes_[{domain, attr.schemaId}] = attr.payloadStaticSize;
    if (std::string_view(attr.name) == "Probe") probe_ = {domain, attr.schemaId};
    return {};
  }
  Status enumeration(uint32_t, const nvtxPayloadEnumAttr_t&) override { return {}; }
  Status counter(uint32_t, const nvtxCounterAttr_t&) override { return {}; }
  Status time_domain(uint32_t, const nvtxTimeDomainAttr_t&) override { return {}; }
  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override {
    is_own_.resize(stream + 1);
    is_own_[stream] = std::string_view(attr.name) == "ringscribe";
    domains_.resize(stream + 1);
    domains_[stream] = domain;
    return {};
  }
  Status stream_close(uint32_t) override { return {}; }
  Status event(uint32_t stream, std::span<const nvtxPayloadData_t>) override {
    return take(stream, 1);
  }
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override {
    const std::pair<uint32_t, uint64_t> schema{domains_[stream], batch.eventSchemaId};
    if (schema == probe_) check_probes(batch);
    return take(stream, batch.size / row_bytes_.at(schema));
  }
  Status counter_sample(uint32_t stream, int64_t, uint64_t, const void*, size_t) override {
    return take(stream, 1);
  }
  Status counter_no_value(uint32_t stream, int64_t, uint64_t, uint8_t) override {
    return take(stream, 1);
  }
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override {
    return take(stream, batch.countersSize / sizeof(int64_t));
  }
  Status sync_points(uint32_t, uint64_t, uint64_t, std::span<const nvtxSyncPoint_t>) override {
    return {};
  }
  Status conversion_factor(uint32_t, uint64_t, uint64_t, double, int64_t, int64_t) override {
    return {};
  }
  Status end() override { return {}; }

 private:
  Status refuse() {
    ++g_faults.refused_calls;
    return Status(ResultCode::kFailed, "refused on purpose");
  }
  Status sometimes(uint64_t often) { return ++calls_ % often == 0 ? refuse() : Status(); }
  Status take(uint32_t stream, uint64_t events) {
    if (is_own_[stream]) return {};
    if (++calls_ % 997 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    if (calls_ % 7 == 0) return refuse();
    g_faults.accepted += events;
    return {};
  }
  static void check_probes(const nvtxEventBatch_t& batch) {
    for (size_t at = 0; at < batch.size; at += sizeof(Probe)) {
      Probe probe;
      std::memcpy(&probe, static_cast<const char*>(batch.events) + at, sizeof probe);
      if (probe.mix != mix(probe.writer, probe.sequence)) ++g_faults.torn;
    }
  }

  uint64_t calls_ = 0;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> row_bytes_;
  std::pair<uint32_t, uint64_t> probe_{UINT32_MAX, 0};
  std::vector<bool> is_own_;
  std::vector<uint32_t> domains_;
};

Result<std::unique_ptr<nvtxw::SessionBackend>> open_faulty(const nvtxw::SessionConfig&) {
  return std::unique_ptr<nvtxw::SessionBackend>(std::make_unique<FaultyBackend>());
}
constexpr nvtxw::BackendFormat kFormats[] = {{"faulty", "", open_faulty, {}}};
constexpr nvtxw::FormatTable kTable = {kFormats, "faulty"};

// --- The writers. Each call is counted where it is made.

std::atomic<uint64_t> g_written{0};
const Stream* g_handler_stream = nullptr;

void record_in_handler(int) {
  RINGSCRIBE_MARK(*g_handler_stream, "in a signal handler");
  g_written.fetch_add(1, std::memory_order_relaxed);
}

void block_signal(bool blocked) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}

struct All {
  Session& session;
  Domain& domain;
  Stream& live;
  Stream& probes;
  Schema<Probe>& schema;
  Counter& counter;
  RegisteredString& name;
};

// One thread's life: some thousand events.
void write_some(All& all, uint64_t writer, uint32_t seed) {
  uint64_t written = 0;
  block_signal(false);  // its first record may be made in the handler
  std::mt19937 random(seed);
  // A stream that goes while others may still be written.
  Stream mine = all.session.create_stream(
      "stream " + std::to_string(writer) + "/" + std::to_string(seed), {.domain = all.domain});
  const std::string text(random() % 300, 't');
  for (uint64_t i = 0; i < 3000; ++i) {
    const auto time = static_cast<int64_t>(i);
    switch (random() % 12) {
      case 0:
        RINGSCRIBE_MARK(all.live, "mark");
        ++written;
        break;
      case 1: {
        RINGSCRIBE_RANGE(all.live, "range");
        ++written;
        break;
      }
      case 2:
        RINGSCRIBE_SAMPLE(all.live, all.counter, int64_t{5});
        ++written;
        break;
      case 3:
        all.probes.write_mark(time, {.message = all.name});
        ++written;
        break;
      case 4:
        all.probes.write_mark(time, {.message = std::string_view(text)});
        ++written;
        break;
      case 5: {
        Probe rows[10];
        for (uint64_t row = 0; row < 10; ++row)
          rows[row] = {time, writer, i + row, mix(writer, i + row)};
        all.probes.write_event_batch(all.schema, rows);
        written += 10;
        break;
      }
      case 6:
        // Invalid: a live call on a stream with explicit times.
        (void)all.probes.mark({.message = "invalid"});
        ++written;
        break;
      case 7:
        mine.write_mark(time, {.message = all.name});
        ++written;
        break;
      case 8:
        // Too large for the ring.
        if (i % 100 == 0) {
          all.probes.write_mark(time, {.message = std::string(100'000, 'x')});
          ++written;
        }
        break;
      case 9:
        // Without a push: a pair would be one event of the backend's, and two of ours.
        (void)all.live.pop();
        ++written;
        break;
      default:
        all.probes.write_event(all.schema, {time, writer, i, mix(writer, i)});
        ++written;
    }
    if (i == 2000) (void)mine.close();
  }
  block_signal(true);
  g_written.fetch_add(written, std::memory_order_relaxed);
}

void soak(runtime::Overflow overflow, std::chrono::seconds duration) {
  g_faults.accepted = g_faults.torn = g_faults.refused_calls = 0;
  g_written = 0;
  runtime::Settings settings;
  settings.overflow = overflow;
  settings.block_timeout_ns = 500'000;
  settings.ring_bytes = 64 * 1024;
  settings.memory_limit_bytes = 40 * 64 * 1024;  // not enough for all at all times
  settings.flush_interval_ns = 1'000'000;
  settings.log_level = runtime::LogLevel::kOff;
  runtime::set_log_level(runtime::LogLevel::kOff);
  runtime::Runtime runtime(settings, runtime::Runtime::Drive::kThread);
  auto session = Session::begin("soak", {.interface = nvtxw::make_interface(&kTable)});
  REQUIRE(session.ok());
  Domain domain = session->get_domain("soak");
  Stream live = session->live_stream("live", domain);
  Stream probes = session->create_stream("probes", {.domain = domain});
  Schema<Probe> schema = domain.get_schema<Probe>(EventKind::kMark);
  Counter counter = domain.get_counter<int64_t>("counter");
  RegisteredString name = domain.get_registered_string("name");
  All all{*session, domain, live, probes, schema, counter, name};

  g_handler_stream = &live;
  record_in_handler(0);  // its call site is known from here on
  block_signal(true);
  struct sigaction action = {};
  action.sa_handler = record_in_handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval each_ms = {{0, 1000}, {0, 1000}};
  ::setitimer(ITIMER_REAL, &each_ms, nullptr);

  std::atomic<bool> stop{false};
  std::atomic<uint32_t> lives{0};
  std::vector<std::thread> threads;
  for (uint64_t writer = 0; writer < kThreads; ++writer) {
    threads.emplace_back([&, writer] {
      while (!stop.load(std::memory_order_relaxed)) {
        std::thread(write_some, std::ref(all), writer, ++lives).join();
      }
    });
  }
  const auto end = std::chrono::steady_clock::now() + duration;
  int forks = 0;
  int bad_children = 0;
  while (std::chrono::steady_clock::now() < end) {
    const pid_t child = ::fork();
    if (child == 0) {
      RINGSCRIBE_MARK(live, "in a child");
      probes.write_mark(1, {.message = name});
      ::_exit(9);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    bad_children += !WIFEXITED(status) || WEXITSTATUS(status) != 9;
    ++forks;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  const itimerval never = {};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::signal(SIGALRM, SIG_IGN);
  block_signal(false);
  CHECK_FALSE(session->end().ok());  // it has refused some

  const Counts counts = session->stats();
  std::printf("%s, %d s: %llu written in %u threads' lives, %llu recorded, %llu lost:",
              overflow == runtime::Overflow::kBlock ? "block" : "drop",
              static_cast<int>(duration.count()), static_cast<unsigned long long>(g_written.load()),
              lives.load(), static_cast<unsigned long long>(counts.recorded),
              static_cast<unsigned long long>(counts.lost()));
  for (size_t cause = 0; cause < kLossCauses; ++cause)
    std::printf(" %s %llu;", loss_cause_name(static_cast<LossCause>(cause)),
                static_cast<unsigned long long>(counts.lost_by_cause[cause]));
  std::printf(" %d forks, %llu calls refused\n", forks,
              static_cast<unsigned long long>(g_faults.refused_calls.load()));
  CHECK(counts.recorded + counts.lost() == g_written.load());
  CHECK(g_faults.accepted.load() == counts.recorded);
  CHECK(g_faults.torn.load() == 0);
  CHECK(bad_children == 0);
  // The soak is worth something only if all of it happened.
  for (const LossCause cause :
       {LossCause::kRingFull, LossCause::kTooLarge, LossCause::kStreamClosed, LossCause::kRejected,
        LossCause::kInvalid})
    CHECK(counts.lost_by_cause[static_cast<size_t>(cause)] != 0);
}

std::chrono::seconds half_of_the_time() {
  const char* seconds = std::getenv("SOAK_SECONDS");
  return std::chrono::seconds((seconds != nullptr ? std::atoi(seconds) : 60) / 2);
}

TEST_CASE("the books balance with policy drop") {
  soak(runtime::Overflow::kDrop, half_of_the_time());
}
TEST_CASE("the books balance with policy block") {
  soak(runtime::Overflow::kBlock, half_of_the_time());
}

}  // namespace
}  // namespace ringscribe
