// SPDX-License-Identifier: Apache-2.0
//
// Scope: where something happened, as a path such as "GPU[0]/queue", for tools to make rows of
// (nvToolsExtPayload.h, nvtxScopeAttr_t). From Domain::get_scope. Cheap to copy.
#ifndef RINGSCRIBE_API_SCOPE_H_
#define RINGSCRIBE_API_SCOPE_H_

#include <cstdint>

namespace ringscribe {

class Scope {
 public:
  // NVTX_SCOPE_NONE: no scope is specified.
  constexpr Scope() noexcept = default;
  // NVTX_SCOPE_ROOT: the root of the hierarchy.
  static constexpr Scope root() noexcept { return Scope(1, 0); }
  // The ID for NVTX.
  constexpr uint64_t id() const noexcept { return id_; }

 private:
  friend class Domain;
  friend class Session;
  constexpr Scope(uint64_t id, uint32_t domain) noexcept : id_(id), domain_(domain) {}

  uint64_t id_ = 0;
  uint32_t domain_ = 0;  // 0: of every domain
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_SCOPE_H_
