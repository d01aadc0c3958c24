// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/c_api_options.h"

#include <cstring>
#include <string>

namespace ringscribe::c_api {
namespace {

// No version has had, or will have, structs beyond this: a larger size is memory that was not
// initialised, and is not read.
constexpr size_t kMaxStructBytes = 4096;

}  // namespace

bool read_struct(const char* function, const char* argument, const void* given, void* known,
                 size_t known_bytes) noexcept {
  size_t given_bytes;
  std::memcpy(&given_bytes, given, sizeof given_bytes);
  if (given_bytes < sizeof given_bytes || given_bytes > kMaxStructBytes) {
    fail_invalid(function, std::string(argument) + "->struct_size is " +
                               std::to_string(given_bytes) +
                               ": initialise the struct with its RINGSCRIBE_..._INIT");
    return false;
  }
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (size_t i = known_bytes; i < given_bytes; ++i) {
    if (bytes[i] == 0) continue;
    fail_invalid(function, std::string(argument) + " has " + std::to_string(given_bytes) +
                               " bytes and sets a member at byte " + std::to_string(i) +
                               ", which this library, with " + std::to_string(known_bytes) +
                               " bytes, does not know: leave it zero, or update the library");
    return false;
  }
  std::memcpy(known, given, given_bytes < known_bytes ? given_bytes : known_bytes);
  return true;
}

}  // namespace ringscribe::c_api
