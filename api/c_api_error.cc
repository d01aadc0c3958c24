// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/c_api_error.h"

#include "ringscribe/runtime/loss.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::c_api {
namespace {

// A pointer's worth of thread-local memory and no array: all of the library's has to fit into what
// the system keeps for libraries that are loaded late (the runtime's hot path uses initial-exec).
thread_local runtime::String last_error;

}  // namespace

ringscribe_result report(const Status& status) noexcept {
  if (!status.ok()) last_error.assign(status.message());
  return static_cast<ringscribe_result>(status.code());
}

ringscribe_result fail_invalid(const char* function, std::string_view sentence) noexcept {
  last_error.assign(function).append(": ").append(sentence);
  return RINGSCRIBE_INVALID_ARGUMENT;
}

ringscribe_result fail_null(const char* function, const char* argument,
                            const char* advice) noexcept {
  last_error.assign(function).append(": ").append(argument).append(" is NULL: ").append(advice);
  return RINGSCRIBE_INVALID_ARGUMENT;
}

}  // namespace ringscribe::c_api

using namespace ringscribe;

uint32_t ringscribe_c_api_version(void) { return RINGSCRIBE_C_API_VERSION; }

const char* ringscribe_last_error(void) { return c_api::last_error.c_str(); }

const char* ringscribe_result_name(ringscribe_result result) {
  return result_code_name(static_cast<ResultCode>(result));
}

const char* ringscribe_loss_cause_name(uint32_t cause) {
  return cause < kLossCauses ? loss_cause_name(static_cast<LossCause>(cause)) : "unknown";
}
