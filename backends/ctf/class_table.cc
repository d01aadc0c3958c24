// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/class_table.h"

#include <utility>

namespace ringscribe::ctf {

FieldNames names_behind_front() {
  FieldNames names;
  names.add("exact_time");
  names.add("pair");
  return names;
}

uint32_t ClassTable::add(ClassText text) {
  classes_.push_back({std::move(text), {kUndeclared, kUndeclared, kUndeclared, kUndeclared}});
  return static_cast<uint32_t>(classes_.size() - 1);
}

uint32_t ClassTable::declare(uint32_t number, unsigned front) {
  Class& made = classes_[number];
  std::string fields;
  if ((front & kExactTime) != 0) fields += "i64 _exact_time;\n";
  if ((front & kPair) != 0) fields += "u64 _pair;\n";
  const std::string& name = (front & kPair) != 0 ? made.text.pair_name : made.text.name;
  made.ids[front] = metadata_.declare(name, fields + made.text.fields, made.text.remark);
  return made.ids[front];
}

}  // namespace ringscribe::ctf
