// SPDX-License-Identifier: Apache-2.0
//
// NameFilter: which names a list such as "io,net" or "-debug" lets through
// (RINGSCRIBE_DOMAINS, RINGSCRIBE_CATEGORIES).
//
// Names are separated by commas; spaces around them do not count. A name with `-` in front is left
// out. If there is a name without `-`, only those pass. Upper and lower case differ.
//
// Threads: immutable after construction.
#ifndef RINGSCRIBE_INJECT_NAME_FILTER_H_
#define RINGSCRIBE_INJECT_NAME_FILTER_H_

#include <string_view>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::inject {

class NameFilter {
 public:
  NameFilter() = default;  // lets all through
  explicit NameFilter(std::string_view list);

  bool is_empty() const noexcept { return wanted_.empty() && unwanted_.empty(); }
  bool passes(std::string_view name) const noexcept { return passes(name, name); }
  // Of what has two names.
  bool passes(std::string_view name, std::string_view other) const noexcept;
  // What has no name passes unless only named things do.
  bool passes_nameless() const noexcept { return wanted_.empty(); }

 private:
  runtime::Vector<runtime::String> wanted_, unwanted_;
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_NAME_FILTER_H_
