// SPDX-License-Identifier: Apache-2.0
//
// ArgumentMemory: whether what a C call was given can be read, and whether it stays as it is until
// the call returns.
//
//   ArgumentMemory memory;
//   if (!memory.add(payload.payload, payload.size)) …   // not readable
//   … ; if (memory.has_changed()) …                     // another thread writes to it
//
// Readability is asked of the kernel, a byte a page, so a bad pointer is an answer and not a crash.
//
// Threads: one at a time; the process-wide file that the kernel copies into is made once.
// Lifetime: until the call returns, since it reads the ranges again.
#ifndef RINGSCRIBE_TESTS_SUPPORT_ARGUMENT_MEMORY_H_
#define RINGSCRIBE_TESTS_SUPPORT_ARGUMENT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringscribe::testing {

bool is_readable(const void* bytes, size_t size) noexcept;

class ArgumentMemory {
 public:
  // Remembers the bytes and returns true, if they can be read; size 0 always can.
  bool add(const void* bytes, size_t size);
  // The same for a text up to its zero.
  bool add_text(const char* text);
  bool has_changed() const;

 private:
  struct Range {
    const uint8_t* bytes;
    size_t size;
    uint64_t hash;
  };
  std::vector<Range> ranges_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_ARGUMENT_MEMORY_H_
