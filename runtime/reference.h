// SPDX-License-Identifier: Apache-2.0
//
// Reference: a definition as handles and rows hold it: its number and that of its domain in one
// word, so that the hot path loads and compares both at once.
//
// Threads: a value.
#ifndef RINGSCRIBE_RUNTIME_REFERENCE_H_
#define RINGSCRIBE_RUNTIME_REFERENCE_H_

#include <cstdint>

namespace ringscribe::runtime {

struct Reference {
  uint64_t word = 0;  // domain (32), number (32); 0: none

  static constexpr Reference of(uint32_t number, uint32_t domain) noexcept {
    return Reference{uint64_t{domain} << 32 | number};
  }
  constexpr uint32_t number() const noexcept { return static_cast<uint32_t>(word); }
  constexpr uint32_t domain() const noexcept { return static_cast<uint32_t>(word >> 32); }
  constexpr bool is_none() const noexcept { return word == 0; }
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_REFERENCE_H_
