// SPDX-License-Identifier: Apache-2.0
//
// spdlog's async logger under the harness: one thread, a queue of 65,536, callers wait when it is
// full (nothing is lost). Calls go to spdlog's null sink, sustained recordings to a text file.
#include "ringscribe/bench/harness.h"

#ifdef RINGSCRIBE_BENCH_SKIPPED
int main() { return bench::skip(RINGSCRIBE_BENCH_SKIPPED); }
#else

#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>

namespace {

class SpdlogAsync final : public bench::System {
 public:
  ~SpdlogAsync() override { spdlog::shutdown(); }

  std::vector<bench::Call> calls() override {
    open(std::make_shared<spdlog::sinks::null_sink_mt>());
    spdlog::logger* log = logger_.get();
    static const std::string text = "a message of 24 bytes ..";
    return {
        bench::ask("live_mark", [log](size_t) BENCH_INLINE { log->info("live mark"); }),
        bench::ask("live_range",
                   [log](size_t) BENCH_INLINE {
                     log->info("live range begin");
                     log->info("live range end");
                   }),
        bench::ask("live_counter", [log](size_t i) BENCH_INLINE { log->info("counter {}", i); }),
        bench::ask("live_message24", [log](size_t) BENCH_INLINE { log->info(text); }),
        bench::ask("live_event40",
                   [log](size_t i) BENCH_INLINE { log->info("event {} {} {} {}", i, 1, 2, 4.0); }),
        bench::ask("disabled", [log](size_t) BENCH_INLINE { log->debug("disabled mark"); }),
    };
  }
  void drain() override {
    while (spdlog::thread_pool()->queue_size() != 0) usleep(50);
  }
  std::optional<bench::Recording> sustain(std::string_view question,
                                          const std::string& folder) override {
    const bool is_range = question == "sustained_range";
    if (!is_range && !question.starts_with("sustained_live")) return std::nullopt;
    const std::string path = folder + "/bench.log";
    open(std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, true));
    auto produce = [log = logger_.get(), is_range](size_t, size_t count) {
      for (size_t i = 0; i < count; ++i) {
        log->info(is_range ? "live range begin" : "live mark");
        if (is_range) log->info("live range end");
      }
    };
    auto finish = [this, path] {
      logger_.reset();
      spdlog::shutdown();  // writes all out and closes the file
      bench::Outcome outcome;
      outcome.bytes = std::filesystem::file_size(path);
      return outcome;
    };
    return bench::Recording{produce, finish};
  }

 private:
  void open(spdlog::sink_ptr sink) {
    spdlog::init_thread_pool(65'536, 1);
    logger_ = std::make_shared<spdlog::async_logger>(
        "bench", std::move(sink), spdlog::thread_pool(), spdlog::async_overflow_policy::block);
  }
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<SpdlogAsync>(); });
}
#endif
