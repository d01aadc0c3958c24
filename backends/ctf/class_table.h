// SPDX-License-Identifier: Apache-2.0
//
// ClassTable: the event classes of a trace, each declared when an event of it is about to be
// written.
//
// A class has up to four forms, which differ in what stands in front of its fields: nothing, the
// event's exact time (where the clock cannot say it), the number of the pair that a begin and its
// end share, or both. Each form that is used is an event class of the file.
//
//   ClassTable classes(metadata);
//   uint32_t number = classes.add({"io:push", "io:crossing_push", "text _message;\n", ""});
//   uint32_t id = classes.id(number, kPair);  // declares "io:crossing_push"
//
// Threads: one at a time. Lifetime: the metadata has to outlive it.
#ifndef RINGSCRIBE_BACKENDS_CTF_CLASS_TABLE_H_
#define RINGSCRIBE_BACKENDS_CTF_CLASS_TABLE_H_

#include <cstdint>
#include <deque>
#include <string>

#include "ringscribe/backends/ctf/metadata.h"
#include "ringscribe/backends/ctf/tsdl_text.h"

namespace ringscribe::ctf {

inline constexpr unsigned kExactTime = 1;  // an i64 in front
inline constexpr unsigned kPair = 2;       // a u64 in front, behind the exact time

// Names for the fields of an event of which those in front are taken already.
FieldNames names_behind_front();

struct ClassText {
  std::string name;
  std::string pair_name;  // of the forms with a pair
  std::string fields;     // in TSDL, with names from names_behind_front()
  std::string remark;     // a comment() or ""
};

class ClassTable {
 public:
  explicit ClassTable(Metadata& metadata) noexcept : metadata_(metadata) {}

  uint32_t add(ClassText text);
  // The number in event headers. `front` is of kExactTime and kPair. REQUIRES: from add().
  uint32_t id(uint32_t number, unsigned front) {
    const uint32_t known = classes_[number].ids[front];
    return known != kUndeclared ? known : declare(number, front);
  }
  // Classes and the text of their declarations are so many that no more should be made.
  bool is_full() const noexcept {
    return classes_.size() >= kClassesMax || metadata_.bytes() >= kBytesMax;
  }

 private:
  static constexpr uint32_t kUndeclared = UINT32_MAX;
  static constexpr size_t kClassesMax = 50'000;
  static constexpr size_t kBytesMax = size_t{64} << 20;

  struct Class {
    ClassText text;
    uint32_t ids[4];
  };

  uint32_t declare(uint32_t number, unsigned front);

  Metadata& metadata_;
  std::deque<Class> classes_;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_CLASS_TABLE_H_
