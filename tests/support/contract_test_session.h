// SPDX-License-Identifier: Apache-2.0
//
// ContractTestSession: a ContractBackend with a session, a domain and a stream, for tests that
// break one rule each; and short ways to say what they register and write.
//
//   ContractTestSession s;
//   s.table().StreamClose(s.stream) …
//   CHECK(s.told() == Sentences{"StreamClose: the stream is closed"});
//
// Threads: one at a time unless a test says otherwise.
#ifndef RINGSCRIBE_TESTS_SUPPORT_CONTRACT_TEST_SESSION_H_
#define RINGSCRIBE_TESTS_SUPPORT_CONTRACT_TEST_SESSION_H_

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ringscribe/tests/support/contract_backend.h"

namespace ringscribe::testing {

using Sentences = std::vector<std::string>;

constexpr int32_t kOk = NVTXW_RESULT_SUCCESS;
constexpr int32_t kInvalid = NVTXW_RESULT_INVALID_ARGUMENT;
constexpr uint64_t kFirstStaticId = uint64_t{1} << 24;

constexpr nvtxPayloadSchemaEntry_t entry(const char* name, uint64_t flags, uint64_t type,
                                         uint64_t offset, uint64_t detail = 0) {
  nvtxPayloadSchemaEntry_t result{};
  result.name = name;
  result.flags = flags;
  result.type = type;
  result.offset = offset;
  result.arrayOrUnionDetail = detail;
  return result;
}

struct ContractTestSession {
  explicit ContractTestSession(const nvtxwInterface_v2_t* next = plain_interface())
      : contract(next) {
    const nvtxwSessionAttributes_t attr{sizeof attr, "session", nullptr};
    REQUIRE(table().SessionBegin(&attr, &session) == kOk);
    const nvtxwDomainAttributes_t domain_attr{sizeof domain_attr, "domain"};
    REQUIRE(table().DomainRegister(session, &domain_attr, &domain) == kOk);
    REQUIRE(open("stream", &stream) == kOk);
  }

  const nvtxwInterface_v2_t& table() const { return *contract.interface(); }
  Sentences told() const { return contract.violations(); }

  static nvtxwStreamAttributes_t stream_attributes(const char* name, nvtxDomainHandle_t domain) {
    nvtxwStreamAttributes_t attr{};
    attr.structSize = sizeof attr;
    attr.name = name;
    attr.domain = domain;
    return attr;
  }
  int32_t open(const char* name, nvtxwStreamHandle_t* out) {
    const nvtxwStreamAttributes_t attr = stream_attributes(name, domain);
    return table().StreamOpen(session, &attr, out);
  }

  static nvtxPayloadSchemaAttr_t schema_attributes(
      const std::vector<nvtxPayloadSchemaEntry_t>& entries, size_t bytes, uint64_t id) {
    nvtxPayloadSchemaAttr_t attr{};
    attr.fieldMask =
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
        NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
    attr.name = "schema";
    attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    attr.entries = entries.data();
    attr.numEntries = entries.size();
    attr.payloadStaticSize = bytes;
    attr.schemaId = id;
    return attr;
  }
  int32_t register_schema(const std::vector<nvtxPayloadSchemaEntry_t>& entries, size_t bytes,
                          uint64_t id = kFirstStaticId) {
    const nvtxPayloadSchemaAttr_t attr = schema_attributes(entries, bytes, id);
    return table().SchemaRegister(domain, &attr, nullptr);
  }
  // A mark of 8 bytes.
  int32_t register_mark(uint64_t id = kFirstStaticId) {
    return register_schema(
        {entry("time", NVTX_PAYLOAD_ENTRY_FLAG_MARK, NVTX_PAYLOAD_ENTRY_TYPE_INT64, 0)}, 8, id);
  }
  // One entry and nothing else.
  int32_t register_entry(uint64_t flags, uint64_t type, size_t bytes, uint64_t detail = 0) {
    return register_schema({entry("entry", flags, type, 0, detail)}, bytes);
  }
  static nvtxCounterAttr_t counter_attributes(uint64_t schema, uint64_t id) {
    nvtxCounterAttr_t attr{};
    attr.structSize = sizeof attr;
    attr.name = "counter";
    attr.schemaId = schema;
    attr.counterId = id;
    return attr;
  }
  int32_t register_counter(uint64_t schema, uint64_t id = kFirstStaticId) {
    const nvtxCounterAttr_t attr = counter_attributes(schema, id);
    return table().CounterRegister(domain, &attr, nullptr);
  }

  int32_t write(const std::vector<nvtxPayloadData_t>& payloads) {
    return table().EventWrite(stream, payloads.data(), payloads.size());
  }
  template <typename Row>
  int32_t write_row(const Row& row, uint64_t schema = kFirstStaticId) {
    return write({{schema, sizeof row, &row}});
  }

  ContractBackend contract;
  nvtxwSessionHandle_t session = nullptr;
  nvtxDomainHandle_t domain = nullptr;
  nvtxwStreamHandle_t stream = nullptr;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_CONTRACT_TEST_SESSION_H_
