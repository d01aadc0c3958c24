// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/name_filter.h"

#include <algorithm>

namespace ringscribe::inject {

NameFilter::NameFilter(std::string_view list) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    const bool is_unwanted = name.starts_with('-');
    if (is_unwanted) name.remove_prefix(1);
    if (!name.empty()) (is_unwanted ? unwanted_ : wanted_).emplace_back(name);
  }
}

bool NameFilter::passes(std::string_view name, std::string_view other) const noexcept {
  const auto has = [&](const runtime::Vector<runtime::String>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const runtime::String& one) { return name == one || other == one; });
  };
  return !has(unwanted_) && (wanted_.empty() || has(wanted_));
}

}  // namespace ringscribe::inject
