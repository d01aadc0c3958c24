// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/sample_session.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/journal_reader.h"

namespace ringscribe::journal {
namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kDynamicId = uint64_t{1} << 32;

// Calls until one fails.
class Calls {
 public:
  explicit Calls(nvtxw::SessionBackend& backend) : backend_(backend) {}
  template <typename Call>
  void operator()(Call call) {
    if (status_.ok()) status_ = call(backend_);
  }
  Status status() const { return status_; }

 private:
  nvtxw::SessionBackend& backend_;
  Status status_;
};

using Backend = nvtxw::SessionBackend;

nvtxSemanticsTime_t time_semantics(const nvtxSemanticsHeader_t* next) {
  nvtxSemanticsTime_t time = {};
  time.header = {sizeof(time), NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION, next};
  time.timeDomainId = kId + 90;
  return time;
}

nvtxSemanticsScope_t scope_semantics(const nvtxSemanticsHeader_t* next) {
  nvtxSemanticsScope_t scope = {};
  scope.header = {sizeof(scope), NVTX_SEMANTIC_ID_SCOPE_V1, NVTX_SCOPE_SEMANTIC_VERSION, next};
  scope.scopeId = kDynamicId + 1;
  return scope;
}

nvtxSemanticsCounter_t counter_semantics(const nvtxSemanticsHeader_t* next) {
  nvtxSemanticsCounter_t counter = {};
  counter.header = {sizeof(counter), NVTX_SEMANTIC_ID_COUNTERS_V1, NVTX_COUNTER_SEMANTIC_VERSION,
                    next};
  counter.flags = NVTX_COUNTER_FLAG_LIMITS | NVTX_COUNTER_FLAG_VALUETYPE_DELTA;
  counter.unit = "orders/s";
  counter.unitScaleNumerator = 1000;
  counter.unitScaleDenominator = 3;
  counter.limitType = NVTX_COUNTER_LIMIT_F64;
  counter.min.f64 = -1.5;
  counter.max.f64 = 1e300;
  return counter;
}

Status sample_schema(Backend& backend) {
  const nvtxSemanticsCounter_t counter = counter_semantics(nullptr);
  const nvtxSemanticsScope_t scope = scope_semantics(&counter.header);
  const nvtxSemanticsTime_t time = time_semantics(&scope.header);
  nvtxPayloadSchemaEntry_t entries[3] = {};
  entries[0].flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK;
  entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  entries[0].name = "when";
  entries[0].description = "the time of it";
  entries[0].semantics = &time.header;
  entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32;
  entries[1].arrayOrUnionDetail = 2;
  entries[1].offset = 8;
  entries[1].name = "";
  entries[2].type = kId + 20;
  entries[2].offset = 16;
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask =
      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.name = "mark";
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.flags = NVTX_PAYLOAD_SCHEMA_FLAG_MARK;
  attr.entries = entries;
  attr.numEntries = 3;
  attr.payloadStaticSize = 24;
  attr.packAlign = 4;
  attr.schemaId = kDynamicId;
  return backend.schema(0, attr);
}

Status sample_enum(Backend& backend) {
  const nvtxPayloadEnum_t entries[2] = {{"buy", 1, 0}, {nullptr, UINT64_MAX, 1}};
  nvtxPayloadEnumAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME | NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
  attr.name = "side";
  attr.entries = entries;
  attr.numEntries = 2;
  attr.sizeOfEnum = 4;
  attr.schemaId = kId + 20;
  return backend.enumeration(0, attr);
}

// A resource whose message is a text, a wide text, a registered string, and none.
Status sample_resources(Backend& backend) {
  Calls call(backend);
  for (const int32_t type : {int32_t{NVTX_MESSAGE_TYPE_ASCII}, int32_t{NVTX_MESSAGE_TYPE_UNICODE},
                             int32_t{NVTX_MESSAGE_TYPE_REGISTERED}, 0}) {
    nvtxResourceAttributes_t attr = {};
    attr.version = NVTX_VERSION;
    attr.size = sizeof(attr);
    attr.identifierType = NVTX_RESOURCE_TYPE_GENERIC_POINTER;
    attr.identifier.ullValue = 0xABCDEF0123456789;
    attr.messageType = type;
    if (type == NVTX_MESSAGE_TYPE_ASCII) attr.message.ascii = "lock";
    if (type == NVTX_MESSAGE_TYPE_UNICODE) attr.message.unicode = L"l\u00f6ck";
    if (type == NVTX_MESSAGE_TYPE_REGISTERED) {
      attr.message.registered = reinterpret_cast<nvtxStringHandle_t>(uint64_t{77});
    }
    call([&](Backend& b) { return b.resource(1, attr); });
  }
  return call.status();
}

Status sample_definitions(Backend& backend) {
  Calls call(backend);
  call([](Backend& b) { return b.domain(0, ""); });
  call([](Backend& b) { return b.domain(1, "Lib\xC3\xB6"); });
  call([](Backend& b) { return b.category(1, 4, "hot"); });
  call([](Backend& b) { return b.string(1, 77, std::string_view("a\0b", 3)); });
  call(sample_resources);
  const nvtxScopeAttr_t scope = {sizeof(nvtxScopeAttr_t), "Process[1:x]/Thread[2]",
                                 NVTX_SCOPE_CURRENT_VM, kDynamicId + 1};
  call([&](Backend& b) { return b.scope(0, scope); });
  const nvtxScopeAttr_t unnamed = {sizeof(nvtxScopeAttr_t), nullptr, NVTX_SCOPE_ROOT, kId};
  call([&](Backend& b) { return b.scope(1, unnamed); });
  const nvtxTimeDomainAttr_t time = {NVTX_SCOPE_ROOT, NVTX_TIMESTAMP_TYPE_CPU_TSC,
                                     kId + 90,        NVTX_TIMER_FLAG_CLOCK_STEADY,
                                     2100000000,      NVTX_TIMER_START_SYSTEM_BOOT};
  call([&](Backend& b) { return b.time_domain(0, time); });
  call(sample_enum);
  call(sample_schema);
  const nvtxSemanticsCounter_t semantics = counter_semantics(nullptr);
  nvtxCounterAttr_t counter = {};
  counter.structSize = sizeof(counter);
  counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  counter.name = "depth";
  counter.description = "orders waiting";
  counter.scopeId = kDynamicId + 1;
  counter.semantics = &semantics.header;
  counter.counterId = kId + 5;
  call([&](Backend& b) { return b.counter(0, counter); });
  return call.status();
}

Status sample_data(Backend& backend) {
  Calls call(backend);
  const char text[] = "one event";
  const nvtxPayloadData_t payloads[] = {{NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, 9, text},
                                        {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, 3, "\x01\x00\xFF"}};
  call([&](Backend& b) { return b.event(0, payloads); });
  call([&](Backend& b) { return b.event(1, {}); });
  const std::string rows(24 * 3, 'r');
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kDynamicId;
  batch.size = rows.size();
  batch.events = rows.data();
  batch.scope = kDynamicId + 1;
  batch.flags = NVTX_BATCH_FLAG_UNSORTED;
  call([&](Backend& b) { return b.event_batch(0, batch); });
  batch.flexData = "....flexible";
  batch.flexDataOffset = 4;
  batch.flexDataSize = 8;
  call([&](Backend& b) { return b.event_batch(0, batch); });
  const int64_t value = -5;
  call([&](Backend& b) { return b.counter_sample(0, -1, kId + 5, &value, sizeof(value)); });
  call([&](Backend& b) { return b.counter_no_value(0, INT64_MIN, kId + 5, 2); });
  const int64_t values[] = {1, 2, 3};
  nvtxCounterBatch_t samples = {kId + 5, values, sizeof(values), 1, values, sizeof(values)};
  call([&](Backend& b) { return b.counter_batch(0, samples); });
  samples.timestamps = nullptr;
  samples.timestampsSize = 0;
  call([&](Backend& b) { return b.counter_batch(0, samples); });
  const nvtxSyncPoint_t points[] = {{1, 2}, {INT64_MIN, INT64_MAX}};
  call([&](Backend& b) { return b.sync_points(0, kId + 90, 14, points); });
  call([&](Backend& b) { return b.conversion_factor(1, 10, 14, 0.476190476, -7, 8); });
  return call.status();
}

}  // namespace

Status make_sample_calls(Backend& backend) {
  Calls call(backend);
  call(sample_definitions);
  nvtxwStreamAttributes_t attr = {};
  attr.structSize = sizeof(attr);
  attr.name = "book";
  attr.scopeId = kDynamicId + 1;
  attr.timeDomainId = kId + 90;
  attr.orderInterleaving = NVTXW_STREAM_ORDER_INTERLEAVING_SCOPE;
  attr.orderingType = NVTXW_STREAM_ORDERING_TYPE_PACKED_RANGE_END;
  attr.orderingSkid = NVTXW_STREAM_ORDERING_SKID_EVENT_COUNT;
  attr.orderingSkidAmount = -3;
  call([&](Backend& b) { return b.stream_open(0, 0, attr); });
  attr.name = nullptr;
  attr.scopeId = NVTX_SCOPE_NONE;
  attr.timeDomainId = 0;
  call([&](Backend& b) { return b.stream_open(1, 1, attr); });
  call(sample_data);
  call([](Backend& b) { return b.stream_close(0); });
  return call.status();
}

Status add_schema(Backend& backend, uint64_t id, std::vector<SampleEntry> sample_entries) {
  std::vector<nvtxPayloadSchemaEntry_t> entries(sample_entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].flags = sample_entries[i].flags;
    entries[i].type = sample_entries[i].type;
    entries[i].arrayOrUnionDetail = sample_entries[i].detail;
    entries[i].offset = 8 * i;
  }
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.entries = entries.data();
  attr.numEntries = entries.size();
  attr.payloadStaticSize = 8 * entries.size();
  attr.schemaId = id;
  return backend.schema(0, attr);
}

Status open_sample_stream(Backend& backend) {
  Calls call(backend);
  nvtxwStreamAttributes_t attr = {};
  attr.structSize = sizeof(attr);
  attr.name = "stream";
  call([](Backend& b) { return b.domain(0, ""); });
  call([&](Backend& b) { return b.stream_open(0, 0, attr); });
  return call.status();
}

std::string sample_path(const std::string& name) {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string folder = std::string(base != nullptr ? base : "/tmp") + "/journal_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  return folder + "/" + name;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<std::string> printed(const std::string& path) {
  std::vector<std::string> lines;
  CallPrinter printer([&](std::string_view line) { lines.emplace_back(line); });
  const Result<ReplaySummary> summary = replay(path, printer);
  if (!summary.ok()) lines.push_back(summary.status().to_string());
  return lines;
}

}  // namespace ringscribe::journal
