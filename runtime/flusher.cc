// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/flusher.h"

#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <chrono>

namespace ringscribe::runtime {

namespace {

// Ring space goes back to its producer in pieces, so that one who waits goes on early.
constexpr uint64_t kReleaseBytes = 64 * 1024;
constexpr int64_t kSyncPointIntervalNs = 1'000'000'000;
constexpr int64_t kLookIntervalNs = 1'000'000;
constexpr int64_t kClockWarningIntervalNs = 1'000'000'000;

// Records of a run, which are read twice: the second time from the nearest cache.
constexpr uint64_t kRunBytes = 8 * 1024;

uint64_t events_in(const Header& header, const uint8_t* body) noexcept {
  const bool is_batch = header.kind == RecordKind::kEventBatch ||
                        header.kind == RecordKind::kCounterBatch ||
                        header.kind == RecordKind::kSyncPoints;
  return is_batch ? low_word(load_word(body)) : 1;
}

// After every fourth step in a row without a record the naps are twice as long, up to 16 times, but
// no longer than 100 ms (or the interval).
uint64_t doze_ns(uint64_t interval_ns, uint64_t empty_steps) noexcept {
  constexpr uint64_t kLongestNs = 100'000'000;
  const uint64_t grown = interval_ns << std::min<uint64_t>(empty_steps / 4, 4);
  return std::max(interval_ns, std::min(grown, kLongestNs));
}

// How many records from `data` on, before `end`, have the header of the first.
uint64_t run_length(const uint8_t* data, const uint8_t* end, uint64_t record_bytes) noexcept {
  const uint64_t word = load_word(data);
  uint64_t count = 1;
  for (data += record_bytes; data < end && load_word(data) == word; data += record_bytes) ++count;
  return count;
}

}  // namespace

Flusher::Flusher(ThreadRegistry* threads, StreamTable* streams, uint64_t interval_ns, bool may_doze,
                 std::string_view cpus, CrashFolder* crash)
    : threads_(threads),
      streams_(streams),
      interval_ns_(interval_ns),
      may_doze_(may_doze),
      cpus_(cpus),
      crash_(crash) {}

void Flusher::add_session(SessionState* session) {
  sessions_.push_back(session);
  if (sessions_.size() > 1) return;
  // What the clocks did while nothing was recorded is nobody's concern.
  clock_watch_ = ClockWatch(clock_kind());
  (void)clock_watch_.look(take_sync_point(), read_suspended_ns());
}

void Flusher::remove_session(SessionState* session) {
  sessions_.erase(std::remove(sessions_.begin(), sessions_.end(), session), sessions_.end());
}

void Flusher::add_stream(StreamWriter* writer) {
  if (writer->number() >= writers_.size()) writers_.resize(writer->number() + 64u, nullptr);
  writers_[writer->number()] = writer;
}

void Flusher::remove_stream(StreamWriter* writer) { writers_[writer->number()] = nullptr; }

uint64_t Flusher::step() {
  const StepLock lock(*this);
  return step_locked();
}

uint64_t Flusher::step_locked() {
  for (SessionState* session : sessions_) session->register_pending();
  // First, so that what is read lies between two points of the clocks, not behind the last.
  watch_clocks();
  uint64_t records = 0;
  threads_->for_each_ring([&](SpscRing* ring) { records += read_ring(*ring); });
  for (StreamWriter* writer : step_writers_) {
    writer->end_step();
    writer->is_in_step_list = false;
  }
  step_writers_.clear();
  for (SessionState* session : sessions_) session->report_losses();
  if (crash_ != nullptr) crash_->commit(nullptr, 0);
  threads_->keep_spares();
  return records;
}

void Flusher::watch_clocks() {
  if (sessions_.empty()) return;
  SyncPoint now = {};
  now.monotonic_ns = static_cast<int64_t>(monotonic_now_ns());
  if (now.monotonic_ns - last_look_ns_ < kLookIntervalNs) return;
  last_look_ns_ = now.monotonic_ns;
  now = take_sync_point();
  int64_t suspended_ns = read_suspended_ns();
  if (clock_watch_.examine(now, suspended_ns).is_irregular) {
    // Or this thread was not running between two readings.
    now = take_sync_point();
    suspended_ns = read_suspended_ns();
  }
  threads_->set_earliest_time(now.ticks);
  const ClockWatch::Finding found = clock_watch_.look(now, suspended_ns);
  const bool is_due = found.is_irregular || now.monotonic_ns >= next_sync_point_ns_;
  // Sockets that are not in step would be told of at each change of CPU.
  const bool may_say = now.monotonic_ns >= next_clock_warning_ns_;
  if (!found.sentence.empty() && !may_say) ++unsaid_clock_warnings_;
  String sentence;
  if (!found.sentence.empty() && may_say) {
    sentence = found.sentence;
    if (unsaid_clock_warnings_ != 0)
      sentence += " (and " + String(std::to_string(unsaid_clock_warnings_)) +
                  " times since the clocks were last spoken of)";
    unsaid_clock_warnings_ = 0;
    next_clock_warning_ns_ = now.monotonic_ns + kClockWarningIntervalNs;
    log(LogLevel::kWarn, "%s", sentence.c_str());
  }
  for (SessionState* session : sessions_) {
    if (found.is_irregular) session->write_sync_point(found.before);
    if (is_due) session->write_sync_point(now);
    if (!sentence.empty()) session->write_own_mark("clock: " + sentence);
  }
  if (is_due) next_sync_point_ns_ = now.monotonic_ns + kSyncPointIntervalNs;
}

uint64_t Flusher::read_ring(SpscRing& ring) {
  // What is committed later waits for the next step, so every step ends.
  const uint64_t end = ring.readable();
  uint64_t pos = ring.read_pos();
  uint64_t released = pos;
  uint64_t records = 0;
  while (pos != end) {
    const uint8_t* data = ring.at(pos);
    const Header header = parse_header(load_word(data));
    if (header.kind == RecordKind::kThread) {
      end_ring();
      const uint64_t ids = load_word(data + 8);
      ring.reading.number = low_word(ids);
      ring.reading.system_id = high_word(ids);
      std::memcpy(ring.reading.name, data + 16, sizeof ring.reading.name);
      pos += header.record_bytes;
    } else if (header.kind == RecordKind::kFiller) {
      pos += header.record_bytes;
    } else {
      const uint64_t bytes_max = std::min({end - pos, ring.lap_end(pos) - pos, kRunBytes});
      const uint64_t count = run_length(data, data + bytes_max, header.record_bytes);
      dispatch(header, data, count, ring.reading);
      records += count;
      pos += count * header.record_bytes;
    }
    if (pos - released >= kReleaseBytes) {
      if (crash_ != nullptr) end_ring();
      release(ring, pos);
      released = pos;
    }
  }
  if (crash_ != nullptr) end_ring();
  if (pos != released) release(ring, pos);
  end_ring();
  return records;
}

void Flusher::release(SpscRing& ring, uint64_t pos) {
  if (crash_ != nullptr) {
    // Only what the backend has been given may be forgotten. The caller has ended the ring; samples
    // wait for the end of the step otherwise.
    for (StreamWriter* writer : step_writers_) writer->end_step();
    crash_->commit(&ring, pos);
  }
  ring.release(pos);
}

void Flusher::dispatch(const Header& header, const uint8_t* records, uint64_t count,
                       const SpscRing::Thread& thread) {
  StreamWriter* writer = header.stream < writers_.size() ? writers_[header.stream] : nullptr;
  if (writer == nullptr) {
    // Written in the moment when the stream was being closed (stream_table.h).
    for (uint64_t i = 0; i < count; ++i, records += header.record_bytes)
      streams_->count_loss(header.stream, LossCause::kStreamClosed, events_in(header, records + 8));
    return;
  }
  if (writer->hands_on_a_range_id(header)) end_ring();
  if (!writer->is_in_ring_list) {
    writer->is_in_ring_list = true;
    ring_writers_.push_back(writer);
  }
  if (!writer->is_in_step_list) {
    writer->is_in_step_list = true;
    step_writers_.push_back(writer);
  }
  writer->write(header, records, count, thread, sequence_ + 1);
  sequence_ += count;
}

void Flusher::end_ring() {
  singles_.clear();
  for (StreamWriter* writer : ring_writers_) {
    writer->begin_end_of_ring();
    for (const SingleEvents::Single& single : writer->singles())
      singles_.emplace_back(single.sequence, writer);
  }
  if (ring_writers_.size() > 1) std::sort(singles_.begin(), singles_.end());
  for (const auto& [sequence, writer] : singles_) writer->write_next_single();
  for (StreamWriter* writer : ring_writers_) {
    writer->end_ring();
    writer->is_in_ring_list = false;
  }
  ring_writers_.clear();
}

bool Flusher::start() {
  if (is_running()) return true;
  stop_asked_ = false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int result = pthread_create(
      &thread_, nullptr,
      [](void* self) -> void* {
        static_cast<Flusher*>(self)->run();
        return nullptr;
      },
      this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (result != 0) {
    log(LogLevel::kError,
        "no thread for the flusher (errno %d): events are written at flush() "
        "and end() only",
        result);
    return false;
  }
  is_running_.store(true, std::memory_order_release);
  return true;
}

void Flusher::stop() {
  if (!is_running()) return;
  {
    const std::lock_guard lock(flush_mutex_);
    stop_asked_ = true;
  }
  wake_up_.wake();
  pthread_join(thread_, nullptr);
  {
    // A flush() that asked after the thread's last look has to step by itself.
    const std::lock_guard lock(flush_mutex_);
    is_running_.store(false, std::memory_order_release);
  }
  flush_done_.notify_all();
}

void Flusher::run() {
  const MustNotWait guard;
  pthread_setname_np(pthread_self(), "ringscribe");
  if (!cpus_.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    parse_cpu_list(
        cpus_, CPU_SETSIZE,
        [](void* to, unsigned cpu) { CPU_SET(cpu, static_cast<cpu_set_t*>(to)); }, &set);
    if (const int error = pthread_setaffinity_np(pthread_self(), sizeof set, &set); error != 0)
      log(LogLevel::kWarn,
          "RINGSCRIBE_FLUSHER_CPU=\"%s\" names no CPU of this machine (errno %d); "
          "the flusher runs on any",
          cpus_.c_str(), error);
  }
  uint64_t empty_steps = 0;
  for (bool stop = false; !stop;) {
    uint64_t asked;
    {
      const std::lock_guard lock(flush_mutex_);
      asked = flushes_asked_;
      stop = stop_asked_;
    }
    empty_steps = step() == 0 ? empty_steps + 1 : 0;
    {
      const std::lock_guard lock(flush_mutex_);
      flushes_done_ = asked;
    }
    flush_done_.notify_all();
    if (after_step_ != nullptr) after_step_(after_step_context_);
    let_waiting_go();
    if (!stop) wake_up_.nap(may_doze_ ? doze_ns(interval_ns_, empty_steps) : interval_ns_);
  }
}

// A mutex is not fair: a thread that waits for it is awake only when it is taken again.
void Flusher::let_waiting_go() {
  constexpr uint64_t kPauseNs = 20'000;
  for (int i = 0; i < 50 && waiting_.load(std::memory_order_relaxed) > 0; ++i) pause_for(kPauseNs);
}

bool Flusher::flush(uint64_t longest_ns) {
  if (!is_running()) {
    step();
    return true;
  }
  const MustNotWait guard;
  std::unique_lock lock(flush_mutex_);
  const uint64_t mine = ++flushes_asked_;
  wake_up_.wake();
  const auto is_over = [&] { return flushes_done_ >= mine || !is_running(); };
  if (longest_ns == 0) {
    flush_done_.wait(lock, is_over);
  } else if (!flush_done_.wait_for(lock, std::chrono::nanoseconds(longest_ns), is_over)) {
    return false;
  }
  if (flushes_done_ >= mine) return true;
  lock.unlock();
  step();
  return true;
}

}  // namespace ringscribe::runtime
