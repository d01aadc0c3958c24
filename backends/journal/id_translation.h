// SPDX-License-Identifier: Apache-2.0
//
// IdTranslation: from the IDs and string handles of a recording to those that a backend gave, in
// single numbers, in chains of semantics, and in payload bytes.
//
//   IdTranslation ids;
//   ids.add(IdTranslation::kScopes, domain, recorded, given);
//   attr.parentScope = ids.of(IdTranslation::kScopes, domain, attr.parentScope);
//
// Threads: one at a time.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_ID_TRANSLATION_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_ID_TRANSLATION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "ringscribe/backends/journal/payload_map.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::journal {

// A chain of semantics with other IDs in it; owns its links.
class TranslatedSemantics {
 public:
  const nvtxSemanticsHeader_t* head() const;

 private:
  friend class IdTranslation;
  // Each link's bytes, in units that keep every struct aligned.
  std::vector<std::vector<uint64_t>> links_;
};

class IdTranslation {
 public:
  enum Kind : uint8_t { kSchemas, kScopes, kCounters, kTimeDomains };

  // True if only a backend can have given the ID: it must be asked for one of its own.
  static bool is_dynamic(uint64_t id) { return id >= NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START; }

  void add(Kind kind, uint32_t domain, uint64_t recorded, uint64_t given) {
    ids_[{kind, domain, recorded}] = given;
  }
  // The given ID, or `recorded` itself where there is none.
  uint64_t of(Kind kind, uint32_t domain, uint64_t recorded) const;

  void add_string(uint64_t recorded, uint64_t given) { strings_[recorded] = given; }
  // 0 (no string) for a handle that is not known.
  uint64_t string(uint64_t recorded) const;

  TranslatedSemantics semantics(uint32_t domain, const nvtxSemanticsHeader_t* chain) const;

  // A copy of regions of payload bytes in which handles and scope IDs are translated and pointers
  // from region to region lead to the copies. `many`: the first region is rows of its schema.
  struct Region {
    uint64_t schema;  // 0: bytes that others point into
    std::span<const std::byte> bytes;
    bool many;
  };
  bool needs_copy(const PayloadMap& map, uint32_t domain, std::span<const Region> regions) const;
  std::vector<std::vector<std::byte>> copy(const PayloadMap& map, uint32_t domain,
                                           std::span<const Region> regions) const;

 private:
  std::map<std::tuple<Kind, uint32_t, uint64_t>, uint64_t> ids_;
  std::map<uint64_t, uint64_t> strings_;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_ID_TRANSLATION_H_
