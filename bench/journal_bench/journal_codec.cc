// SPDX-License-Identifier: Apache-2.0
//
// journal_codec [OUTPUT [EVENTS]]: what does a batch of 4096 prepared events cost the journal, and
// how many bytes is an event in the file, with each codec? And what does reading it back cost?
// Batches are handed to the journal's SessionBackend directly; no recorder is involved.
//
// Minimum and median of five runs, interleaved. The file stays in the page cache or not as the
// machine has it: give a path on the disk that counts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/journal_writer.h"

namespace {

using namespace ringscribe;
using nvtxw::SessionBackend;

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr size_t kBatchEvents = 4096;
constexpr int kRuns = 5;

struct MarkRow {
  int64_t time;
  uint32_t color;
  uint32_t category;
  uint64_t message;
};
struct RangeRow {
  int64_t begin;
  int64_t end;
  uint32_t color;
  uint32_t category;
  uint64_t message;
};
struct UserRow {
  int64_t time;
  double price;
  uint64_t id;
  int64_t size;
  uint64_t flags;
};

void require(const Status& status) {
  if (status.ok()) return;
  status.print();
  std::exit(1);
}

nvtxPayloadSchemaEntry_t entry(uint64_t type, uint64_t offset, uint64_t flags = 0) {
  nvtxPayloadSchemaEntry_t result = {};
  result.type = type;
  result.offset = offset;
  result.flags = flags;
  return result;
}

void add_schema(SessionBackend& backend, uint64_t id,
                const std::vector<nvtxPayloadSchemaEntry_t>& entries, size_t row_bytes) {
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.entries = entries.data();
  attr.numEntries = entries.size();
  attr.payloadStaticSize = row_bytes;
  attr.schemaId = id;
  require(backend.schema(0, attr));
}

void define(SessionBackend& backend) {
  constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  constexpr uint64_t kColor = NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB;
  constexpr uint64_t kCategory = NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY;
  constexpr uint64_t kHandle = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
  require(backend.domain(0, ""));
  add_schema(backend, kId,
             {entry(kInt64, 0, NVTX_PAYLOAD_ENTRY_FLAG_MARK), entry(kColor, 8),
              entry(kCategory, 12), entry(kHandle, 16)},
             sizeof(MarkRow));
  add_schema(backend, kId + 1,
             {entry(kInt64, 0, NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN),
              entry(kInt64, 8, NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END), entry(kColor, 16),
              entry(kCategory, 20), entry(kHandle, 24)},
             sizeof(RangeRow));
  add_schema(backend, kId + 2,
             {entry(kInt64, 0, NVTX_PAYLOAD_ENTRY_FLAG_MARK),
              entry(NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, 8), entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, 16),
              entry(kInt64, 24), entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, 32)},
             sizeof(UserRow));
  nvtxCounterAttr_t counter = {};
  counter.structSize = sizeof(counter);
  counter.schemaId = kInt64;
  counter.counterId = kId + 9;
  require(backend.counter(0, counter));
  nvtxwStreamAttributes_t stream = {};
  stream.structSize = sizeof(stream);
  stream.name = "stream";
  require(backend.stream_open(0, 0, stream));
}

// Batches of one kind, repeated until there are enough events. `advance` makes their times go on.
struct Load {
  const char* name;
  uint64_t schema;  // 0: samples of the counter
  size_t row_bytes;
  std::vector<std::byte> rows;
  std::vector<int64_t> times;  // of samples
  std::vector<size_t> time_offsets;
  int64_t period = 0;

  void advance() {
    for (int64_t& time : times) time += period;
    for (const size_t offset : time_offsets) {
      for (size_t at = offset; at < rows.size(); at += row_bytes) {
        int64_t time;
        std::memcpy(&time, &rows[at], sizeof(time));
        time += period;
        std::memcpy(&rows[at], &time, sizeof(time));
      }
    }
  }
};

template <typename Row>
Load load_of(const char* name, uint64_t schema, const std::vector<Row>& rows,
             std::vector<size_t> time_offsets) {
  Load load = {name, schema, sizeof(Row), {}, {}, std::move(time_offsets)};
  const auto bytes = std::as_bytes(std::span(rows));
  load.rows.assign(bytes.begin(), bytes.end());
  return load;
}

// As events come: a tight loop with a pause now and then, in steps of the clock; or with work
// between them.
std::vector<Load> make_loads() {
  std::mt19937_64 random(1);
  int64_t now = int64_t{1} << 50;
  const auto tick = [&] {
    now += random() % 1000 == 0 ? 20000 : 26 * static_cast<int64_t>(1 + random() % 2);
    return now;
  };
  const auto work = [&] {
    now += 1000 + static_cast<int64_t>(random() % 4000);
    return now;
  };
  std::vector<MarkRow> marks, explicit_marks, site_marks;
  std::vector<RangeRow> ranges, site_ranges;
  std::vector<UserRow> user;
  std::vector<int64_t> samples;
  for (size_t i = 0; i < kBatchEvents; ++i) {
    marks.push_back({tick(), 0xFF00FF00, 3, 17});
    explicit_marks.push_back({static_cast<int64_t>(i), 0xFF00FF00, 3, 17});
    const auto site = static_cast<uint32_t>(random() % 8);
    site_marks.push_back({work(), 0x9E3779B9u * site, site % 3, 40 + site});
    const int64_t begin = tick();
    ranges.push_back({begin, tick(), 0xFF00FF00, 3, 17});
    const int64_t begin_work = work();
    site_ranges.push_back({begin_work, work(), 0x9E3779B9u * site, site % 3, 40 + site});
    user.push_back({static_cast<int64_t>(i * 100), 100.0 + static_cast<double>(random() % 1000) / 8,
                    i, static_cast<int64_t>(random() % 500), random() % 4});
    samples.push_back(static_cast<int64_t>(random() % 10000));
  }
  std::vector<Load> loads;
  loads.push_back(load_of("mark, tight loop, 1 site", kId, marks, {0}));
  loads.push_back(load_of("mark, explicit times 0, 1, 2, ...", kId, explicit_marks, {0}));
  loads.push_back(load_of("mark, 1-5 us apart, 8 sites", kId, site_marks, {0}));
  loads.push_back(load_of("range, tight loop, 1 site", kId + 1, ranges, {0, 8}));
  loads.push_back(load_of("range, 1-5 us, 8 sites", kId + 1, site_ranges, {0, 8}));
  loads.push_back(load_of("user event of 40 bytes", kId + 2, user, {0}));
  loads.push_back(load_of("64-bit counter sample", 0, samples, {}));
  for (size_t i = 0; i < kBatchEvents; ++i) loads.back().times.push_back(tick());
  for (Load& load : loads) load.period = now - (int64_t{1} << 50);
  return loads;
}

// Counts what it is given, so that reading is all that is measured.
class Counting : public SessionBackend {
 public:
  uint64_t bytes = 0;
  Status domain(uint32_t, std::string_view) override { return {}; }
  Status category(uint32_t, uint32_t, std::string_view) override { return {}; }
  Status string(uint32_t, uint64_t, std::string_view) override { return {}; }
  Status resource(uint32_t, const nvtxResourceAttributes_t&) override { return {}; }
  Status scope(uint32_t, const nvtxScopeAttr_t&) override { return {}; }
  Status schema(uint32_t, const nvtxPayloadSchemaAttr_t&) override { return {}; }
  Status enumeration(uint32_t, const nvtxPayloadEnumAttr_t&) override { return {}; }
  Status counter(uint32_t, const nvtxCounterAttr_t&) override { return {}; }
  Status time_domain(uint32_t, const nvtxTimeDomainAttr_t&) override { return {}; }
  Status stream_open(uint32_t, uint32_t, const nvtxwStreamAttributes_t&) override { return {}; }
  Status stream_close(uint32_t) override { return {}; }
  Status event(uint32_t, std::span<const nvtxPayloadData_t>) override { return {}; }
  Status event_batch(uint32_t, const nvtxEventBatch_t& batch) override {
    bytes += batch.size;
    return {};
  }
  Status counter_sample(uint32_t, int64_t, uint64_t, const void*, size_t) override { return {}; }
  Status counter_no_value(uint32_t, int64_t, uint64_t, uint8_t) override { return {}; }
  Status counter_batch(uint32_t, const nvtxCounterBatch_t& batch) override {
    bytes += batch.countersSize;
    return {};
  }
  Status sync_points(uint32_t, uint64_t, uint64_t, std::span<const nvtxSyncPoint_t>) override {
    return {};
  }
  Status conversion_factor(uint32_t, uint64_t, uint64_t, double, int64_t, int64_t) override {
    return {};
  }
  Status end() override { return {}; }
};

struct Figures {
  std::vector<double> write_ns, read_ns;
  double bytes = 0;
};

// Writes `events` events and reads them back. The time of making the next batch is left out.
void run(Load& load, const std::string& path, const char* codec, uint64_t events,
         Figures* figures) {
  using Clock = std::chrono::steady_clock;
  nvtxw::SessionConfig config;
  config.name = "bench";
  config.output = path;
  config.other = {{"journal_codec", codec}};
  auto session = journal::open_journal_session(config);
  require(session.status());
  SessionBackend& backend = *session.value();
  define(backend);
  Clock::duration spent{};
  const uint64_t batches = events / kBatchEvents;
  for (uint64_t i = 0; i < batches; ++i) {
    load.advance();
    const auto before = Clock::now();
    if (load.schema != 0) {
      nvtxEventBatch_t batch = {};
      batch.eventSchemaId = load.schema;
      batch.events = load.rows.data();
      batch.size = load.rows.size();
      batch.flags = NVTX_BATCH_FLAG_TIME_SORTED;
      require(backend.event_batch(0, batch));
    } else {
      nvtxCounterBatch_t batch = {};
      batch.counterId = kId + 9;
      batch.counters = load.rows.data();
      batch.countersSize = load.rows.size();
      batch.timestamps = load.times.data();
      batch.timestampsSize = load.times.size() * sizeof(int64_t);
      require(backend.counter_batch(0, batch));
    }
    spent += Clock::now() - before;
  }
  const auto before_end = Clock::now();
  require(backend.end());
  spent += Clock::now() - before_end;
  const auto total = static_cast<double>(batches * kBatchEvents);
  const auto ns = [](Clock::duration d) {
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
  };
  figures->write_ns.push_back(ns(spent) / total);
  figures->bytes = static_cast<double>(std::filesystem::file_size(path)) / total;
  Counting counting;
  const auto before_read = Clock::now();
  const auto summary = journal::replay(path, counting);
  figures->read_ns.push_back(ns(Clock::now() - before_read) / total);
  require(summary.status());
  if (counting.bytes != batches * load.rows.size()) std::abort();
  std::filesystem::remove(path);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
double minimum(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

}  // namespace

int main(int count, char** arguments) {
  const std::string output = count > 1 ? arguments[1] : "/tmp/journal_codec";
  const uint64_t events = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 4'000'000;
  constexpr const char* kCodecs[] = {"raw", "compact"};
  std::vector<Load> loads = make_loads();
  std::vector<Figures> figures(loads.size() * 2);
  for (int round = 0; round < kRuns; ++round) {
    for (size_t i = 0; i < figures.size(); ++i) {
      // A path of its own each time: what a process wrote it does not write over.
      const std::string path =
          output + "-" + std::to_string(round) + "-" + std::to_string(i) + ".rsj";
      run(loads[i / 2], path, kCodecs[i % 2], events, &figures[i]);
    }
  }
  std::printf("%llu events, batches of %zu; nanoseconds an event, minimum / median of %d runs\n",
              static_cast<unsigned long long>(events), kBatchEvents, kRuns);
  std::printf("%-34s %-8s %15s %10s %15s %8s\n", "what", "codec", "write", "million/s", "read",
              "bytes");
  for (size_t i = 0; i < figures.size(); ++i) {
    const Figures& found = figures[i];
    const double best = minimum(found.write_ns);
    std::printf("%-34s %-8s %7.2f / %5.2f %10.1f %7.2f / %5.2f %8.2f\n", loads[i / 2].name,
                kCodecs[i % 2], best, median(found.write_ns), 1000 / best, minimum(found.read_ns),
                median(found.read_ns), found.bytes);
  }
  return 0;
}
