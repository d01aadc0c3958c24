// SPDX-License-Identifier: Apache-2.0
//
// FieldSemantics as a definition keeps them: checked, with texts of its own.
//
// Threads: no state.
#ifndef RINGSCRIBE_RUNTIME_OWNED_SEMANTICS_H_
#define RINGSCRIBE_RUNTIME_OWNED_SEMANTICS_H_

#include <string>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/semantics.h"

namespace ringscribe::runtime {

struct OwnedSemantics {
  FieldSemantics values;  // its texts are empty
  String unit;
  String correlation_name;
};

// The rules of nvtx.CounterSemantics. `subject` begins the sentence of a failure.
Status check_semantics(const CounterSemantics& semantics, const std::string& subject);
// Literals such as 0 and 1 are int: a signed bound takes the type of the other one, if it can.
CounterSemantics with_equal_limits(CounterSemantics semantics);
// Texts become valid UTF-8.
OwnedSemantics own(const FieldSemantics& semantics);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_OWNED_SEMANTICS_H_
