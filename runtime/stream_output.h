// SPDX-License-Identifier: Apache-2.0
//
// StreamOutput: what all that writes to one stream of a backend has in common: the stream's handle,
// and how a call's result is accounted for (DESIGN D9).
//
// Threads: the flusher only, but for recorded().
#ifndef RINGSCRIBE_RUNTIME_STREAM_OUTPUT_H_
#define RINGSCRIBE_RUNTIME_STREAM_OUTPUT_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/stream_table.h"

namespace ringscribe::runtime {

class StreamOutput {
 public:
  StreamOutput(DomainState* stream_domain, nvtxwStreamHandle_t stream_handle,
               uint16_t stream_number, StreamTable* stream_table, DefinitionTables* all_tables)
      : domain(*stream_domain),
        interface(*stream_domain->interface()),
        handle(stream_handle),
        number(stream_number),
        tables(*all_tables),
        streams_(stream_table) {}

  // After a call of the backend that stands for `calls` of the application.
  void account(int32_t result, const char* operation, uint64_t calls) {
    if (result == NVTXW_RESULT_SUCCESS) {
      recorded_.fetch_add(calls, std::memory_order_relaxed);
      return;
    }
    lose(LossCause::kRejected, calls);
    if (!failure_.ok()) return;
    const auto code = static_cast<ResultCode>(result);
    failure_ = Status(code, std::string(operation) + " was refused by the backend (" +
                                result_code_name(code) + "); the events are counted as rejected");
  }
  void lose(LossCause cause, uint64_t calls) { streams_->count_loss(number, cause, calls); }
  // The definition of that number if the backend knows it (tells it first, if need be); else counts
  // the calls and returns nullptr.
  template <typename T>
  T* usable(const NumberedTable<T>& table, uint32_t definition, uint64_t calls) {
    T* found = table.get(definition);
    if (found != nullptr && found->domain == &domain && domain.ensure(*found)) return found;
    lose(found != nullptr && found->is_tried ? LossCause::kRejected : LossCause::kInvalid, calls);
    return nullptr;
  }

  // Any thread.
  uint64_t recorded() const noexcept { return recorded_.load(std::memory_order_relaxed); }
  // The first refusal of the backend since the last call.
  Status take_failure() {
    Status taken = failure_;
    failure_ = Status();
    return taken;
  }

  DomainState& domain;
  const nvtxwInterface_v2_t& interface;
  const nvtxwStreamHandle_t handle;
  const uint16_t number;
  DefinitionTables& tables;

 private:
  StreamTable* streams_;
  std::atomic<uint64_t> recorded_{0};  // relaxed: a statistic
  Status failure_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_STREAM_OUTPUT_H_
