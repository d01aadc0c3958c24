// SPDX-License-Identifier: Apache-2.0
//
// ThreadState: what the injection keeps for a thread: the open ranges of each domain, and which
// texts it has seen lately. Made at the thread's first call, freed after its thread_local
// destructors ran; a call that comes even later makes a new one.
//
//   ThreadState& thread = this_thread();
//   PushStack& stack = thread.stack(domain.index());
//
// Threads: the calling one.
#ifndef RINGSCRIBE_INJECT_THREAD_STATE_H_
#define RINGSCRIBE_INJECT_THREAD_STATE_H_

#include <cstdint>

#include "ringscribe/inject/push_stack.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::inject {

class ThreadState {
 public:
  // Of the domain with that index. Valid until the next call.
  [[gnu::always_inline]] PushStack& stack(uint32_t domain) {
    if (domain >= stack_count_) [[unlikely]]
      grow(domain);
    return stacks_[domain];
  }

  // A text that the thread has written: `text` is a copy that stays, `number` its registered
  // string.
  struct SeenText {
    uint32_t domain = 0;  // index + 1; 0: an empty place
    uint32_t number = 0;  // 0: seen once, not registered
    uint64_t hash = 0;
    const char* text = nullptr;  // nullptr with number 0
  };
  static constexpr size_t kSeenBits = 8, kSeen = size_t{1} << kSeenBits;
  SeenText by_address[kSeen];       // place: of the text's address
  SeenText by_content[kSeen];       // place: of its hash
  runtime::Vector<char> wide_text;  // of the call under way, as UTF-8

 private:
  [[gnu::cold]] [[gnu::noinline]] void grow(uint32_t domain);
  PushStack* stacks_ = nullptr;  // of kept_
  uint32_t stack_count_ = 0;
  runtime::Vector<PushStack> kept_;
};

extern thread_local constinit ThreadState* tls_state __attribute__((tls_model("initial-exec")));
[[gnu::cold]] [[gnu::noinline]] ThreadState& make_thread_state();

[[gnu::always_inline]] inline ThreadState& this_thread() {
  ThreadState* state = tls_state;
  return state != nullptr ? *state : make_thread_state();
}

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_THREAD_STATE_H_
