// SPDX-License-Identifier: Apache-2.0
//
// Backends that lie, fail or do not come back. Whatever they do, recording threads do not wait for
// them, and written = recorded + lost.
#include <ringscribe/ringscribe.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/plain_backend.h"
#include "ringscribe/tests/support/probes.h"

namespace ringscribe {
namespace {

using testing::mix;
using testing::Probe;

// --- The backend: a plain one, and what each of its functions does first.

enum class Function : uint8_t { kNone, kBatch, kEvent, kString, kSchema, kSample };

struct Manners {
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> fails_each{0};  // 0: never
  std::atomic<int32_t> code{NVTXW_RESULT_FAILED};
  std::atomic<bool> gives_nothing{false};  // success, with handles NULL and IDs 0
  std::atomic<Function> stuck_in{Function::kNone};
  std::atomic<bool> is_stuck{false};  // someone is in there

  void reset() {
    calls = 0;
    fails_each = 0;
    code = NVTXW_RESULT_FAILED;
    gives_nothing = false;
    release();
    is_stuck = false;
  }
  void release() {
    stuck_in = Function::kNone;
    stuck_in.notify_all();
  }
  void pass(Function function) {
    while (function != Function::kNone && stuck_in == function) {
      is_stuck = true;
      is_stuck.notify_all();
      stuck_in.wait(function);
    }
  }
  bool fails() {
    const uint64_t each = fails_each;
    return ++calls, each != 0 && calls % each == 0;
  }
};
Manners g_manners;

template <typename T>
constexpr bool kIsOut =
    std::is_same_v<T, uint64_t*> || std::is_same_v<T, nvtxwSessionHandle_t*> ||
    std::is_same_v<T, nvtxDomainHandle_t*> || std::is_same_v<T, nvtxStringHandle_t*> ||
    std::is_same_v<T, nvtxwStreamHandle_t*>;

template <typename Last>
void take_away(Last last) {
  if constexpr (kIsOut<Last>)
    if (g_manners.gives_nothing && last != nullptr) *last = {};
}

template <auto kMember, Function kFunction, typename F>
struct Wrapper;
template <auto kMember, Function kFunction, typename R, typename... Arguments>
struct Wrapper<kMember, kFunction, R (*)(Arguments...)> {
  static R call(Arguments... arguments) {
    g_manners.pass(kFunction);
    if (g_manners.fails()) return g_manners.code;
    const R result = (testing::plain_interface()->*kMember)(arguments...);
    take_away(std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...)));
    return result;
  }
};

#define WRAPPED(name, function)                         \
  .name = Wrapper<&nvtxwInterface_v2_t::name, function, \
                  std::remove_cv_t<decltype(nvtxwInterface_v2_t::name)>>::call

constexpr nvtxwInterface_v2_t kBadInterface = {
    WRAPPED(SessionBegin, Function::kNone),
    WRAPPED(SessionEnd, Function::kNone),
    WRAPPED(DomainRegister, Function::kNone),
    WRAPPED(CategoryRegister, Function::kNone),
    WRAPPED(StringRegister, Function::kString),
    WRAPPED(ResourceRegister, Function::kNone),
    WRAPPED(ScopeRegister, Function::kNone),
    WRAPPED(SchemaRegister, Function::kSchema),
    WRAPPED(EnumRegister, Function::kNone),
    WRAPPED(CounterRegister, Function::kNone),
    WRAPPED(TimeDomainRegister, Function::kNone),
    WRAPPED(StreamOpen, Function::kNone),
    WRAPPED(StreamClose, Function::kNone),
    WRAPPED(EventWrite, Function::kEvent),
    WRAPPED(EventBatchWrite, Function::kBatch),
    WRAPPED(CounterWrite, Function::kSample),
    WRAPPED(CounterNoValueWrite, Function::kSample),
    WRAPPED(CounterBatchWrite, Function::kSample),
    WRAPPED(TimeSyncPointWrite, Function::kNone),
    WRAPPED(TimeSyncPointTableWrite, Function::kNone),
    WRAPPED(TimestampConversionFactorWrite, Function::kNone),
    .reserved = {},
};
#undef WRAPPED

// --- What is written.

runtime::Settings settings_of(runtime::Overflow overflow) {
  runtime::Settings settings;
  settings.overflow = overflow;
  settings.ring_bytes = runtime::kSmallRingBytes;
  settings.log_level = runtime::LogLevel::kOff;
  runtime::set_log_level(runtime::LogLevel::kOff);
  return settings;
}

struct Target {
  Session session;
  Domain domain;
  Stream live, probes;
};

Target open_target() {
  auto session = Session::begin("bad", {.interface = &kBadInterface});
  REQUIRE(session.ok());
  Target target;
  target.session = std::move(*session);
  target.domain = target.session.get_domain("bad");
  target.live = target.session.live_stream("live", target.domain);
  target.probes = target.session.create_stream("probes", {.domain = target.domain});
  REQUIRE(target.probes.status().ok());
  REQUIRE(target.live.status().ok());
  return target;
}

// Events of all kinds, by calls of all kinds, definitions among them. Returns how many.
uint64_t write_all_kinds(Target& target, uint64_t writer, uint64_t rounds) {
  uint64_t written = 0;
  const auto schema = target.domain.get_schema<Probe>(EventKind::kMark);
  const auto counter =
      target.domain.get_counter<int64_t>("counter " + std::to_string(writer), {.unit = "things"});
  for (uint64_t i = 0; i < rounds; ++i) {
    const auto time = static_cast<int64_t>(i);
    const Probe probe{time, writer, i, mix(writer, i)};
    const Probe rows[] = {probe, probe, probe};
    RINGSCRIBE_MARK(target.live, "mark", {.category = "category"});
    {
      RINGSCRIBE_RANGE(target.live, "range");
    }
    RINGSCRIBE_SAMPLE(target.live, counter, time);
    target.probes.write_mark(time, {.message = "a text made at run time"});
    target.probes.write_mark(
        time, {.message = target.domain.get_registered_string("name " + std::to_string(i))});
    target.probes.write_pushpop(time, time + 1, {.message = "both"});
    target.probes.write_event(schema, probe);
    target.probes.write_event_batch(schema, rows);
    (void)target.live.push({.message = "push"});
    (void)target.live.pop();
    (void)target.live.pop();  // of nothing
    written += 7 + 3 + 3;
  }
  return written;
}

void check_books(const Session& session, uint64_t written) {
  const Counts counts = session.stats();
  for (size_t cause = 0; cause < kLossCauses; ++cause)
    UNSCOPED_INFO(loss_cause_name(static_cast<LossCause>(cause))
                  << ": " << counts.lost_by_cause[cause]);
  CHECK(counts.recorded + counts.lost() == written);
}
uint64_t rejected(const Session& session) {
  return session.stats().lost_by_cause[static_cast<size_t>(LossCause::kRejected)];
}

TEST_CASE("a session without a handle is no session") {
  g_manners.reset();
  runtime::Runtime runtime(settings_of(runtime::Overflow::kDrop), runtime::Runtime::Drive::kByHand);
  g_manners.gives_nothing = true;
  const auto session = Session::begin("bad", {.interface = &kBadInterface});
  CHECK_FALSE(session.ok());
  CHECK(g_manners.calls == 1);  // it was not called with what it gave
}

TEST_CASE("success without handles and IDs: no stream opens, and the others' books balance") {
  g_manners.reset();
  runtime::Runtime runtime(settings_of(runtime::Overflow::kDrop), runtime::Runtime::Drive::kByHand);
  Target target = open_target();
  g_manners.gives_nothing = true;
  const Stream none = target.session.create_stream("none");
  CHECK_FALSE(none.status().ok());
  CHECK_FALSE(none.write_mark(1, {.message = "nowhere"}));
  const uint64_t written = write_all_kinds(target, 0, 5);
  CHECK_FALSE(target.session.flush().ok());  // the strings
  check_books(target.session, written);
  CHECK(target.session.stats().recorded > 0);
  (void)target.session.end();
  check_books(target.session, written);
}

TEST_CASE("result codes that there are not are refusals") {
  for (const int32_t code : {8, 12345, -1, INT32_MIN, INT32_MAX}) {
    INFO(code);
    g_manners.reset();
    runtime::Runtime runtime(settings_of(runtime::Overflow::kDrop),
                             runtime::Runtime::Drive::kByHand);
    Target target = open_target();
    g_manners.code = code;
    g_manners.fails_each = 1;
    const uint64_t written = write_all_kinds(target, 0, 5);
    const Status told = target.session.flush();
    CHECK_FALSE(told.ok());
    CHECK(told.to_string().find(std::to_string(code)) != std::string::npos);
    CHECK(target.session.stats().recorded == 0);
    CHECK(rejected(target.session) > 0);
    CHECK_FALSE(target.session.end().ok());
    check_books(target.session, written);
    CHECK_FALSE(Session::begin("again", {.interface = &kBadInterface}).ok());
  }
}

TEST_CASE("a backend that fails each Nth call costs what it refused") {
  for (const uint64_t each : {2, 3, 5, 7, 50}) {
    INFO(each);
    g_manners.reset();
    runtime::Runtime runtime(settings_of(runtime::Overflow::kDrop),
                             runtime::Runtime::Drive::kByHand);
    Target target = open_target();
    g_manners.fails_each = each;
    uint64_t written = 0;
    for (int i = 0; i < 20; ++i) {
      written += write_all_kinds(target, static_cast<uint64_t>(i), 5);
      (void)target.session.flush();
    }
    (void)target.session.end();
    check_books(target.session, written);
    CHECK(target.session.stats().recorded > 0);
    CHECK(rejected(target.session) > 0);
  }
}

// Not by the clock: the backend goes on only after all threads have come back.
TEST_CASE("while a backend is stuck nobody who records waits, and the books balance") {
  for (const Function function : {Function::kBatch, Function::kEvent, Function::kString,
                                  Function::kSchema, Function::kSample}) {
    INFO(static_cast<int>(function));
    g_manners.reset();
    runtime::Runtime runtime(settings_of(runtime::Overflow::kDrop),
                             runtime::Runtime::Drive::kThread);
    Target target = open_target();
    g_manners.stuck_in = function;
    std::atomic<uint64_t> written{write_all_kinds(target, 0, 1)};
    g_manners.is_stuck.wait(false);
    std::vector<std::thread> threads;  // whose first records are made now, and which end now
    for (uint64_t writer = 1; writer <= 8; ++writer)
      threads.emplace_back([&, writer] { written += write_all_kinds(target, writer, 200); });
    for (std::thread& thread : threads) thread.join();
    written += write_all_kinds(target, 0, 200);
    CHECK(g_manners.stuck_in == function);  // still: so nobody has waited for it
    CHECK(target.session.stats().lost_by_cause[static_cast<size_t>(LossCause::kRingFull)] > 0);
    g_manners.release();
    CHECK(target.session.end().ok());
    check_books(target.session, written);
    CHECK(target.session.stats().recorded > 0);
  }
}

TEST_CASE("with a bound, block does not wait for a stuck backend for ever") {
  g_manners.reset();
  runtime::Settings settings = settings_of(runtime::Overflow::kBlock);
  settings.block_timeout_ns = 1000;
  runtime::Runtime runtime(settings, runtime::Runtime::Drive::kThread);
  Target target = open_target();
  g_manners.stuck_in = Function::kBatch;
  std::atomic<uint64_t> written{write_all_kinds(target, 0, 1)};
  g_manners.is_stuck.wait(false);
  std::vector<std::thread> threads;
  for (uint64_t writer = 1; writer <= 4; ++writer)
    threads.emplace_back([&, writer] { written += write_all_kinds(target, writer, 100); });
  for (std::thread& thread : threads) thread.join();
  CHECK(g_manners.stuck_in == Function::kBatch);
  g_manners.release();
  CHECK(target.session.end().ok());
  check_books(target.session, written);
}

}  // namespace
}  // namespace ringscribe
