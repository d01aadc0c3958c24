// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/bench/prepared_session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "ringscribe/backends/factory.h"

namespace ringscribe::bench {
namespace {

constexpr uint64_t kBuiltin = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 100;
constexpr uint64_t kUser = kBuiltin + 1;
constexpr uint64_t kText = kBuiltin + 2;

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

// Numbers that do not repeat soon, from 0 to 1023.
int64_t vary() {
  static uint64_t state = 88172645463325252U;
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  return static_cast<int64_t>(state % 1024);
}

template <typename Row>
Row* rows_of(PreparedRows& to) {
  return reinterpret_cast<Row*>(to.rows.data());
}

void fill_ranges(PreparedRows& to) {
  auto* rows = rows_of<RangeRow>(to);
  int64_t& time = to.time;
  for (size_t i = 0; i < kBatchEvents; ++i) {
    const int64_t end = time + 50 + vary() / 8;
    rows[i] = {time, end, 0, 0, to.names[i % kNames]};
    time = end + 20 + vary() / 16;
  }
}

void fill_nested(PreparedRows& to) {
  auto* rows = rows_of<RangeRow>(to);
  int64_t& time = to.time;
  for (size_t i = 0; i < kBatchEvents; i += 4) {
    const int64_t end = time + 400 + vary();
    for (size_t level = 0; level < 4; ++level) {
      const auto inset = static_cast<int64_t>(level) * 40;
      rows[i + level] = {time + inset, end - inset, 0, 0, to.names[(i / 4 + level) % kNames]};
    }
    time = end + 20;
  }
}

void fill_user(PreparedRows& to) {
  auto* rows = rows_of<UserRow>(to);
  int64_t& time = to.time;
  for (size_t i = 0; i < kBatchEvents; ++i) {
    const int64_t value = vary();
    rows[i] = {time, value, -value, value * 1000, 0.5, static_cast<uint32_t>(value % 7), 0};
    time += 50 + value / 8;
  }
}

void fill_texts(PreparedRows& to) {
  constexpr size_t kTextBytes = 24;
  to.texts.assign(kBatchEvents * kTextBytes, '\0');
  fill_ranges(to);
  auto* rows = rows_of<RangeRow>(to);
  for (size_t i = 0; i < kBatchEvents; ++i) {
    char* text = to.texts.data() + i * kTextBytes;
    // Every fourth text never comes again.
    const int64_t number = i % 4 == 0 ? to.time + static_cast<int64_t>(i) : vary();
    std::snprintf(text, kTextBytes, "req %lld", static_cast<long long>(number));
    rows[i].message = reinterpret_cast<uint64_t>(text);
  }
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
  // As runtime/builtin_schemas.cc registers it; the message is a handle or a text.
  const auto ranges = [&](uint64_t id, const char* name, uint64_t message) {
    register_schema(table, domain, id, name, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP,
                    sizeof(RangeRow),
                    {{"begin", NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN, kInt64, 0},
                     {"end", NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END, kInt64, 8},
                     {"color", 0, NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, 16},
                     {"category", 0, NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, 20},
                     {"message", NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, message, 24}});
  };
  ranges(kBuiltin, "range", NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE);
  ranges(kText, "text", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8);
  register_schema(table, domain, kUser, "user", NVTX_PAYLOAD_SCHEMA_FLAG_MARK, sizeof(UserRow),
                  {{"time", NVTX_PAYLOAD_ENTRY_FLAG_MARK, kInt64, 0},
                   {"a", 0, kInt64, 8},
                   {"b", 0, kInt64, 16},
                   {"c", 0, kInt64, 24},
                   {"d", 0, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, 32},
                   {"e", 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, 40}});
}

constexpr Question kQuestions[] = {
    {"range", kBuiltin, sizeof(RangeRow), fill_ranges},
    {"nested", kBuiltin, sizeof(RangeRow), fill_nested},
    {"text", kText, sizeof(RangeRow), fill_texts},
    {"user5", kUser, sizeof(UserRow), fill_user},
};

}  // namespace

std::span<const Question> questions() { return kQuestions; }

void expect(int32_t result, const char* what) {
  if (result == NVTXW_RESULT_SUCCESS) return;
  std::fprintf(stderr, "%s failed with code %d\n", what, static_cast<int>(result));
  std::exit(1);
}

PreparedSession::PreparedSession(const std::string& config) : table_(backends_interface()) {
  nvtxwSessionAttributes_t session_attr = {};
  session_attr.structSize = sizeof(session_attr);
  session_attr.name = "bench";
  session_attr.configString = config.c_str();
  expect(table_->SessionBegin(&session_attr, &session_), "SessionBegin");
  nvtxDomainHandle_t domain = {};
  nvtxwDomainAttributes_t domain_attr = {};
  domain_attr.structSize = sizeof(domain_attr);
  domain_attr.name = "bench";
  expect(table_->DomainRegister(session_, &domain_attr, &domain), "DomainRegister");
  register_schemas(table_, domain);
  for (size_t i = 0; i < kNames; ++i) {
    nvtxStringHandle_t handle = {};
    const std::string text = "function number " + std::to_string(i);
    expect(table_->StringRegister(domain, text.c_str(), &handle), "StringRegister");
    rows_.names[i] = reinterpret_cast<uint64_t>(handle);
  }
  nvtxwStreamAttributes_t stream_attr = {};
  stream_attr.structSize = sizeof(stream_attr);
  stream_attr.name = "stream";
  stream_attr.domain = domain;
  stream_attr.timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
  expect(table_->StreamOpen(session_, &stream_attr, &stream_), "StreamOpen");
}

void PreparedSession::fill(const Question& question) {
  schema_ = question.schema;
  rows_.texts.clear();
  rows_.rows.resize(question.row_bytes * kBatchEvents);
  question.fill(rows_);
}

void PreparedSession::write() {
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = schema_;
  batch.size = rows_.rows.size();
  batch.events = rows_.rows.data();
  batch.flexData = rows_.texts.empty() ? nullptr : rows_.texts.data();
  batch.flexDataSize = rows_.texts.size();
  expect(table_->EventBatchWrite(stream_, &batch), "EventBatchWrite");
}

void PreparedSession::close_stream() { expect(table_->StreamClose(stream_), "StreamClose"); }
void PreparedSession::end() { expect(table_->SessionEnd(session_), "SessionEnd"); }

uint64_t bytes_of(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) return 0;
  if (!fs::is_directory(path)) return fs::file_size(path);
  uint64_t sum = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) sum += entry.file_size();
  return sum;
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

}  // namespace ringscribe::bench
