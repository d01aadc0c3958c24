// SPDX-License-Identifier: Apache-2.0
//
// DefinitionKey: all of a description as one text, so that what was asked for before is found
// again.
//
//   String key = DefinitionKey().add(parent_id).add(path).take();
//
// Threads: no state.
#ifndef RINGSCRIBE_RUNTIME_DEFINITION_KEY_H_
#define RINGSCRIBE_RUNTIME_DEFINITION_KEY_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/semantics.h"

namespace ringscribe::runtime {

// Numbers and texts one after the other, so that equal descriptions have equal keys.
class DefinitionKey {
 public:
  DefinitionKey& add(uint64_t number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  DefinitionKey& add(std::string_view text) {
    add(text.size());
    text_.append(text);
    return *this;
  }
  DefinitionKey& add(const char* text) {
    return add(std::string_view(text == nullptr ? "" : text));
  }
  DefinitionKey& add(const FieldSemantics& semantics) {
    const CounterSemantics& counter = semantics.counter;
    add(counter.unit).add(counter.min.bits()).add(counter.max.bits());
    add(static_cast<uint64_t>(counter.min.type())).add(static_cast<uint64_t>(counter.max.type()));
    add(static_cast<uint64_t>(counter.value_type) | static_cast<uint64_t>(counter.interpolation) |
        (counter.normalize ? 1 : 0));
    add(counter.unit_scale_numerator).add(counter.unit_scale_denominator);
    add(semantics.time_domain_id).add(semantics.scope_id).add(semantics.correlation.role);
    add(std::string_view(reinterpret_cast<const char*>(semantics.correlation.uuid), 16));
    return add(semantics.correlation.display_name);
  }
  String take() { return std::move(text_); }

 private:
  String text_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_DEFINITION_KEY_H_
