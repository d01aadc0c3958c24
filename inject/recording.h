// SPDX-License-Identifier: Apache-2.0
//
// Recording: the process's session of what its NVTX calls say, begun by the first of them, and its
// domains. One a process, however many libraries carry NVTX's state.
//
//   Recording::begin_once();
//   Recording& recording = Recording::process();
//   nvtxDomainHandle_t io = recording.create_domain("io");
//   TracedDomain& domain = recording.domain(io);         // nullptr: the default domain
//
// Threads: any. Lifetime: never destroyed; the session ends at exit().
#ifndef RINGSCRIBE_INJECT_RECORDING_H_
#define RINGSCRIBE_INJECT_RECORDING_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "ringscribe/inject/name_filter.h"
#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/inject/traced_domain.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/session_state.h"

namespace ringscribe::inject {

class Recording {
 public:
  // Begins the session. Called by each copy of NVTX before it gets any function of ours.
  static void begin_once();
  // REQUIRES: begin_once() was called.
  [[gnu::always_inline]] static Recording& process() noexcept { return *process_; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // The handle of the domain of that name, the same each time. The domains beyond kDomainsMax
  // share one that records nothing.
  nvtxDomainHandle_t create_domain(std::string_view name);
  // A handle is a number, so that one that nobody gave out is found out: it is the domain that
  // records nothing.
  [[gnu::always_inline]] TracedDomain& domain(nvtxDomainHandle_t handle) const noexcept {
    const auto index = reinterpret_cast<uintptr_t>(handle);
    TracedDomain* found =
        index < kDomainsMax ? domains_[index].load(std::memory_order_acquire) : nullptr;
    return found != nullptr ? *found : *inert_;
  }
  // The default domain.
  [[gnu::always_inline]] TracedDomain& domain() const noexcept { return *default_; }

  static constexpr size_t kDomainsMax = 4096;

 private:
  Recording();
  friend Recording* ringscribe::runtime::make<Recording>();
  void begin();
  void read_timers_at_exit() const;
  // Appends what was recorded to the file that `ringscribe run` asked for.
  void report() const;

  // Constant from begin_once() on, which happens before NVTX hands out our functions.
  inline static Recording* process_ = nullptr;

  std::shared_ptr<runtime::SessionState> session_;  // nullptr: nothing is recorded
  std::string name_;
  std::string output_;  // the path of what is written; "" if nothing is
  NameFilter domain_filter_, category_filter_;
  TracedDomain* default_ = nullptr;
  TracedDomain* inert_ = nullptr;

  std::mutex mutex_;
  runtime::StringMap<uint32_t> indexes_;
  uint32_t next_index_ = 1;
  // By handle; 0 is the default domain. Release by create_domain(), acquire by domain().
  std::atomic<TracedDomain*> domains_[kDomainsMax] = {};
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_RECORDING_H_
