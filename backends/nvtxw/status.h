// SPDX-License-Identifier: Apache-2.0
//
// Status and Result: what a set-up or lifecycle call returns.
//
// A Status is a result code of NVTXW together with one sentence that names the operation, the
// subject and what to do. The hot path does not use it (it returns a bool).
//
//   ringscribe::Result<ringscribe::Session> session = ringscribe::Session::begin("engine");
//   if (!session.ok()) return session.status().print();
//
// Threads: values; share them as you would a std::string.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_STATUS_H_
#define RINGSCRIBE_BACKENDS_NVTXW_STATUS_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

namespace ringscribe {

// The result codes of NVTXW, interface version 2 (nvtxw3.h, NVTXW_RESULT_*): same numbers.
enum class ResultCode : int32_t {
  kSuccess = 0,
  kFailed = 1,
  kInvalidArgument = 2,
  kLibraryNotFound = 3,
  kLibraryLoadFailed = 4,
  kLibrarySymbolMissing = 5,
  kInterfaceVersionNotSupported = 6,
  kNotSupported = 7,
};

// The code in words, such as "invalid argument"; "unknown result code" for any other number.
const char* result_code_name(ResultCode code) noexcept;

class [[nodiscard]] Status {
 public:
  // Success.
  Status() noexcept = default;
  // A failure: `message` is a sentence that says what failed, on which value, and what to do.
  Status(ResultCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const noexcept { return code_ == ResultCode::kSuccess; }
  ResultCode code() const noexcept { return code_; }
  // Empty on success.
  const std::string& message() const noexcept { return message_; }
  // "invalid argument (2): the sentence"; "success" on success.
  std::string to_string() const;
  // Writes "ringscribe: " and to_string() to stderr unless ok(). Returns an exit code for main():
  // 0 on success, 1 otherwise.
  int print() const noexcept;
  // The same failure with "`context`: " before its sentence; success stays success.
  Status with_context(const std::string& context) const;

 private:
  ResultCode code_ = ResultCode::kSuccess;
  std::string message_;
};

// A value, or the Status that says why there is none. T is movable and default-constructible.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit on purpose
  // REQUIRES: !status.ok().
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit on purpose

  bool ok() const noexcept { return status_.ok(); }
  const Status& status() const noexcept { return status_; }
  // REQUIRES: ok(); ends the process otherwise.
  T& value() & noexcept {
    require_ok();
    return value_;
  }
  T&& value() && noexcept {
    require_ok();
    return std::move(value_);
  }
  T& operator*() & noexcept { return value(); }
  T&& operator*() && noexcept { return std::move(*this).value(); }
  T* operator->() noexcept { return &value(); }

 private:
  void require_ok() const noexcept {
    if (ok()) return;
    status_.print();
    std::abort();
  }

  Status status_;
  T value_{};
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_BACKENDS_NVTXW_STATUS_H_
