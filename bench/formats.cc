// SPDX-License-Identifier: Apache-2.0
//
// What each format makes of prepared batches, through NVTXW's table into a file:
//
//   range        the recorder's own rows: push/pop ranges with a registered message
//   nested       the same, four levels deep
//   user5        marks of a schema with five fields in 48-byte rows
//
// Each run is a session of its own, in a process of its own, with `--events` events in batches of
// 8192, which ends in the time that is taken: all of it is in the page cache then. Formats take
// turns. Printed are events a second, best and median of `--runs`, bytes an event, and the most
// memory that a run had; a range is one event. Not shown: the recorder in front, the disk behind.
//
//   bazel run -c opt //bench:formats -- [--runs N] [--events N] [--file PATH] [--only QUESTION]
//       [--formats FORMAT,...]      FORMAT: a name, with +KEY=VALUE of the configuration
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace rs = ringscribe;

namespace {

constexpr uint64_t kBuiltin = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 100;
constexpr uint64_t kUser = kBuiltin + 1;
constexpr size_t kBatchEvents = 8192;
constexpr size_t kNames = 16;

struct Options {
  int runs = 5;
  size_t events = 5'000'000;
  std::string file = "/tmp/bench_formats";
  std::string only;  // a question; all if empty
  std::string formats =
      "null,journal,perfetto,perfetto+perfetto_compression=deflate:1,chrome,ctf,sqlite";
};

// As runtime/text_rows.h has it.
struct RangeRow {
  int64_t begin;
  int64_t end;
  uint32_t color;
  uint32_t category;
  uint64_t message;
};

struct UserRow {
  int64_t time;
  int64_t a, b, c;
  double d;
  uint32_t e, f;
};

struct Question {
  const char* name;
  uint64_t schema;
  size_t row_bytes;
  // Makes the rows of a batch that begins at `time`; returns when the next one may begin.
  int64_t (*fill)(std::vector<std::byte>& rows, const uint64_t* names, int64_t time);
};

// Numbers that do not repeat soon, from 0 to 1023.
int64_t vary() {
  static uint64_t state = 88172645463325252U;
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  return static_cast<int64_t>(state % 1024);
}

template <typename Row>
Row* rows_of(std::vector<std::byte>& bytes) {
  return reinterpret_cast<Row*>(bytes.data());
}

int64_t fill_ranges(std::vector<std::byte>& bytes, const uint64_t* names, int64_t time) {
  auto* rows = rows_of<RangeRow>(bytes);
  for (size_t i = 0; i < kBatchEvents; ++i) {
    const int64_t end = time + 50 + vary() / 8;
    rows[i] = {time, end, 0, 0, names[i % kNames]};
    time = end + 20 + vary() / 16;
  }
  return time;
}

int64_t fill_nested(std::vector<std::byte>& bytes, const uint64_t* names, int64_t time) {
  auto* rows = rows_of<RangeRow>(bytes);
  for (size_t i = 0; i < kBatchEvents; i += 4) {
    const int64_t end = time + 400 + vary();
    for (size_t level = 0; level < 4; ++level) {
      const auto inset = static_cast<int64_t>(level) * 40;
      rows[i + level] = {time + inset, end - inset, 0, 0, names[(i / 4 + level) % kNames]};
    }
    time = end + 20;
  }
  return time;
}

int64_t fill_user(std::vector<std::byte>& bytes, const uint64_t*, int64_t time) {
  auto* rows = rows_of<UserRow>(bytes);
  for (size_t i = 0; i < kBatchEvents; ++i) {
    const int64_t value = vary();
    rows[i] = {time, value, -value, value * 1000, 0.5, static_cast<uint32_t>(value % 7), 0};
    time += 50 + value / 8;
  }
  return time;
}

void expect(int32_t result, const char* what) {
  if (result == NVTXW_RESULT_SUCCESS) return;
  std::fprintf(stderr, "%s failed with code %d\n", what, static_cast<int>(result));
  std::exit(1);
}

struct Entry {
  const char* name;
  uint64_t flags;
  uint64_t type;
  uint64_t offset;
};

void register_schema(const nvtxwInterface_v2_t* table, nvtxDomainHandle_t domain, uint64_t id,
                     const char* name, uint64_t flags, size_t row_bytes,
                     const std::vector<Entry>& list) {
  std::vector<nvtxPayloadSchemaEntry_t> entries(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    entries[i].name = list[i].name;
    entries[i].flags = list[i].flags;
    entries[i].type = list[i].type;
    entries[i].offset = list[i].offset;
  }
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.name = name;
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.flags = flags;
  attr.entries = entries.data();
  attr.numEntries = entries.size();
  attr.payloadStaticSize = row_bytes;
  attr.schemaId = id;
  expect(table->SchemaRegister(domain, &attr, &id), "SchemaRegister");
}

void register_schemas(const nvtxwInterface_v2_t* table, nvtxDomainHandle_t domain) {
  constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  // As runtime/builtin_schemas.cc registers it.
  register_schema(table, domain, kBuiltin, "range", NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP,
                  sizeof(RangeRow),
                  {{"begin", NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN, kInt64, 0},
                   {"end", NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END, kInt64, 8},
                   {"color", 0, NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, 16},
                   {"category", 0, NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, 20},
                   {"message", NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
                    NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, 24}});
  register_schema(table, domain, kUser, "user", NVTX_PAYLOAD_SCHEMA_FLAG_MARK, sizeof(UserRow),
                  {{"time", NVTX_PAYLOAD_ENTRY_FLAG_MARK, kInt64, 0},
                   {"a", 0, kInt64, 8},
                   {"b", 0, kInt64, 16},
                   {"c", 0, kInt64, 24},
                   {"d", 0, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, 32},
                   {"e", 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, 40}});
}

struct Result {
  double events_per_second;
  double bytes_per_event;
  double peak_mib;
};

uint64_t bytes_of(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) return 0;
  if (!fs::is_directory(path)) return fs::file_size(path);
  uint64_t sum = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) sum += entry.file_size();
  return sum;
}

// `format`: a name, with +KEY=VALUE behind it.
Result run(const Options& options, const Question& question, const std::string& format) {
  const nvtxwInterface_v2_t* table = rs::backends_interface();
  const std::string file = options.file + "." + std::to_string(getpid());
  std::string config = "format=" + format + "|output=" + file;
  std::replace(config.begin(), config.end(), '+', '|');
  nvtxwSessionAttributes_t session_attr = {};
  session_attr.structSize = sizeof(session_attr);
  session_attr.name = "bench";
  session_attr.configString = config.c_str();
  nvtxwSessionHandle_t session = {};
  expect(table->SessionBegin(&session_attr, &session), "SessionBegin");
  nvtxDomainHandle_t domain = {};
  nvtxwDomainAttributes_t domain_attr = {};
  domain_attr.structSize = sizeof(domain_attr);
  domain_attr.name = "bench";
  expect(table->DomainRegister(session, &domain_attr, &domain), "DomainRegister");
  register_schemas(table, domain);
  uint64_t names[kNames] = {};
  for (size_t i = 0; i < kNames; ++i) {
    nvtxStringHandle_t handle = {};
    const std::string text = "function number " + std::to_string(i);
    expect(table->StringRegister(domain, text.c_str(), &handle), "StringRegister");
    names[i] = reinterpret_cast<uint64_t>(handle);
  }
  nvtxwStreamAttributes_t stream_attr = {};
  stream_attr.structSize = sizeof(stream_attr);
  stream_attr.name = "stream";
  stream_attr.domain = domain;
  stream_attr.timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
  nvtxwStreamHandle_t stream = {};
  expect(table->StreamOpen(session, &stream_attr, &stream), "StreamOpen");

  std::vector<std::byte> rows(question.row_bytes * kBatchEvents);
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = question.schema;
  batch.size = rows.size();
  batch.events = rows.data();
  std::chrono::steady_clock::duration spent = {};
  size_t events = 0;
  const auto timed = [&spent](auto work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    spent += std::chrono::steady_clock::now() - begin;
  };
  for (int64_t time = 1'000'000'000'000'000; events < options.events; events += kBatchEvents) {
    time = question.fill(rows, names, time);
    timed([&] { expect(table->EventBatchWrite(stream, &batch), "EventBatchWrite"); });
  }
  expect(table->StreamClose(stream), "StreamClose");
  timed([&] { expect(table->SessionEnd(session), "SessionEnd"); });
  const auto bytes = static_cast<double>(bytes_of(file));
  std::filesystem::remove_all(file);
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto count = static_cast<double>(events);
  return {count / std::chrono::duration<double>(spent).count(), bytes / count,
          static_cast<double>(usage.ru_maxrss) / 1024};
}

Result run_in_a_child(const Options& options, const Question& question, const std::string& format) {
  int ends[2] = {-1, -1};
  expect(pipe(ends), "pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Result result = run(options, question, format);
    _exit(write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1);
  }
  close(ends[1]);
  Result result = {};
  const bool is_whole = read(ends[0], &result, sizeof(result)) == sizeof(result);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  expect(is_whole ? status : 1, ("format " + format).c_str());
  return result;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--runs") options.runs = std::max(1, std::atoi(argv[i + 1]));
    if (key == "--events") options.events = static_cast<size_t>(std::atoll(argv[i + 1]));
    if (key == "--file") options.file = argv[i + 1];
    if (key == "--only") options.only = argv[i + 1];
    if (key == "--formats") options.formats = argv[i + 1];
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const Question questions[] = {
      {"range", kBuiltin, sizeof(RangeRow), fill_ranges},
      {"nested", kBuiltin, sizeof(RangeRow), fill_nested},
      {"user5", kUser, sizeof(UserRow), fill_user},
  };
  const std::vector<std::string> formats = split(options.formats);
  size_t width = 10;
  for (const std::string& format : formats) width = std::max(width, format.size());
  const int column = static_cast<int>(width);
  std::printf("%-8s %-*s %10s %11s %12s %9s\n", "question", column, "format", "best M/s",
              "median M/s", "bytes/event", "peak MiB");
  for (const Question& question : questions) {
    if (!options.only.empty() && options.only != question.name) continue;
    std::vector<std::vector<double>> speeds(formats.size());
    std::vector<Result> last(formats.size());
    for (int i = 0; i < options.runs; ++i) {
      for (size_t f = 0; f < formats.size(); ++f) {
        last[f] = run_in_a_child(options, question, formats[f]);
        speeds[f].push_back(last[f].events_per_second / 1e6);
      }
    }
    for (size_t f = 0; f < formats.size(); ++f) {
      std::sort(speeds[f].begin(), speeds[f].end());
      std::printf("%-8s %-*s %10.1f %11.1f %12.2f %9.1f\n", question.name, column,
                  formats[f].c_str(), speeds[f].back(), speeds[f][speeds[f].size() / 2],
                  last[f].bytes_per_event, last[f].peak_mib);
    }
  }
  return 0;
}
