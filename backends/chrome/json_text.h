// SPDX-License-Identifier: Apache-2.0
//
// JsonText: one JSON value in the making, by RapidJSON's Writer. This folder's only user of it.
//
// What is not everyday JSON is decided here: an integer that a double cannot hold becomes a string,
// NaN and the infinities become the strings "NaN", "Infinity" and "-Infinity", every other double
// is the shortest text that reads back as the same bits and is no integer's ("1.0", "-0.0"). A text
// that is not valid UTF-8 is repaired; one with U+2028 or U+2029, which end a line in JavaScript,
// is written in ASCII with escapes.
//
//   JsonText json;
//   json.open_object();
//   json.key("items");
//   json.integer(int64_t{64});
//   json.close_object();
//   use(json.bytes());  // {"items":64}
//
// Threads: one at a time. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_CHROME_JSON_TEXT_H_
#define RINGSCRIBE_BACKENDS_CHROME_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ringscribe::chrome {

// Up to here, and down to its negative, all readers have every integer.
inline constexpr int64_t kExactMax = int64_t{1} << 53;

class JsonText {
 public:
  JsonText();
  ~JsonText();
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  // Begins a new value.
  void clear();
  // What was written since clear(); valid until the next call.
  std::string_view bytes() const noexcept;

  void open_object();
  void close_object();
  void open_array();
  void close_array();
  void key(std::string_view name);
  // A key or a text that chrome::quoted() made before.
  void quoted(std::string_view json);
  void text(std::string_view value);
  void integer(int64_t value);
  void integer(uint64_t value);
  // A number, however large.
  void whole_number(int64_t value);
  void real(double value);
  void yes();
  void null();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The shortest text that reads back as the same bits, with a point or an exponent; returns its end.
// REQUIRES: `value` is finite, and kRealMax bytes of room.
inline constexpr size_t kRealMax = 32;
char* put_real(char* to, double value) noexcept;

// `text` as a JSON string, with its quotes.
std::string quoted(std::string_view text);

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_JSON_TEXT_H_
