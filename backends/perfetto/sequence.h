// SPDX-License-Identifier: Apache-2.0
//
// Sequence: what a reader of the file knows of one packet sequence, as far as the writer needs it.
//
// Each track that has events is a sequence of its own, so that its packets need not name the track,
// and its times are the distance from the packet before. A reader keeps interned texts by sequence;
// here stands which of the file's numbers it has been told.
//
//   Sequence sequence{.track_uuid = 7};
//   if (sequence.heads.insert(number)) ...       // not told yet
//
// Threads: a value.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_SEQUENCE_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_SEQUENCE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringscribe::perfetto {

// A set of small numbers.
class NumberSet {
 public:
  // True if it was not in the set.
  bool insert(uint32_t number) {
    const size_t word = number / 64;
    const uint64_t bit = uint64_t{1} << (number % 64);
    if (word >= words_.size()) words_.resize(word + 1);
    if ((words_[word] & bit) != 0) return false;
    words_[word] |= bit;
    return true;
  }
  void clear() noexcept { words_.clear(); }

 private:
  std::vector<uint64_t> words_;
};

// A few bytes of a packet, in an array so that they are copied without a loop.
struct alignas(32) PacketFields {
  std::array<char, 16> bytes = {};
  uint32_t size = 0;
};

struct Sequence {
  uint64_t track_uuid = 0;
  uint32_t id = 0;                 // 0: nothing was written yet
  uint32_t generation = 0;         // of the interned texts that it was told
  PacketFields packet_begin = {};  // of each packet: `id`, and the tag of its time
  int64_t last_time = 0;           // of its incremental clock
  NumberSet heads = {};
  NumberSet name_sets = {};
  NumberSet names = {};
  NumberSet categories = {};
  NumberSet annotation_names = {};

  void forget() noexcept {
    for (NumberSet* set : {&heads, &name_sets, &names, &categories, &annotation_names}) {
      set->clear();
    }
  }
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_SEQUENCE_H_
