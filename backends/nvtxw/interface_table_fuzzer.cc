// SPDX-License-Identifier: Apache-2.0
//
// Any sequence of calls of the C interface, with handles and IDs that are good, stale or made up,
// and attributes of any content. Pointers are the exception: a caller's pointer is NULL or good.
#include <array>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/backend_format.h"
#include "ringscribe/backends/nvtxw/fake_session.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"
#include "ringscribe/backends/nvtxw/interface_table.h"

using namespace ringscribe;
using namespace ringscribe::nvtxw;

namespace {

FakeSession::Journal journal;

Result<std::unique_ptr<SessionBackend>> open_fake(const SessionConfig&) {
  return std::unique_ptr<SessionBackend>(new FakeSession(&journal));
}
constexpr BackendFormat kFormats[] = {{"fake", "", open_fake, {}}};
constexpr FormatTable kTable = {kFormats, "fake"};

constexpr size_t kCallsMax = 64;
constexpr const char* kNames[] = {nullptr, "", "a", "b", "a longer name"};

// What calls refer to: what earlier calls gave, and numbers of the input's own.
class Caller {
 public:
  Caller(const nvtxwInterface_v2_t& table, FuzzInput& input) : table_(table), input_(input) {}

  void run() {
    begin_session();
    for (size_t calls = 0; calls < kCallsMax && !input_.empty(); ++calls) call();
    for (const nvtxwSessionHandle_t session : sessions_) table_.SessionEnd(session);
  }

 private:
  template <typename T>
  T any_of(const std::vector<T>& given) {
    const uint64_t index = input_.byte();
    if (index < given.size()) return given[index];
    if (index < 128 && !given.empty()) return given.back();
    T made_up{};
    const auto number = input_.number<uint64_t>();
    std::memcpy(&made_up, &number, sizeof(made_up));
    return made_up;
  }
  const char* name() { return kNames[input_.below(std::size(kNames))]; }
  // An ID: none, one of the static ones, one that was given, or anything.
  uint64_t id(const std::vector<uint64_t>& given) {
    switch (input_.below(4)) {
      case 0:
        return 0;
      case 1:
        return (uint64_t{1} << 24) + input_.below(8);
      case 2:
        return given.empty() ? input_.byte() : given[input_.below(256) % given.size()];
      default:
        return input_.flag() ? input_.byte() : input_.number<uint64_t>();
    }
  }
  uint64_t* out() {
    out_ = ~uint64_t{0};
    return input_.below(8) == 0 ? nullptr : &out_;
  }
  void check_id(nvtxwResultCode_t code, const uint64_t* place, std::vector<uint64_t>* given) {
    if (place == nullptr) return;
    fuzz_require((code == NVTXW_RESULT_SUCCESS) == (*place != 0), "an ID is given on success only");
    if (*place == 0) return;
    fuzz_require(*place >= (uint64_t{1} << 24), "an ID is not one of the predefined");
    given->push_back(*place);
  }

  void begin_session() {
    const nvtxwSessionAttributes_t attr = {sizeof(attr), name(), "format=fake"};
    nvtxwSessionHandle_t session = nullptr;
    const nvtxwResultCode_t code = table_.SessionBegin(&attr, &session);
    fuzz_require((code == 0) == (session != nullptr), "a session is given on success only");
    if (code == 0) sessions_.push_back(session);
  }

  void call() {
    switch (input_.below(20)) {
      case 0:
        if (sessions_.size() < 3) begin_session();
        break;
      case 1:
        table_.SessionEnd(any_of(sessions_));
        break;
      case 2:
      case 3:
        domain();
        break;
      case 4:
        table_.CategoryRegister(any_of(domains_), input_.number<uint32_t>(), name());
        break;
      case 5: {
        nvtxStringHandle_t handle = nullptr;
        table_.StringRegister(any_of(domains_), name(), input_.flag() ? &handle : nullptr);
        break;
      }
      case 6:
        scope();
        break;
      case 7:
      case 8:
      case 9:
        schema();
        break;
      case 10:
        enumeration();
        break;
      case 11:
        counter();
        break;
      case 12:
        time_domain();
        break;
      case 13:
        stream();
        break;
      case 14:
        table_.StreamClose(any_of(streams_));
        break;
      case 15:
        event();
        break;
      case 16:
        event_batch();
        break;
      case 17:
        counter_data();
        break;
      case 18:
        counter_batch();
        break;
      default:
        time();
    }
  }

  void domain() {
    const nvtxwDomainAttributes_t attr = {input_.flag() ? sizeof(attr) : input_.byte(), name()};
    nvtxDomainHandle_t handle = nullptr;
    table_.DomainRegister(any_of(sessions_), input_.flag() ? &attr : nullptr, &handle);
    if (handle != nullptr) domains_.push_back(handle);
  }
  void scope() {
    nvtxScopeAttr_t attr = {};
    attr.structSize = input_.below(8) != 0 ? sizeof(attr) : input_.byte();
    attr.path = name();
    attr.parentScope = id(scopes_);
    attr.scopeId = id(scopes_);
    uint64_t* place = out();
    check_id(table_.ScopeRegister(any_of(domains_), &attr, place), place, &scopes_);
  }
  void schema() {
    std::vector<nvtxPayloadSchemaEntry_t> entries(input_.below(10));
    for (nvtxPayloadSchemaEntry_t& entry : entries) {
      entry.flags = input_.number<uint16_t>();
      entry.type = input_.flag() ? input_.below(110) : id(schemas_);
      entry.name = name();
      entry.arrayOrUnionDetail = input_.length();
      entry.offset = input_.below(3) == 0 ? input_.length() : 0;
    }
    nvtxPayloadSchemaAttr_t attr = {};
    attr.fieldMask = input_.below(8) != 0 ? 0x1FE : input_.number<uint64_t>();
    attr.name = name();
    attr.type = input_.below(6);
    attr.flags = input_.number<uint16_t>();
    attr.entries = entries.empty() ? nullptr : entries.data();
    attr.numEntries = entries.size();
    attr.payloadStaticSize = input_.below(3) == 0 ? input_.length() : 0;
    attr.packAlign = input_.below(3) == 0 ? input_.length() : 0;
    attr.schemaId = id(schemas_);
    uint64_t* place = out();
    check_id(table_.SchemaRegister(any_of(domains_), &attr, place), place, &schemas_);
  }
  void enumeration() {
    std::vector<nvtxPayloadEnum_t> entries(input_.below(4));
    for (nvtxPayloadEnum_t& entry : entries) entry = {name(), input_.byte(), 0};
    nvtxPayloadEnumAttr_t attr = {};
    attr.fieldMask = input_.below(8) != 0 ? 0x3E : input_.number<uint64_t>();
    attr.entries = entries.empty() ? nullptr : entries.data();
    attr.numEntries = entries.size();
    attr.sizeOfEnum = input_.length();
    attr.schemaId = id(schemas_);
    uint64_t* place = out();
    check_id(table_.EnumRegister(any_of(domains_), &attr, place), place, &schemas_);
  }
  void counter() {
    nvtxCounterAttr_t attr = {};
    attr.structSize = input_.below(8) != 0 ? sizeof(attr) : input_.byte();
    attr.schemaId = input_.flag() ? input_.below(110) : id(schemas_);
    attr.name = name();
    attr.scopeId = id(scopes_);
    attr.counterId = id(counters_);
    uint64_t* place = out();
    check_id(table_.CounterRegister(any_of(domains_), &attr, place), place, &counters_);
  }
  void time_domain() {
    nvtxTimeDomainAttr_t attr = {};
    attr.scopeId = id(scopes_);
    attr.timestampTypeId = input_.length();
    attr.timeDomainId = id(time_domains_);
    attr.timerResolution = input_.number<int64_t>();
    uint64_t* place = out();
    check_id(table_.TimeDomainRegister(any_of(domains_), &attr, place), place, &time_domains_);
  }
  void stream() {
    nvtxwStreamAttributes_t attr = {};
    attr.structSize = input_.below(8) != 0 ? sizeof(attr) : input_.byte();
    attr.name = name();
    attr.domain = input_.flag() ? nullptr : any_of(domains_);
    attr.scopeId = id(scopes_);
    attr.timeDomainId = input_.flag() ? input_.below(90) : id(time_domains_);
    attr.orderInterleaving = static_cast<int16_t>(input_.below(3));
    attr.orderingType = static_cast<int16_t>(input_.below(5));
    nvtxwStreamHandle_t handle = nullptr;
    const nvtxwResultCode_t code = table_.StreamOpen(any_of(sessions_), &attr, &handle);
    fuzz_require((code == 0) == (handle != nullptr), "a stream is given on success only");
    if (handle != nullptr) streams_.push_back(handle);
  }
  void event() {
    std::vector<std::vector<std::byte>> blobs(input_.below(4));
    std::vector<nvtxPayloadData_t> payloads;
    for (std::vector<std::byte>& blob : blobs) {
      const uint64_t schema = input_.flag() ? input_.below(110) : id(schemas_);
      blob = input_.bytes(input_.byte());
      const bool is_open = input_.below(4) == 0;  // the size is left to the table
      const size_t size = blob.size();
      blob.resize(size + 4);
      payloads.push_back(
          {schema, is_open ? SIZE_MAX : size, input_.below(8) == 0 ? nullptr : blob.data()});
      // Text of wide code units ends at a multiple of their size.
      if (is_open) blob.resize((size + 3) / 4 * 4 + 4);
      if (payloads.back().payload != nullptr) payloads.back().payload = blob.data();
    }
    table_.EventWrite(any_of(streams_), payloads.empty() ? nullptr : payloads.data(),
                      input_.below(8) == 0 ? 0 : payloads.size());
  }
  void event_batch() {
    const std::vector<std::byte> rows = input_.bytes(input_.byte());
    nvtxEventBatch_t batch = {};
    batch.eventSchemaId = id(schemas_);
    batch.size = rows.size();
    batch.events = input_.below(8) == 0 ? nullptr : rows.data();
    batch.scope = id(scopes_);
    batch.flags = input_.byte();
    table_.EventBatchWrite(any_of(streams_), input_.below(8) == 0 ? nullptr : &batch);
  }
  void counter_data() {
    const std::vector<std::byte> sample = input_.bytes(input_.byte());
    const nvtxwStreamHandle_t to = any_of(streams_);
    table_.CounterWrite(to, input_.number<int64_t>(), id(counters_), sample.data(), sample.size());
    table_.CounterNoValueWrite(to, 5, id(counters_), input_.byte());
  }
  void counter_batch() {
    const std::vector<std::byte> samples = input_.bytes(input_.byte());
    const std::array<int64_t, 8> times = {1, 2, 3, 4, 5, 6, 7, 8};
    nvtxCounterBatch_t batch = {};
    batch.counterId = id(counters_);
    batch.counters = samples.data();
    batch.countersSize = samples.size();
    batch.flags = input_.number<uint64_t>();
    batch.timestamps = input_.flag() ? times.data() : nullptr;
    batch.timestampsSize = batch.timestamps == nullptr ? 0 : input_.below(9) * sizeof(int64_t);
    table_.CounterBatchWrite(any_of(streams_), &batch);
  }
  void time() {
    const nvtxwStreamHandle_t to = any_of(streams_);
    const uint64_t source = input_.flag() ? input_.below(90) : id(time_domains_);
    const nvtxSyncPoint_t points[2] = {{1, 2}, {3, 4}};
    table_.TimeSyncPointWrite(to, source, input_.below(90), input_.number<int64_t>(), 1);
    table_.TimeSyncPointTableWrite(to, source, id(time_domains_), points, input_.below(3));
    table_.TimestampConversionFactorWrite(to, source, 14, input_.number<double>(), 1, 2);
  }

  const nvtxwInterface_v2_t& table_;
  FuzzInput& input_;
  uint64_t out_ = 0;
  std::vector<nvtxwSessionHandle_t> sessions_;
  std::vector<nvtxDomainHandle_t> domains_;
  std::vector<nvtxwStreamHandle_t> streams_;
  std::vector<uint64_t> scopes_, schemas_, counters_, time_domains_;
};

}  // namespace

std::vector<std::string> ringscribe::fuzz_seeds() { return {}; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Each refused call is a sentence; a million of them help nobody.
  static const int silenced = setenv("RINGSCRIBE_LOG", "off", 1);
  static const nvtxwInterface_v2_t* const table = make_interface(&kTable);
  fuzz_require(silenced == 0 && table != nullptr, "there is a table");
  journal = FakeSession::Journal();
  FuzzInput input(data, size);
  Caller(*table, input).run();
  finalize_interface();
  return 0;
}
