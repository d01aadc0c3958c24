// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recording/interrupt.h"

#include <csignal>

namespace ringscribe::tools {
namespace {

std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

void ask_to_stop(int signal) {
  is_interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, ask_to_stop);
  return is_interrupted;
}

}  // namespace ringscribe::tools
