// SPDX-License-Identifier: Apache-2.0
//
// What there is without a recorder: NVTXW's EventWrite into our null backend, on the calling thread
// (explicit_mark; live_mark and the clock), one call an event; and NVTX's live API with no tool
// attached (disabled).
//
// NVTX's implementation first: the header of the ABI asks for its declarations only.
#include <nvToolsExt.h>

#include <cstdio>
#include <cstdlib>

#include "ringscribe/backends/factory.h"
#include "ringscribe/bench/harness.h"

namespace {

struct Row {
  int64_t time;
  uint64_t message;
};

void must(nvtxwResultCode_t result, const char* call) {
  if (result == NVTXW_RESULT_SUCCESS) return;
  std::fprintf(stderr, "nvtxw-direct: %s returned %d\n", call, static_cast<int>(result));
  std::exit(1);
}

class NvtxwDirect final : public bench::System {
 public:
  NvtxwDirect() {
    const nvtxwSessionAttributes_t session{sizeof(session), "bench", "format=null"};
    must(table_.SessionBegin(&session, &session_), "SessionBegin");
    nvtxDomainHandle_t domain = nullptr;
    must(table_.DomainRegister(session_, nullptr, &domain), "DomainRegister");
    nvtxStringHandle_t message = nullptr;
    must(table_.StringRegister(domain, "explicit mark", &message), "StringRegister");
    message_ = reinterpret_cast<uint64_t>(message);
    register_schema(domain);
    nvtxwStreamAttributes_t stream{};
    stream.structSize = sizeof(stream);
    stream.name = "explicit";
    stream.domain = domain;
    must(table_.StreamOpen(session_, &stream, &stream_), "StreamOpen");
  }
  ~NvtxwDirect() override {
    must(table_.StreamClose(stream_), "StreamClose");
    must(table_.SessionEnd(session_), "SessionEnd");
  }
  std::vector<bench::Call> calls() override {
    return {
        bench::ask("live_mark",
                   [this](size_t) BENCH_INLINE { write(static_cast<int64_t>(__rdtsc())); }),
        bench::ask("explicit_mark",
                   [this](size_t i) BENCH_INLINE { write(static_cast<int64_t>(i)); }),
        bench::ask("disabled", [](size_t) BENCH_INLINE { nvtxMarkA("disabled mark"); }),
    };
  }

 private:
  void register_schema(nvtxDomainHandle_t domain) {
    nvtxPayloadSchemaEntry_t entries[2]{};
    entries[0].flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK;
    entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
    entries[0].name = "time";
    entries[1].flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE;
    entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
    entries[1].name = "message";
    entries[1].offset = offsetof(Row, message);
    nvtxPayloadSchemaAttr_t schema{};
    schema.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    schema.name = "mark";
    schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_MARK;
    schema.entries = entries;
    schema.numEntries = 2;
    schema.payloadStaticSize = sizeof(Row);
    must(table_.SchemaRegister(domain, &schema, &schema_), "SchemaRegister");
  }
  void write(int64_t time) {
    const Row row{time, message_};
    const nvtxPayloadData_t payload{schema_, sizeof(row), &row};
    if (table_.EventWrite(stream_, &payload, 1) != NVTXW_RESULT_SUCCESS) ++lost_;
  }
  uint64_t lost() override { return lost_; }

  const nvtxwInterface_v2_t& table_ = *ringscribe::backends_interface();
  nvtxwSessionHandle_t session_ = nullptr;
  nvtxwStreamHandle_t stream_ = nullptr;
  uint64_t schema_ = 0;
  uint64_t message_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<NvtxwDirect>(); });
}
