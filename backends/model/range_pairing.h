// SPDX-License-Identifier: Apache-2.0
//
// RangePairing: keeps what began and has not ended, until its end comes.
//
// Pushes are paired last in, first out, by (stream, scope); starts by (domain, range id), and of
// several open ones with the same id the last one ends first. Ends that come before their starts
// are kept by the same key: the first that may end a start does. The model keeps one object for
// each kind. Memory is bounded by what is open; ended ranges are used again.
//
//   OpenRange& range = pairing.open({stream, scope});    // fill it in
//   if (RangePairing::Ended ended = pairing.close({stream, scope})) use(*ended);
//
// Threads: one at a time. Lifetime: an Ended range goes back for reuse when it is destroyed, and
// must not outlive the pairing.
#ifndef RINGSCRIBE_BACKENDS_MODEL_RANGE_PAIRING_H_
#define RINGSCRIBE_BACKENDS_MODEL_RANGE_PAIRING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::model {

// A copy of `fields` and of all that they refer to.
std::span<const Field> copy_fields(std::span<const Field> fields, Arena& arena);

// One half of a range, whose other half has not come; owns all that it refers to.
struct OpenRange {
  EventKind kind = EventKind::kRangePushPop;
  uint32_t domain = 0;
  uint32_t track = kNoTrack;
  uint32_t stream = 0;
  uint32_t time_node = 0;  // of TimeConversion
  uint64_t time_domain = 0;
  int64_t time = 0;  // as written
  uint64_t range_id = 0;
  uint32_t category = 0;
  uint32_t color = 0;
  uint64_t order = 0;  // counts up with each range opened
  bool has_message = false;
  std::string message;
  std::vector<uint64_t> flows;
  std::span<const Field> fields;
  Arena arena;  // of `fields`
};

struct PairingKey {
  uint64_t owner = 0;  // the stream, or the domain
  uint64_t id = 0;     // the scope, or the range id
  bool operator==(const PairingKey&) const = default;
};

class RangePairing {
 public:
  struct Reuse {
    RangePairing* pairing = nullptr;
    void operator()(OpenRange* range) const { pairing->take_back(range); }
  };
  using Ended = std::unique_ptr<OpenRange, Reuse>;

  RangePairing() = default;
  RangePairing(const RangePairing&) = delete;
  RangePairing& operator=(const RangePairing&) = delete;

  // A new open range, empty but for `order`; valid until it is closed.
  OpenRange& open(const PairingKey& key);
  // Takes out the range that ends now; null if none is open.
  Ended close(const PairingKey& key);
  // Takes out the one that was opened first of those for which `may_close(half)`; null if none is.
  template <typename MayClose>
  Ended close_first(const PairingKey& key, MayClose may_close) {
    const auto found = stacks_.find(key);
    if (found == stacks_.end()) return Ended(nullptr, Reuse{this});
    auto& stack = found->second;
    for (auto at = stack.begin(); at != stack.end(); ++at) {
      if (!may_close(**at)) continue;
      Ended ended(at->release(), Reuse{this});
      stack.erase(at);
      --open_count_;
      if (stack.empty()) stacks_.erase(found);
      return ended;
    }
    return Ended(nullptr, Reuse{this});
  }
  // Takes out all that is open, what was opened last first: inner ranges before outer ones.
  std::vector<Ended> close_all();

  size_t open_count() const { return open_count_; }

 private:
  static constexpr size_t kSparesMax = 64;
  struct Hash {
    size_t operator()(const PairingKey& key) const {
      return std::hash<uint64_t>()(key.owner * 0x9E3779B97F4A7C15u ^ key.id);
    }
  };

  void take_back(OpenRange* range);

  std::unordered_map<PairingKey, std::vector<std::unique_ptr<OpenRange>>, Hash> stacks_;
  std::vector<std::unique_ptr<OpenRange>> spares_;
  uint64_t next_order_ = 0;
  size_t open_count_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_RANGE_PAIRING_H_
