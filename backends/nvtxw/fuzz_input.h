// SPDX-License-Identifier: Apache-2.0
//
// What our fuzzers share: FuzzInput reads numbers off an input, and each fuzzer has seeds.
//
//   extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
//     FuzzInput input(data, size);
//     const uint64_t kind = input.below(4);      // an empty input reads as zeros
//     ...
//     return 0;
//   }
//   std::vector<std::string> ringscribe::fuzz_seeds() { return {std::string("\x01\x02", 2)}; }
//
// The same file is a libFuzzer program with --config=fuzz and a plain test without
// (build/fuzz.bzl).
//
// Threads: one at a time. Lifetime: an input keeps no copy of the bytes.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_FUZZ_INPUT_H_
#define RINGSCRIBE_BACKENDS_NVTXW_FUZZ_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace ringscribe {

// Inputs to begin with; each fuzzer defines it.
std::vector<std::string> fuzz_seeds();

// Ends the program with a sentence: for what must hold on every input.
inline void fuzz_require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "fuzzer: this does not hold: %s\n", sentence);
  std::abort();
}

class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ == size_; }
  uint8_t byte() { return empty() ? uint8_t{0} : data_[at_++]; }
  template <typename T>
  T number() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value = {};
    const size_t there = size_ - at_ < sizeof(T) ? size_ - at_ : sizeof(T);
    if (there != 0) std::memcpy(&value, data_ + at_, there);
    at_ += there;
    return value;
  }
  // One byte, as a number below `count`, which is at most 256.
  uint64_t below(uint64_t count) { return byte() % count; }
  bool flag() { return (byte() & 1) != 0; }
  // Mostly a small number, else any.
  uint64_t length() {
    const uint8_t small = byte();
    return small != 255 ? small : number<uint64_t>();
  }
  // At most `count` bytes, fewer at the end of the input.
  std::vector<std::byte> bytes(size_t count) {
    const size_t there = size_ - at_ < count ? size_ - at_ : count;
    std::vector<std::byte> result(there);
    if (there != 0) std::memcpy(result.data(), data_ + at_, there);
    at_ += there;
    return result;
  }
  std::vector<std::byte> rest() { return bytes(size_ - at_); }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_BACKENDS_NVTXW_FUZZ_INPUT_H_
