// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/thread_state.h"

#include <pthread.h>

namespace ringscribe::inject {

thread_local constinit ThreadState* tls_state = nullptr;

namespace {

void free_state(void* state) {
  tls_state = nullptr;
  runtime::destroy(static_cast<ThreadState*>(state));
}

// Its destructor runs after those of thread_local objects, which may make calls.
pthread_key_t make_key() {
  pthread_key_t key;
  return ::pthread_key_create(&key, free_state) == 0 ? key : ~pthread_key_t{0};
}

}  // namespace

ThreadState& make_thread_state() {
  static const pthread_key_t key = make_key();
  tls_state = runtime::make<ThreadState>();
  // Without a key it stays until the process ends.
  if (key != ~pthread_key_t{0}) (void)::pthread_setspecific(key, tls_state);
  return *tls_state;
}

void ThreadState::grow(uint32_t domain) {
  kept_.resize(domain + 1);
  stacks_ = kept_.data();
  stack_count_ = domain + 1;
}

}  // namespace ringscribe::inject
