// SPDX-License-Identifier: Apache-2.0
//
// Text for CTF 1.8: string literals, comments and identifiers of its metadata language (TSDL), and
// the zero-terminated strings of events.
//
//   quoted("a \"b\"")             "a \"b\""
//   FieldNames names;
//   names.add("my field")         _my_field
//   names.add("my-field")         _my_field_2
//
// All that goes out is valid UTF-8: what is not becomes U+FFFD. NUL, at which CTF's strings end,
// becomes U+2400.
//
// Threads: one at a time for one object. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_CTF_TSDL_TEXT_H_
#define RINGSCRIBE_BACKENDS_CTF_TSDL_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

namespace ringscribe::ctf {

// A string literal.
std::string quoted(std::string_view text);
// " /* "text" */" with nothing in it that ends a comment.
std::string comment(std::string_view text);
// Appends `text` and the byte that ends it.
void append_text(std::string& out, std::string_view text);
// The longest valid start of `text` of at most `bytes_max` bytes.
std::string_view cut_text(std::string_view text, size_t bytes_max) noexcept;

// The names of the fields of one struct.
class FieldNames {
 public:
  // Returns an identifier that is none of a keyword, of one given before, and of one that a reader
  // could not take: '_', which readers take off again, then letters, digits and '_' as in `name`
  // and '_' for all else, at most 128 bytes; where it is given already "_2", "_3", ... is behind.
  std::string add(std::string_view name);
  // The identifier for the length of the array that is called `identifier`: "_my" gives
  // "__my_length".
  std::string add_length(const std::string& identifier);

 private:
  std::string unique(const std::string& base);
  std::unordered_set<std::string> used_;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_TSDL_TEXT_H_
