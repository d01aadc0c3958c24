// SPDX-License-Identifier: Apache-2.0
//
// LTTng-UST under the harness. lttng_session.py, which compare.py uses, starts a session daemon and
// a session around this program; RINGSCRIBE_BENCH_LTTNG_STOP is then the command that stops the
// session, after which all is in its files.
#include "ringscribe/bench/harness.h"

#ifdef RINGSCRIBE_BENCH_SKIPPED
int main() { return bench::skip(RINGSCRIBE_BENCH_SKIPPED); }
#else

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "bench/peers/lttng_ust_provider.h"

namespace {

class LttngUst final : public bench::System {
 public:
  std::vector<bench::Call> calls() override {
    static const char text[] = "a message of 24 bytes ..";
    return {
        bench::ask("live_mark",
                   [](size_t) BENCH_INLINE { lttng_ust_tracepoint(ringscribe_bench, mark); }),
        bench::ask("live_range",
                   [](size_t) BENCH_INLINE {
                     lttng_ust_tracepoint(ringscribe_bench, range_begin);
                     lttng_ust_tracepoint(ringscribe_bench, range_end);
                   }),
        bench::ask("live_counter",
                   [](size_t i) BENCH_INLINE {
                     lttng_ust_tracepoint(ringscribe_bench, counter, static_cast<int64_t>(i));
                   }),
        bench::ask("live_message24",
                   [](size_t)
                       BENCH_INLINE { lttng_ust_tracepoint(ringscribe_bench, message, text, 24); }),
        bench::ask("live_event40",
                   [](size_t i) BENCH_INLINE {
                     lttng_ust_tracepoint(ringscribe_bench, event40, static_cast<int64_t>(i), 1, 2,
                                          4.0);
                   }),
        bench::ask("disabled",
                   [](size_t) BENCH_INLINE { lttng_ust_tracepoint(ringscribe_bench, off); }),
    };
  }
  // The consumer daemon takes whole sub-buffers and cannot be asked; 32 MiB of them hold all that
  // is written between two drains.
  void drain() override { usleep(2000); }
  std::optional<bench::Recording> sustain(std::string_view question, const std::string&) override {
    const bool is_range = question == "sustained_range";
    if (!is_range && !question.starts_with("sustained_live")) return std::nullopt;
    auto produce = [is_range](size_t, size_t count) {
      if (is_range)
        for (size_t i = 0; i < count; ++i) {
          lttng_ust_tracepoint(ringscribe_bench, range_begin);
          lttng_ust_tracepoint(ringscribe_bench, range_end);
        }
      else
        for (size_t i = 0; i < count; ++i) lttng_ust_tracepoint(ringscribe_bench, mark);
    };
    auto finish = [] {
      const char* stop = std::getenv("RINGSCRIBE_BENCH_LTTNG_STOP");
      if (stop != nullptr && std::system(stop) != 0)
        std::fprintf(stderr, "lttng-ust: '%s' failed\n", stop);
      return bench::Outcome{};  // bytes and losses are the session's to say
    };
    return bench::Recording{produce, finish};
  }
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<LttngUst>(); });
}
#endif
