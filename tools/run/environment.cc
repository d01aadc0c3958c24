// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/environment.h"

#include <unistd.h>

namespace ringscribe::tools {
namespace {

bool is_of(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
}

}  // namespace

Environment Environment::of_this_process() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    entries.emplace_back(*entry);
  return Environment(std::move(entries));
}

std::string_view Environment::get(std::string_view name) const {
  for (const std::string& entry : entries_)
    if (is_of(entry, name)) return std::string_view(entry).substr(name.size() + 1);
  return {};
}

void Environment::set(std::string_view name, std::string_view value) {
  unset(name);
  entries_.push_back(std::string(name) + "=" + std::string(value));
}

void Environment::unset(std::string_view name) {
  std::erase_if(entries_, [name](const std::string& entry) { return is_of(entry, name); });
}

std::vector<char*> Environment::pointers() {
  std::vector<char*> pointers;
  for (std::string& entry : entries_) pointers.push_back(entry.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace ringscribe::tools
