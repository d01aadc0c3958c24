// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/pointer_codec.h"

#include <algorithm>
#include <cstring>

namespace ringscribe::journal {
namespace {

constexpr uint64_t kCopyBytesMax = uint64_t{1} << 30;
// How far the end of an array of large units is looked for, so that many pointers to one place
// do not cost the square of its size.
constexpr uint64_t kScanBytesMax = uint64_t{64} << 10;

uint64_t load(const std::byte* from) {
  uint64_t value = 0;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

void store(std::byte* to, uint64_t value) { std::memcpy(to, &value, sizeof(value)); }

uint64_t address_of(std::span<const std::byte> region) {
  return reinterpret_cast<uint64_t>(region.data());
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

// The bytes from `address` up to and with the first unit that is zero.
uint64_t terminated_bytes(uint64_t address, uint64_t unit) {
  const auto* bytes = reinterpret_cast<const std::byte*>(address);
  uint64_t size = 0;
  while (size < kCopyBytesMax) {
    const std::span<const std::byte> one(bytes + size, unit);
    size += unit;
    if (is_zero(one)) break;
  }
  return size;
}

// Units that hold pointers themselves are followed only where those are known to be put right: a
// payload of that very schema.
bool may_point(const Pointee& pointee, uint64_t region_schema, uint64_t offset) {
  return pointee.nested_schema == 0 || (region_schema == pointee.nested_schema && offset == 0 &&
                                        !pointee.zero_terminated && pointee.count == 1);
}

// True if what a pointer to `offset` of `region` leads to ends in the region, or in the zeros
// behind it. REQUIRES: offset <= region.size().
bool is_inside(const Pointee& pointee, std::span<const std::byte> region, uint64_t offset) {
  const uint64_t unit = pointee.unit_bytes;
  // The length is in another payload: only who knows both can tell.
  if (unit == 0) return true;
  if (!pointee.zero_terminated) return pointee.count <= (region.size() - offset) / unit;
  return 2 * unit <= kGuardBytes;
}

// Where large units end is looked for in the extra region only, which holds nothing but copies:
// in another, the end could be a pointer that is still to be put right.
bool ends_in_extra(const Pointee& pointee, std::span<const std::byte> extra, uint64_t offset) {
  const std::span<const std::byte> rest = extra.subspan(offset);
  const uint64_t unit = pointee.unit_bytes;
  for (uint64_t at = 0; at + unit <= std::min<uint64_t>(rest.size(), kScanBytesMax); at += unit) {
    if (is_zero(rest.subspan(at, unit))) return true;
  }
  return false;
}

}  // namespace

void PointerEncoder::begin(std::vector<std::span<const std::byte>> regions,
                           std::vector<uint64_t> schemas) {
  regions_ = std::move(regions);
  schemas_ = std::move(schemas);
  schemas_.resize(regions_.size() + 1);
  runs_.clear();
  open_runs_.clear();
  extra_.clear();
  copied_.clear();
}

std::optional<size_t> PointerEncoder::encode(uint32_t domain, uint64_t schema, uint32_t region,
                                             size_t offset, std::span<std::byte> copy) {
  const std::span<const std::byte> original = regions_[region].subspan(offset);
  size_t ordinal = 0;
  return map_.walk(domain, schema, original, [&](const PayloadSlot& slot) {
    if (slot.kind != SlotKind::kPointer) return;
    const uint64_t packed = resolve(load(original.data() + slot.offset), slot.pointee);
    store(copy.data() + slot.offset, packed);
    if (packed != 0) note(region, static_cast<uint32_t>(offset + slot.offset), ordinal);
    ++ordinal;
  });
}

uint64_t PointerEncoder::resolve(uint64_t address, const Pointee& pointee) {
  if (address == 0) return 0;
  // A pointer just behind a region is what an empty array at its end has; where two regions touch,
  // the one that the pointer leads into is meant.
  for (const uint64_t behind : {0u, 1u}) {
    for (uint32_t i = 0; i < regions_.size(); ++i) {
      const uint64_t offset = address - address_of(regions_[i]);
      if (regions_[i].data() == nullptr || offset >= regions_[i].size() + behind) continue;
      if (may_point(pointee, schemas_[i], offset) && is_inside(pointee, regions_[i], offset)) {
        return pack({i, offset});
      }
    }
  }
  if (pointee.deep_copy && pointee.nested_schema == 0) {
    if (const std::optional<uint64_t> offset = copy_to_extra(address, pointee)) {
      return pack({static_cast<uint32_t>(regions_.size()), *offset});
    }
  }
  ++null_pointers_;
  return 0;
}

std::optional<uint64_t> PointerEncoder::copy_to_extra(uint64_t address, const Pointee& pointee) {
  if (pointee.unit_bytes == 0 || pointee.unit_bytes > kCopyBytesMax ||
      pointee.count > kCopyBytesMax / pointee.unit_bytes) {
    return {};
  }
  const uint64_t bytes = pointee.zero_terminated ? terminated_bytes(address, pointee.unit_bytes)
                                                 : pointee.unit_bytes * pointee.count;
  if (extra_.size() + bytes > kCopyBytesMax) return {};
  const auto [it, is_new] = copied_.emplace(std::pair(address, bytes), extra_.size());
  if (is_new) {
    const auto* from = reinterpret_cast<const std::byte*>(address);
    extra_.insert(extra_.end(), from, from + bytes);
    extra_.resize(padded(extra_.size()));
  }
  return it->second;
}

// Pointers of equal ordinal in payloads of equal size make one run.
void PointerEncoder::note(uint32_t region, uint32_t position, size_t ordinal) {
  if (ordinal < open_runs_.size()) {
    PointerRun& run = runs_[open_runs_[ordinal]];
    if (run.region == region && position > run.first) {
      const uint32_t distance = position - run.first;
      if (run.count == 1) run.stride = distance;
      if (distance == uint64_t{run.stride} * run.count) {
        ++run.count;
        return;
      }
    }
  } else {
    open_runs_.resize(ordinal + 1);
  }
  open_runs_[ordinal] = runs_.size();
  runs_.push_back({region, position, 8, 1});
}

PointerDecoder::PointerDecoder(const PayloadMap& map, std::vector<std::span<std::byte>> regions,
                               std::vector<uint64_t> schemas, std::span<const PointerRun> runs)
    : map_(map), regions_(std::move(regions)), schemas_(std::move(schemas)) {
  schemas_.resize(regions_.size());
  is_pointer_.resize(regions_.size());
  for (const PointerRun& run : runs) {
    // Pointers do not overlap, so a run takes no more steps than its region has room for.
    ok_ = run.region < regions_.size() && run.count != 0 && run.stride >= 8 &&
          run.first + uint64_t{run.count - 1} * run.stride + 8 <= regions_[run.region].size();
    if (!ok_) return;
    std::vector<bool>& marks = is_pointer_[run.region];
    marks.resize(regions_[run.region].size());
    for (uint32_t i = 0; i < run.count; ++i) {
      const size_t position = run.first + size_t{i} * run.stride;
      ok_ = !marks[position];
      if (!ok_) return;
      marks[position] = true;
    }
  }
}

uint64_t PointerDecoder::address(uint64_t packed, const Pointee& pointee) const {
  if (packed >> kRegionShift == 0) return 0;
  const StoredPointer pointer = unpack(packed);
  if (pointer.region >= regions_.size()) return 0;
  const std::span<const std::byte> region = regions_[pointer.region];
  if (pointer.offset > region.size()) return 0;
  if (!may_point(pointee, schemas_[pointer.region], pointer.offset)) return 0;
  const bool is_extra = pointer.region + 1 == regions_.size();
  if (!is_inside(pointee, region, pointer.offset) &&
      !(is_extra && pointee.zero_terminated && ends_in_extra(pointee, region, pointer.offset))) {
    return 0;
  }
  return address_of(region) + pointer.offset;
}

uint64_t PointerDecoder::restored(uint32_t region, size_t position, const Pointee& pointee) const {
  const std::vector<bool>& marks = is_pointer_[region];
  if (position >= marks.size() || !marks[position]) return 0;
  return address(load(regions_[region].data() + position), pointee);
}

bool PointerDecoder::restore_all(uint32_t domain, uint64_t schema, uint32_t region) {
  const std::span<std::byte> all = regions_[region];
  size_t offset = 0;
  if (const FixedPointers* fixed = map_.fixed_pointers(domain, schema)) {
    for (; all.size() - offset >= fixed->payload_bytes; offset += fixed->payload_bytes) {
      for (const PayloadSlot& slot : fixed->slots) {
        const size_t position = offset + slot.offset;
        store(all.data() + position, restored(region, position, slot.pointee));
      }
    }
  }
  while (offset < all.size()) {
    const std::optional<size_t> used = restore(domain, schema, region, offset);
    if (!used || *used == 0) return false;
    offset += *used;
  }
  return true;
}

std::optional<size_t> PointerDecoder::restore(uint32_t domain, uint64_t schema, uint32_t region,
                                              size_t offset) {
  const std::span<std::byte> payload = regions_[region].subspan(offset);
  struct Found {
    size_t offset;
    uint64_t address;
    Pointee pointee;
  };
  std::vector<Found> found;
  const std::optional<size_t> used =
      map_.walk(domain, schema, payload, [&](const PayloadSlot& slot) {
        if (slot.kind != SlotKind::kPointer) return;
        const uint64_t to = restored(region, offset + slot.offset, slot.pointee);
        found.push_back({slot.offset, to, slot.pointee});
      });
  if (!used) return {};
  for (const Found& one : found) store(payload.data() + one.offset, one.address);
  // A schema made to harm may let a pointer lie over a length, and so move what follows: the
  // pointers that a reader will see must be the ones that were put right.
  size_t next = 0;
  bool same = true;
  const std::optional<size_t> again =
      map_.walk(domain, schema, payload, [&](const PayloadSlot& slot) {
        if (slot.kind != SlotKind::kPointer) return;
        same = same && next < found.size() && found[next].offset == slot.offset &&
               found[next].address == load(payload.data() + slot.offset) &&
               found[next].pointee == slot.pointee;
        ++next;
      });
  if (!same || again != used) return {};
  return used;
}

}  // namespace ringscribe::journal
