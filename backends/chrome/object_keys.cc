// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/object_keys.h"

namespace ringscribe::chrome {

uint32_t* ObjectKeys::find(std::string_view name) {
  for (Name& known : few_) {
    if (known.text == name) return &known.last;
  }
  if (many_.empty()) return nullptr;
  const auto known = many_.find(name);
  return known == many_.end() ? nullptr : &known->second;
}

std::string_view ObjectKeys::insert(std::string_view name) {
  if (few_.size() < kFew) {
    few_.push_back({name, 1});
  } else {
    many_.emplace(name, 1U);
  }
  return name;
}

std::string_view ObjectKeys::add(std::string_view name) {
  if (name.empty()) name = "(unnamed)";
  uint32_t* last = find(name);
  if (last == nullptr) return insert(name);
  std::string candidate;
  do {
    candidate = std::string(name) + " (" + std::to_string(++*last) + ")";
  } while (find(candidate) != nullptr);
  made_.push_back(std::move(candidate));
  return insert(made_.back());
}

void ObjectKeys::clear() {
  few_.clear();
  many_.clear();
  made_.clear();
}

}  // namespace ringscribe::chrome
