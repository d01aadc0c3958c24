// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/handle_table.h"

#include <atomic>
#include <utility>

namespace ringscribe::nvtxw {
namespace {

constexpr uint64_t kMark = 0xA5;
constexpr int kMarkShift = 56;
constexpr int kKindShift = 52;
constexpr int kSessionShift = 28;
constexpr uint64_t kKindMask = 0xF;
constexpr uint64_t kSessionMask = kSessionNumbersMax - 1;
constexpr uint64_t kNumberMask = (uint64_t{1} << kSessionShift) - 1;
static_assert(CheckedSession::kNumbersMax == kNumberMask + 1);

// Of the process, not of a table: the table of a forked child goes on counting.
std::atomic<uint32_t> next_session_number{0};

}  // namespace

uint64_t make_handle(const HandleParts& parts) noexcept {
  return (kMark << kMarkShift) | (static_cast<uint64_t>(parts.kind) << kKindShift) |
         ((parts.session & kSessionMask) << kSessionShift) | (parts.number & kNumberMask);
}

bool parse_handle(uint64_t handle, HandleKind kind, HandleParts* parts) noexcept {
  if (handle >> kMarkShift != kMark) return false;
  if (((handle >> kKindShift) & kKindMask) != static_cast<uint64_t>(kind)) return false;
  *parts = {kind, static_cast<uint32_t>((handle >> kSessionShift) & kSessionMask),
            static_cast<uint32_t>(handle & kNumberMask)};
  return true;
}

bool HandleTable::add(SessionPtr session, uint32_t* session_number) {
  // Relaxed: only the number itself matters.
  uint32_t number = next_session_number.load(std::memory_order_relaxed);
  do {
    if (number >= kSessionNumbersMax) return false;
  } while (
      !next_session_number.compare_exchange_weak(number, number + 1, std::memory_order_relaxed));
  const std::lock_guard lock(mutex_);
  sessions_.emplace(number, std::move(session));
  *session_number = number;
  return true;
}

HandleTable::SessionPtr HandleTable::find(uint32_t session_number) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session_number);
  return found == sessions_.end() ? nullptr : found->second;
}

HandleTable::SessionPtr HandleTable::take(uint32_t session_number) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session_number);
  if (found == sessions_.end()) return nullptr;
  SessionPtr session = std::move(found->second);
  sessions_.erase(found);
  return session;
}

std::vector<HandleTable::SessionPtr> HandleTable::take_all_locked() {
  std::vector<SessionPtr> all;
  all.reserve(sessions_.size());
  for (auto& [number, session] : sessions_) all.push_back(std::move(session));
  // Swapped, not cleared: that gives the memory back.
  std::unordered_map<uint32_t, SessionPtr>().swap(sessions_);
  return all;
}

std::vector<HandleTable::SessionPtr> HandleTable::take_all() {
  const std::lock_guard lock(mutex_);
  return take_all_locked();
}

std::vector<HandleTable::SessionPtr> HandleTable::take_all_if_idle() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() ? take_all_locked() : std::vector<SessionPtr>();
}

}  // namespace ringscribe::nvtxw
