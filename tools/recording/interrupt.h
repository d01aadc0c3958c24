// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and its like, for work that leaves no half file: the first signal asks to stop, the next
// one ends the process.
//
//   options.stop = &catch_interrupts();
//
// Threads: catch_interrupts() from the main thread.
#ifndef RINGSCRIBE_TOOLS_RECORDING_INTERRUPT_H_
#define RINGSCRIBE_TOOLS_RECORDING_INTERRUPT_H_

#include <atomic>

namespace ringscribe::tools {

// From now on INT, TERM and HUP make it true. Its order says nothing of other memory.
const std::atomic<bool>& catch_interrupts();

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECORDING_INTERRUPT_H_
