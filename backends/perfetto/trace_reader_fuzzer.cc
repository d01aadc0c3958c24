// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a Perfetto trace. Its sink is told nothing that event_sink.h does not promise. The
// seeds are traces of our own, plain and compressed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/checking_sink.h"
#include "ringscribe/backends/model/sample_events.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"
#include "ringscribe/backends/nvtxw/memory_file.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/perfetto/perfetto_sink.h"
#include "ringscribe/backends/perfetto/trace_reader.h"

using namespace ringscribe;
using namespace ringscribe::perfetto;

namespace {

void write(model::EventSink& sink) {
  using model::Field;
  using model::TrackKind;
  const Field members[] = {{"x", model::number(1)}, {"y", model::floating(0.5)}};
  const Field fields[] = {{"items", model::number(64)},
                          {"at", model::nested(model::ValueKind::kStruct, members)},
                          {"list", model::nested(model::ValueKind::kArray, members)},
                          {"text", model::text("words")}};
  model::expect(sink.session("seed"));
  model::expect(sink.clock_point(1000, 5000));
  model::expect(sink.track({0, model::kNoTrack, TrackKind::kProcess, "engine", "", 7, 0, 0}));
  model::expect(sink.track({1, 0, TrackKind::kThread, "worker", "io", 7, 8, 1}));
  model::expect(sink.counter_track({0, 1, "depth", "orders", "how deep", "io", false}));
  model::Event inner = model::range(1, 20, 30, "inner");
  inner.fields = fields;
  inner.color_argb = 0xFF112233;
  model::expect(sink.event(inner));
  model::expect(sink.event(model::range(1, 10, 40, "outer")));
  model::expect(sink.event(model::range(1, 35, 60, "async", model::EventKind::kRangeStartEnd)));
  model::expect(sink.event(model::mark(1, 50, "mark")));
  model::CounterSample sample;
  sample.time = 45;
  sample.synchronised = true;
  sample.int_value = -3;
  model::expect(sink.counter_sample(sample));
  model::expect(sink.problem("something was wrong", 2));
  model::expect(sink.finish());
}

std::string trace(int compression_level) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("trace_seed_" + std::to_string(getpid()));
  auto file = output::OutputFile::create(path, output::Finish::kInPlace);
  fuzz_require(file.ok(), "a trace can be written");
  PerfettoSink sink(std::move(*file), {.compression_level = compression_level, .first_uuid = 1});
  write(sink);
  fuzz_require(model::failures == 0, "the sink takes the seed");
  const std::string written = sink.paths().at(0);
  std::ifstream in(written, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::filesystem::remove(written);
  return bytes;
}

}  // namespace

std::vector<std::string> ringscribe::fuzz_seeds() { return {trace(0), trace(6)}; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static nvtxw::MemoryFile file("trace");
  model::CheckingSink sink;
  Result<TraceSummary> read = read_trace(file.write(FuzzInput(data, size).rest()), sink);
  if (!read.ok()) return 0;
  fuzz_require(!(read->truncated && read->damaged), "a trace is cut or damaged, not both");
  fuzz_require(read->damaged == !read->damage.empty(), "damage is told");
  return 0;
}
