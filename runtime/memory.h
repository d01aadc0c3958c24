// SPDX-License-Identifier: Apache-2.0
//
// The runtime's own heap: mimalloc under its mi_ names (DESIGN D12). The application's malloc and
// operator new are neither used for the runtime's data nor replaced. Under sanitizers and
// RINGSCRIBE_SANITIZED it is malloc, or they would see nothing.
//
//   runtime::Vector<Row> rows;            // std::vector on the runtime's heap
//   Thing* thing = runtime::make<Thing>(arguments);  runtime::destroy(thing);
//
// Threads: any. Errors: out of memory ends the process as operator new would without exceptions.
#ifndef RINGSCRIBE_RUNTIME_MEMORY_H_
#define RINGSCRIBE_RUNTIME_MEMORY_H_

#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ringscribe::runtime {

// Never returns nullptr. REQUIRES: alignment is a power of two.
void* allocate(size_t bytes, size_t alignment) noexcept;
void deallocate(void* memory) noexcept;
// True if `memory` came from allocate() and the heap is mimalloc's (for tests).
bool is_on_runtime_heap(const void* memory) noexcept;

template <typename T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <typename U>
  Allocator(const Allocator<U>&) noexcept {}  // NOLINT: implicit as the standard asks
  T* allocate(size_t count) {
    return static_cast<T*>(runtime::allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* memory, size_t) noexcept { runtime::deallocate(memory); }
  template <typename U>
  bool operator==(const Allocator<U>&) const noexcept {
    return true;
  }
};

template <typename T>
using Vector = std::vector<T, Allocator<T>>;
using String = std::basic_string<char, std::char_traits<char>, Allocator<char>>;

struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
struct StringEqual {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const noexcept { return a == b; }
};
template <typename Key, typename T>
using Map = std::unordered_map<Key, T, std::hash<Key>, std::equal_to<Key>,
                               Allocator<std::pair<const Key, T>>>;
template <typename T>
using StringMap =
    std::unordered_map<String, T, StringHash, StringEqual, Allocator<std::pair<const String, T>>>;

template <typename T, typename... Arguments>
T* make(Arguments&&... arguments) {
  return ::new (allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
}
template <typename T>
void destroy(T* object) noexcept {
  if (object == nullptr) return;
  object->~T();
  deallocate(object);
}

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_MEMORY_H_
