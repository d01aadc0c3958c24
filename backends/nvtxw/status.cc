// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/status.h"

#include <cstdio>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe {

static_assert(static_cast<int>(ResultCode::kSuccess) == NVTXW_RESULT_SUCCESS);
static_assert(static_cast<int>(ResultCode::kFailed) == NVTXW_RESULT_FAILED);
static_assert(static_cast<int>(ResultCode::kInvalidArgument) == NVTXW_RESULT_INVALID_ARGUMENT);
static_assert(static_cast<int>(ResultCode::kLibraryNotFound) == NVTXW_RESULT_LIBRARY_NOT_FOUND);
static_assert(static_cast<int>(ResultCode::kLibraryLoadFailed) == NVTXW_RESULT_LIBRARY_LOAD_FAILED);
static_assert(static_cast<int>(ResultCode::kLibrarySymbolMissing) ==
              NVTXW_RESULT_LIBRARY_SYMBOL_MISSING);
static_assert(static_cast<int>(ResultCode::kInterfaceVersionNotSupported) ==
              NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED);
static_assert(static_cast<int>(ResultCode::kNotSupported) == NVTXW_RESULT_NOT_SUPPORTED);

const char* result_code_name(ResultCode code) noexcept {
  switch (code) {
    case ResultCode::kSuccess:
      return "success";
    case ResultCode::kFailed:
      return "failed";
    case ResultCode::kInvalidArgument:
      return "invalid argument";
    case ResultCode::kLibraryNotFound:
      return "library not found";
    case ResultCode::kLibraryLoadFailed:
      return "library load failed";
    case ResultCode::kLibrarySymbolMissing:
      return "library symbol missing";
    case ResultCode::kInterfaceVersionNotSupported:
      return "interface version not supported";
    case ResultCode::kNotSupported:
      return "not supported";
  }
  return "unknown result code";
}

std::string Status::to_string() const {
  if (ok()) return "success";
  return std::string(result_code_name(code_)) + " (" + std::to_string(static_cast<int32_t>(code_)) +
         "): " + message_;
}

int Status::print() const noexcept {
  if (ok()) return 0;
  std::fprintf(stderr, "ringscribe: %s (%d): %s\n", result_code_name(code_),
               static_cast<int>(code_), message_.c_str());
  return 1;
}

Status Status::with_context(const std::string& context) const {
  if (ok()) return *this;
  return Status(code_, context + ": " + message_);
}

}  // namespace ringscribe
