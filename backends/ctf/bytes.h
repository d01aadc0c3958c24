// SPDX-License-Identifier: Apache-2.0
//
// put: appends numbers as a CTF trace of ours has them: little-endian, without gaps.
//
//   put(out, uint32_t{7});
//
// Pure functions.
#ifndef RINGSCRIBE_BACKENDS_CTF_BYTES_H_
#define RINGSCRIBE_BACKENDS_CTF_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace ringscribe::ctf {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

template <typename Number>
void put(std::string& out, Number value) {
  static_assert(std::is_arithmetic_v<Number>);
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  out.append(bytes, sizeof(bytes));
}

// The same over bytes that are there already.
template <typename Number>
void put_at(std::string& out, size_t at, Number value) {
  static_assert(std::is_arithmetic_v<Number>);
  std::memcpy(out.data() + at, &value, sizeof(value));
}

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_BYTES_H_
