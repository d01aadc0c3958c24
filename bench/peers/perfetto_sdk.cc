// SPDX-License-Identifier: Apache-2.0
//
// The Perfetto SDK under the harness: its service in this process, a central buffer of 1 GiB that
// the trace is read from when it stops (so that nothing is overwritten), shared memory of 32 MiB.
// The packets of the trace are counted; what is not there was lost.
#include "ringscribe/bench/harness.h"

#ifdef RINGSCRIBE_BENCH_SKIPPED
int main() { return bench::skip(RINGSCRIBE_BENCH_SKIPPED); }
#else

#include <perfetto.h>
#include <unistd.h>

#include <cstdio>

PERFETTO_DEFINE_CATEGORIES(perfetto::Category("bench"), perfetto::Category("off"));
PERFETTO_TRACK_EVENT_STATIC_STORAGE();

namespace {

// How often packets with a track event stand in the trace: the top level of a trace is packets
// (field 1), and field 11 of a packet is the track event.
uint64_t read_varint(const std::vector<char>& data, size_t& at, size_t end) {
  uint64_t value = 0;
  for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(data[at++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}
bool has_track_event(const std::vector<char>& data, size_t at, size_t end) {
  while (at < end) {
    const uint64_t tag = read_varint(data, at, end);
    if (tag >> 3 == 11) return true;
    switch (tag & 7) {
      case 0:
        read_varint(data, at, end);
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const uint64_t bytes = read_varint(data, at, end);
        at += bytes;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        return false;
    }
  }
  return false;
}
uint64_t count_events(const std::vector<char>& trace) {
  uint64_t count = 0;
  for (size_t at = 0; at < trace.size();) {
    read_varint(trace, at, trace.size());
    const uint64_t bytes = read_varint(trace, at, trace.size());
    const size_t end = std::min(trace.size(), at + bytes);
    count += has_track_event(trace, at, end);
    at = end;
  }
  return count;
}

class PerfettoSdk final : public bench::System {
 public:
  PerfettoSdk() {
    perfetto::TracingInitArgs init;
    init.backends = perfetto::kInProcessBackend;
    init.shmem_size_hint_kb = 32 * 1024;
    init.log_message_callback = [](perfetto::LogMessageCallbackArgs) {};
    perfetto::Tracing::Initialize(init);
    perfetto::TrackEvent::Register();
    perfetto::TraceConfig config;
    config.add_buffers()->set_size_kb(1024 * 1024);
    auto* source = config.add_data_sources()->mutable_config();
    source->set_name("track_event");
    perfetto::protos::gen::TrackEventConfig events;
    events.add_enabled_categories("bench");
    events.add_disabled_categories("*");
    source->set_track_event_config_raw(events.SerializeAsString());
    session_ = perfetto::Tracing::NewTrace();
    session_->Setup(config);
    session_->StartBlocking();
  }
  ~PerfettoSdk() override {
    if (session_) session_->StopBlocking();
  }
  std::vector<bench::Call> calls() override {
    static const std::string text = "a message of 24 bytes ..";
    return {
        bench::ask("live_mark",
                   [](size_t) BENCH_INLINE { TRACE_EVENT_INSTANT("bench", "live mark"); }),
        bench::ask("live_range", [](size_t) BENCH_INLINE { TRACE_EVENT("bench", "live range"); }),
        bench::ask("live_counter",
                   [](size_t i) BENCH_INLINE { TRACE_COUNTER("bench", "counter", i); }),
        bench::ask("live_message24",
                   [](size_t) BENCH_INLINE {
                     TRACE_EVENT_INSTANT("bench", perfetto::DynamicString(text));
                   }),
        bench::ask("live_event40",
                   [](size_t i) BENCH_INLINE {
                     TRACE_EVENT_INSTANT("bench", "event", "a", i, "b", 2, "c", 3, "d", 4.0);
                   }),
        bench::ask("explicit_mark",
                   [](size_t i) BENCH_INLINE {
                     TRACE_EVENT_INSTANT("bench", "explicit mark", perfetto::Track(1), i + 1);
                   }),
        bench::ask("disabled",
                   [](size_t) BENCH_INLINE { TRACE_EVENT_INSTANT("off", "disabled mark"); }),
    };
  }
  void drain() override { usleep(2000); }

  std::optional<bench::Recording> sustain(std::string_view question,
                                          const std::string& folder) override {
    const bool is_range = question.find("range") != question.npos;
    if (question.find("explicit") != question.npos) return std::nullopt;
    auto written = std::make_shared<std::atomic<uint64_t> >(0);
    auto produce = [is_range, written](size_t, size_t count) {
      *written += is_range ? 2 * count : count;
      if (is_range)
        for (size_t i = 0; i < count; ++i) {
          TRACE_EVENT("bench", "live range");
        }
      else
        for (size_t i = 0; i < count; ++i) TRACE_EVENT_INSTANT("bench", "live mark");
      perfetto::TrackEvent::Flush();
    };
    auto finish = [this, folder, is_range, written] {
      bench::Outcome outcome;
      session_->StopBlocking();
      const std::vector<char> trace = session_->ReadTraceBlocking();
      session_.reset();
      if (FILE* file = std::fopen((folder + "/bench.pftrace").c_str(), "wb"); file != nullptr) {
        if (std::fwrite(trace.data(), 1, trace.size(), file) != trace.size())
          std::perror("perfetto-sdk: write");
        std::fclose(file);
      }
      outcome.end_ns = bench::now_ns();
      outcome.bytes = trace.size();
      outcome.lost =
          (*written - std::min<uint64_t>(*written, count_events(trace))) / (is_range ? 2 : 1);
      return outcome;
    };
    return bench::Recording{produce, finish};
  }

 private:
  std::unique_ptr<perfetto::TracingSession> session_;
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<PerfettoSdk>(); });
}
#endif
