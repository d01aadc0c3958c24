// SPDX-License-Identifier: Apache-2.0
//
// Option structs of callers that were compiled with another version of ringscribe_c.h.
//
//   ringscribe_scope_options known = RINGSCRIBE_SCOPE_OPTIONS_INIT;  // what the caller lacks
//   if (!read_options(__func__, "options", options, known)) return RINGSCRIBE_INVALID_ARGUMENT;
//
// Threads: no state.
#ifndef RINGSCRIBE_API_C_API_OPTIONS_H_
#define RINGSCRIBE_API_C_API_OPTIONS_H_

#include <cstddef>

#include "ringscribe/c_api_error.h"

namespace ringscribe::c_api {

// Copies what both sides know of `given` onto `known`, of `known_bytes`; both begin with their
// size. False, with a sentence, if the size is none or what lies behind `known_bytes` is not zero.
bool read_struct(const char* function, const char* argument, const void* given, void* known,
                 size_t known_bytes) noexcept;

// The same for a struct that may be missing: NULL leaves the defaults.
template <typename Options>
bool read_options(const char* function, const char* argument, const Options* given,
                  Options& known) noexcept {
  static_assert(offsetof(Options, struct_size) == 0);
  return given == nullptr || read_struct(function, argument, given, &known, sizeof(Options));
}

}  // namespace ringscribe::c_api

#endif  // RINGSCRIBE_API_C_API_OPTIONS_H_
