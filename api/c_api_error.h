// SPDX-License-Identifier: Apache-2.0
//
// What a set-up call of the C API returns, and the sentence that ringscribe_last_error() has then.
//
//   if (domain == nullptr) return fail_null(__func__, "domain", "give a domain of this session");
//   return report(session->value.flush());
//
// Threads: each has a sentence of its own.
#ifndef RINGSCRIBE_API_C_API_ERROR_H_
#define RINGSCRIBE_API_C_API_ERROR_H_

#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/ringscribe_c.h"

namespace ringscribe::c_api {

// The status as a code; keeps its sentence if it is a failure.
ringscribe_result report(const Status& status) noexcept;
// Keeps "`function`: `sentence`". Returns RINGSCRIBE_INVALID_ARGUMENT.
ringscribe_result fail_invalid(const char* function, std::string_view sentence) noexcept;
// For an argument that may not be NULL: keeps "`function`: `argument` is NULL: `advice`".
ringscribe_result fail_null(const char* function, const char* argument,
                            const char* advice) noexcept;

}  // namespace ringscribe::c_api

#endif  // RINGSCRIBE_API_C_API_ERROR_H_
