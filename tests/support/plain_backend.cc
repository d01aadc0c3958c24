// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/plain_backend.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace ringscribe::testing {

namespace {

// One row of numbers for all kinds of handles, so that one of the wrong kind is known by nobody.
std::atomic<uint64_t> next_number{1000};

template <typename Handle>
Handle next_handle() {
  return reinterpret_cast<Handle>(next_number.fetch_add(1));
}

int32_t give_id(uint64_t asked, uint64_t* out) {
  static std::atomic<uint64_t> next{uint64_t{1} << 32};
  if (out != nullptr) *out = asked != 0 ? asked : next.fetch_add(1);
  return NVTXW_RESULT_SUCCESS;
}

// The same name in a session gives the same handle.
nvtxDomainHandle_t domain_of(nvtxwSessionHandle_t session, const char* name) {
  static std::mutex mutex;
  static std::map<std::pair<nvtxwSessionHandle_t, std::string>, nvtxDomainHandle_t> domains;
  const std::lock_guard lock(mutex);
  nvtxDomainHandle_t& domain = domains[{session, name == nullptr ? "" : name}];
  if (domain == nullptr) domain = next_handle<nvtxDomainHandle_t>();
  return domain;
}

constexpr nvtxwInterface_v2_t kInterface = {
    .SessionBegin =
        [](const nvtxwSessionAttributes_t*, nvtxwSessionHandle_t* out) {
          *out = next_handle<nvtxwSessionHandle_t>();
          return NVTXW_RESULT_SUCCESS;
        },
    .SessionEnd = [](nvtxwSessionHandle_t) { return NVTXW_RESULT_SUCCESS; },
    .DomainRegister =
        [](nvtxwSessionHandle_t session, const nvtxwDomainAttributes_t* attr,
           nvtxDomainHandle_t* out) {
          *out = domain_of(session, attr == nullptr ? nullptr : attr->name);
          return NVTXW_RESULT_SUCCESS;
        },
    .CategoryRegister = [](nvtxDomainHandle_t, uint32_t,
                           const char*) { return NVTXW_RESULT_SUCCESS; },
    .StringRegister =
        [](nvtxDomainHandle_t, const char*, nvtxStringHandle_t* out) {
          *out = next_handle<nvtxStringHandle_t>();
          return NVTXW_RESULT_SUCCESS;
        },
    .ResourceRegister = [](nvtxDomainHandle_t,
                           const nvtxResourceAttributes_t*) { return NVTXW_RESULT_SUCCESS; },
    .ScopeRegister = [](nvtxDomainHandle_t, const nvtxScopeAttr_t* attr,
                        uint64_t* out) { return give_id(attr->scopeId, out); },
    .SchemaRegister = [](nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t* attr,
                         uint64_t* out) { return give_id(attr->schemaId, out); },
    .EnumRegister = [](nvtxDomainHandle_t, const nvtxPayloadEnumAttr_t* attr,
                       uint64_t* out) { return give_id(attr->schemaId, out); },
    .CounterRegister = [](nvtxDomainHandle_t, const nvtxCounterAttr_t* attr,
                          uint64_t* out) { return give_id(attr->counterId, out); },
    .TimeDomainRegister = [](nvtxDomainHandle_t, const nvtxTimeDomainAttr_t* attr,
                             uint64_t* out) { return give_id(attr->timeDomainId, out); },
    .StreamOpen =
        [](nvtxwSessionHandle_t, const nvtxwStreamAttributes_t*, nvtxwStreamHandle_t* out) {
          *out = next_handle<nvtxwStreamHandle_t>();
          return NVTXW_RESULT_SUCCESS;
        },
    .StreamClose = [](nvtxwStreamHandle_t) { return NVTXW_RESULT_SUCCESS; },
    .EventWrite = [](nvtxwStreamHandle_t, const nvtxPayloadData_t*,
                     size_t) { return NVTXW_RESULT_SUCCESS; },
    .EventBatchWrite = [](nvtxwStreamHandle_t,
                          const nvtxEventBatch_t*) { return NVTXW_RESULT_SUCCESS; },
    .CounterWrite = [](nvtxwStreamHandle_t, int64_t, uint64_t, const void*,
                       size_t) { return NVTXW_RESULT_SUCCESS; },
    .CounterNoValueWrite = [](nvtxwStreamHandle_t, int64_t, uint64_t,
                              uint8_t) { return NVTXW_RESULT_SUCCESS; },
    .CounterBatchWrite = [](nvtxwStreamHandle_t,
                            const nvtxCounterBatch_t*) { return NVTXW_RESULT_SUCCESS; },
    .TimeSyncPointWrite = [](nvtxwStreamHandle_t, uint64_t, uint64_t, int64_t,
                             int64_t) { return NVTXW_RESULT_SUCCESS; },
    .TimeSyncPointTableWrite = [](nvtxwStreamHandle_t, uint64_t, uint64_t, const nvtxSyncPoint_t*,
                                  size_t) { return NVTXW_RESULT_SUCCESS; },
    .TimestampConversionFactorWrite = [](nvtxwStreamHandle_t, uint64_t, uint64_t, double, int64_t,
                                         int64_t) { return NVTXW_RESULT_SUCCESS; },
    .reserved = {},
};

}  // namespace

const nvtxwInterface_v2_t* plain_interface() { return &kInterface; }

}  // namespace ringscribe::testing
