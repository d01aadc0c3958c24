// SPDX-License-Identifier: Apache-2.0
//
// IdTable: objects by the IDs that programs know them by, found without a lock while others are
// added: samples and payloads look up one each.
//
//   table.add(id, object);            // false if the ID is taken
//   Object* object = table.find(id);  // nullptr if nobody added it
//
// Does not own its objects; they are never removed. When the places are half full they move to a
// table twice as large; the old one stays for those who are reading it, so that all of them
// together take at most twice what the last one does.
//
// Threads: add() under the caller's lock; find() from any thread.
// Orders: add() stores an object's ID release after the object, find() loads it acquire; the same
// with a new table and its places.
#ifndef RINGSCRIBE_INJECT_ID_TABLE_H_
#define RINGSCRIBE_INJECT_ID_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::inject {

template <typename T>
class IdTable {
 public:
  IdTable() = default;
  IdTable(const IdTable&) = delete;
  IdTable& operator=(const IdTable&) = delete;
  ~IdTable() {
    for (Places* places = newest_.load(std::memory_order_relaxed); places != nullptr;) {
      Places* const older = places->older;
      runtime::destroy(places);
      places = older;
    }
  }

  // REQUIRES: id != 0, object != nullptr.
  bool add(uint64_t id, T* object) {
    if (find(id) != nullptr) return false;
    Places* places = newest_.load(std::memory_order_relaxed);  // only add() stores it
    if (places == nullptr || 2 * (count_ + 1) > places->places.size()) {
      auto* larger = runtime::make<Places>(places == nullptr ? 16 : 2 * places->places.size());
      if (places != nullptr)
        for (const Place& place : places->places)
          if (const uint64_t known = place.id.load(std::memory_order_relaxed); known != 0)
            larger->put(known, place.object);
      larger->older = places;
      newest_.store(larger, std::memory_order_release);  // pairs with find()
      places = larger;
    }
    places->put(id, object);
    ++count_;
    return true;
  }

  T* find(uint64_t id) const noexcept {
    const Places* places = newest_.load(std::memory_order_acquire);  // pairs with add()
    if (places == nullptr || id == 0) return nullptr;
    for (size_t at = places->first(id);; at = (at + 1) & (places->places.size() - 1)) {
      const Place& place = places->places[at];
      const uint64_t known = place.id.load(std::memory_order_acquire);  // pairs with put()
      if (known == id) return place.object;
      if (known == 0) return nullptr;  // there always is such a place
    }
  }

 private:
  struct Place {
    std::atomic<uint64_t> id{0};
    T* object = nullptr;  // written before the ID
  };
  struct Places {
    explicit Places(size_t count) : places(count) {}
    size_t first(uint64_t id) const noexcept {
      return static_cast<size_t>((id * 0x9E3779B97F4A7C15u) >> 32) & (places.size() - 1);
    }
    void put(uint64_t id, T* object) noexcept {
      size_t at = first(id);
      while (places[at].id.load(std::memory_order_relaxed) != 0)
        at = (at + 1) & (places.size() - 1);
      places[at].object = object;
      places[at].id.store(id, std::memory_order_release);  // pairs with find()
    }
    runtime::Vector<Place> places;  // a power of two
    Places* older = nullptr;
  };

  std::atomic<Places*> newest_{nullptr};
  size_t count_ = 0;
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_ID_TABLE_H_
