// SPDX-License-Identifier: Apache-2.0
//
// Scope: where something happened, as a path such as "GPU[0]/queue", for tools to make rows of
// (nvToolsExtPayload.h, nvtxScopeAttr_t). From Domain::get_scope, or predefined. Cheap to copy.
#ifndef RINGSCRIBE_API_SCOPE_H_
#define RINGSCRIBE_API_SCOPE_H_

#include <cstdint>

namespace ringscribe {

// nvtx.PredefinedScope. Those named kCurrent… are resolved by the tool; as parents of scopes NVTXW
// allows kCurrentHwMachine and kCurrentVm of them, and as scopes of streams and counters none.
enum class PredefinedScope : uint64_t {
  kNone = 0,
  kRoot = 1,
  kCurrentHwMachine = 2,
  kCurrentHwSocket = 3,
  kCurrentHwCpuPhysical = 4,
  kCurrentHwCpuLogical = 5,
  kCurrentHwInnermost = 15,
  kCurrentHypervisor = 16,
  kCurrentVm = 17,
  kCurrentKernel = 18,
  kCurrentContainer = 19,
  kCurrentOs = 20,
  kCurrentSwProcess = 21,
  kCurrentSwThread = 22,
  kCurrentSwInnermost = 31,
};

class Scope {
 public:
  // No scope is specified.
  constexpr Scope() noexcept = default;
  constexpr Scope(PredefinedScope scope) noexcept  // NOLINT: implicit on purpose
      : id_(static_cast<uint64_t>(scope)) {}
  // The root of the hierarchy.
  static constexpr Scope root() noexcept { return Scope(PredefinedScope::kRoot); }
  // A scope that the backend knows already by a static ID, in [2^24, 2^32).
  static constexpr Scope from_static_id(uint64_t id) noexcept { return Scope(id, 0); }
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
