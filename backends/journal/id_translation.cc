// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/id_translation.h"

#include <cstring>

namespace ringscribe::journal {

static_assert(NVTX_SCOPE_ID_DYNAMIC_START == NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
static_assert(NVTX_COUNTER_ID_DYNAMIC_START == NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
static_assert(NVTX_TIME_DOMAIN_ID_DYNAMIC_START == NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);

const nvtxSemanticsHeader_t* TranslatedSemantics::head() const {
  return links_.empty() ? nullptr
                        : reinterpret_cast<const nvtxSemanticsHeader_t*>(links_.front().data());
}

uint64_t IdTranslation::of(Kind kind, uint32_t domain, uint64_t recorded) const {
  const auto it = ids_.find({kind, domain, recorded});
  return it == ids_.end() ? recorded : it->second;
}

uint64_t IdTranslation::string(uint64_t recorded) const {
  const auto it = strings_.find(recorded);
  return it == strings_.end() ? 0 : it->second;
}

TranslatedSemantics IdTranslation::semantics(uint32_t domain,
                                             const nvtxSemanticsHeader_t* chain) const {
  TranslatedSemantics result;
  for (const auto* it = chain; it != nullptr; it = it->next) {
    std::vector<uint64_t>& link = result.links_.emplace_back((it->structSize + 7) / 8);
    std::memcpy(link.data(), it, it->structSize);
    if (it->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1) {
      auto* scope = reinterpret_cast<nvtxSemanticsScope_t*>(link.data());
      scope->scopeId = of(kScopes, domain, scope->scopeId);
    } else if (it->semanticId == NVTX_SEMANTIC_ID_TIME_V1) {
      auto* time = reinterpret_cast<nvtxSemanticsTime_t*>(link.data());
      time->timeDomainId = of(kTimeDomains, domain, time->timeDomainId);
    }
  }
  for (size_t i = 0; i < result.links_.size(); ++i) {
    auto* header = reinterpret_cast<nvtxSemanticsHeader_t*>(result.links_[i].data());
    header->next =
        i + 1 == result.links_.size()
            ? nullptr
            : reinterpret_cast<const nvtxSemanticsHeader_t*>(result.links_[i + 1].data());
  }
  return result;
}

bool IdTranslation::needs_copy(const PayloadMap& map, uint32_t domain,
                               std::span<const Region> regions) const {
  for (const Region& region : regions) {
    if (map.may_hold(domain, region.schema, PayloadMap::kStringHandles | PayloadMap::kScopeIds)) {
      return true;
    }
  }
  return false;
}

std::vector<std::vector<std::byte>> IdTranslation::copy(const PayloadMap& map, uint32_t domain,
                                                        std::span<const Region> regions) const {
  std::vector<std::vector<std::byte>> copies;
  for (const Region& region : regions) {
    // Zeros behind it end a text that lacks its terminator, as in the recording.
    std::vector<std::byte>& copy = copies.emplace_back(region.bytes.begin(), region.bytes.end());
    copy.resize(copy.size() + 16);
  }
  const auto moved = [&](uint64_t address) {
    for (size_t i = 0; i < regions.size(); ++i) {
      const uint64_t offset = address - reinterpret_cast<uint64_t>(regions[i].bytes.data());
      if (offset < regions[i].bytes.size()) {
        return reinterpret_cast<uint64_t>(copies[i].data()) + offset;
      }
    }
    return address;
  };
  for (size_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    for (size_t start = 0; start < region.bytes.size();) {
      const auto visit = [&](const PayloadSlot& slot) {
        std::byte* at = copies[i].data() + start + slot.offset;
        uint64_t value = 0;
        std::memcpy(&value, at, sizeof(value));
        switch (slot.kind) {
          case SlotKind::kPointer:
            value = moved(value);
            break;
          case SlotKind::kStringHandle:
            value = string(value);
            break;
          case SlotKind::kScopeId:
            value = of(kScopes, domain, value);
            break;
        }
        std::memcpy(at, &value, sizeof(value));
      };
      const std::optional<size_t> used =
          map.walk(domain, region.schema, region.bytes.subspan(start), visit);
      if (!region.many || !used || *used == 0) break;
      start += *used;
    }
  }
  return copies;
}

}  // namespace ringscribe::journal
