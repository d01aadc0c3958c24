// SPDX-License-Identifier: Apache-2.0
//
// ObjectKeys: names for the members of one JSON object, no two alike.
//
// A name that comes again gets " (2)", " (3)", ... behind it, an empty one is "(unnamed)".
//
//   ObjectKeys keys;
//   keys.add("x");  // "x"
//   keys.add("x");  // "x (2)"
//
// Threads: one at a time. Lifetime: a name that is passed in has to outlive the object, or clear().
// Cost: constant for each name; no allocation for the first few.
#ifndef RINGSCRIBE_BACKENDS_CHROME_OBJECT_KEYS_H_
#define RINGSCRIBE_BACKENDS_CHROME_OBJECT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ringscribe::chrome {

class ObjectKeys {
 public:
  // Valid as long as `name` is.
  std::string_view add(std::string_view name);
  void clear();

 private:
  // Where a few are looked up one by one.
  static constexpr size_t kFew = 16;

  struct Name {
    std::string_view text;
    uint32_t last;  // the highest number given to it
  };
  // nullptr if there is no such name yet.
  uint32_t* find(std::string_view name);
  std::string_view insert(std::string_view name);

  std::vector<Name> few_;
  std::unordered_map<std::string_view, uint32_t> many_;  // those after the first few
  std::deque<std::string> made_;
};

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_OBJECT_KEYS_H_
