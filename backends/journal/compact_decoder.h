// SPDX-License-Identifier: Apache-2.0
//
// CompactDecoder: the plain payload of a frame in the compact codec. It trusts no byte of it: what
// it makes is as large as the bytes allow, at most 64 KiB for each of them, and whatever they say
// is a payload like any other that a file may hold.
//
//   std::span<std::byte> plain;
//   if (!decoder.decode(frame.payload, &plain)) ...   // damaged
//
// Threads: one at a time. Lifetime: the payload stays until the next decode().
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_DECODER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace ringscribe::journal {

class CompactDecoder {
 public:
  // REQUIRES: 16 bytes behind `compact` can be read.
  // *plain then begins at a multiple of 16, may be written to, and 16 zero bytes follow it.
  // False if the bytes are no compact payload, or make more than a frame can hold.
  bool decode(std::span<const std::byte> compact, std::span<std::byte>* plain);

 private:
  // Appends room for that many bytes; nullptr if it is too much.
  uint8_t* grow(uint64_t bytes);
  bool literal();
  bool words();
  bool table();
  bool zeros();
  bool count(uint64_t* value);

  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  std::unique_ptr<uint8_t[]> buffer_;
  size_t capacity_ = 0;
  size_t size_ = 0;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_DECODER_H_
