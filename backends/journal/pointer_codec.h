// SPDX-License-Identifier: Apache-2.0
//
// Pointers inside payloads, to and from their stored form. The parts of one frame that pointers
// may lead into are its regions: the payloads of an event, or the rows and the flexible data of a
// batch; and behind them one more, the extra region, for what was copied from anywhere else.
//
//   PointerEncoder encoder(map);
//   encoder.begin(regions, schemas);
//   encoder.encode(domain, schema, region, offset, copy);   // for each payload that may hold some
//   write(encoder.runs(), encoder.extra());
//
// Threads: one at a time. Lifetime: keeps a reference to the map and, during a frame, the regions.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_POINTER_CODEC_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_POINTER_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/payload_map.h"

namespace ringscribe::journal {

class PointerEncoder {
 public:
  explicit PointerEncoder(const PayloadMap& map) : map_(map) {}

  // A new frame. `schemas[i]` is the schema of region i as a whole, or 0.
  void begin(std::vector<std::span<const std::byte>> regions, std::vector<uint64_t> schemas);
  // Puts the stored form of every pointer of the payload at `offset` of `region` into `copy`,
  // which begins with a copy of that payload. Returns the bytes that the payload takes, or nothing
  // if its layout cannot be followed.
  std::optional<size_t> encode(uint32_t domain, uint64_t schema, uint32_t region, size_t offset,
                               std::span<std::byte> copy);

  std::span<const PointerRun> runs() const { return runs_; }
  std::span<const std::byte> extra() const { return extra_; }
  // Of all frames: pointers that led nowhere that can be recorded.
  uint64_t null_pointers() const { return null_pointers_; }

 private:
  uint64_t resolve(uint64_t address, const Pointee& pointee);
  std::optional<uint64_t> copy_to_extra(uint64_t address, const Pointee& pointee);
  void note(uint32_t region, uint32_t position, size_t ordinal);

  const PayloadMap& map_;
  std::vector<std::span<const std::byte>> regions_;
  std::vector<uint64_t> schemas_;
  std::vector<PointerRun> runs_;
  std::vector<size_t> open_runs_;  // by the ordinal of a pointer in its payload
  std::vector<std::byte> extra_;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> copied_;  // (address, bytes) to offset
  uint64_t null_pointers_ = 0;
};

class PointerDecoder {
 public:
  // `regions` are writable and end with the extra one.
  PointerDecoder(const PayloadMap& map, std::vector<std::span<std::byte>> regions,
                 std::vector<uint64_t> schemas, std::span<const PointerRun> runs);

  // False if the runs do not fit the regions.
  bool ok() const { return ok_; }
  // Puts an address, or NULL, into every pointer of the payload at `offset` of `region`: no other
  // value is left, whatever the bytes were. Returns the bytes that the payload takes, or nothing
  // if its layout cannot be followed: hand on nothing of this frame then.
  std::optional<size_t> restore(uint32_t domain, uint64_t schema, uint32_t region, size_t offset);
  // The same for all payloads from the begin of `region` on. False if one cannot be followed.
  bool restore_all(uint32_t domain, uint64_t schema, uint32_t region);

 private:
  // The address for what is stored at `position` of `region`.
  uint64_t restored(uint32_t region, size_t position, const Pointee& pointee) const;
  uint64_t address(uint64_t packed, const Pointee& pointee) const;

  const PayloadMap& map_;
  std::vector<std::span<std::byte>> regions_;
  std::vector<uint64_t> schemas_;
  std::vector<std::vector<bool>> is_pointer_;  // by region and position
  bool ok_ = true;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_POINTER_CODEC_H_
