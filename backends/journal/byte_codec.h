// SPDX-License-Identifier: Apache-2.0
//
// Encoder and Decoder: the fields of a definition frame, one after the other. Both have the same
// functions, so that one description of a struct's fields serves both ways (definition_codec.cc).
// Numbers are in the machine's byte order and unaligned. A text is its length as 32 bits
// (UINT32_MAX: NULL), its bytes, and a NUL.
//
//   Encoder encoder;                   Decoder decoder(payload);
//   encoder.number(scope.scopeId);     decoder.number(scope.scopeId);
//   encoder.text(scope.path);          decoder.text(scope.path);
//                                      if (!decoder.ok()) ...
//
// Threads: one at a time. Lifetime: what a Decoder hands out lives as long as the decoder and the
// payload.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_BYTE_CODEC_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_BYTE_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ringscribe::journal {

inline constexpr uint32_t kNullText = UINT32_MAX;

class Encoder {
 public:
  static constexpr bool kDecodes = false;

  template <typename T>
  void number(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    append(&value, sizeof(value));
  }
  void text(const char* const& value) {
    if (value == nullptr) return number(kNullText);
    view(std::string_view(value));
  }
  void view(std::string_view value) {
    number(static_cast<uint32_t>(value.size()));
    append(value.data(), value.size());
    bytes_.push_back(std::byte{0});
  }
  // `fields(encoder, element)` for each of the `count` elements.
  template <typename T, typename Count, typename Fields>
  void array(const T* const& elements, const Count& count, Fields fields) {
    number(static_cast<uint64_t>(elements == nullptr ? 0 : count));
    for (size_t i = 0; elements != nullptr && i < count; ++i) {
      T copy = elements[i];
      fields(*this, copy);
    }
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void append(const void* data, size_t size) {
    if (size == 0) return;
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  std::vector<std::byte> bytes_;
};

class Decoder {
 public:
  static constexpr bool kDecodes = true;

  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

  // False once anything was missing or malformed; all values read from then on are zero or NULL.
  bool ok() const { return ok_; }
  void fail() { ok_ = false; }

  template <typename T>
  void number(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    const void* from = take(sizeof(value));
    if (from != nullptr) {
      std::memcpy(&value, from, sizeof(value));
    } else {
      value = T{};
    }
  }
  void text(const char*& value) {
    std::string_view found;
    value = optional_view(&found) ? found.data() : nullptr;
  }
  void view(std::string_view& value) {
    if (!optional_view(&value)) value = std::string_view();
  }
  template <typename T, typename Count, typename Fields>
  void array(const T*& elements, Count& count, Fields fields) {
    uint64_t wanted = 0;
    number(wanted);
    // An element has at least 4 bytes: a length that cannot be true allocates nothing.
    if (wanted > bytes_.size() / 4) fail();
    count = static_cast<Count>(ok_ ? wanted : 0);
    auto owned = std::make_shared<std::vector<T>>(count);
    for (T& element : *owned) fields(*this, element);
    elements = owned->data();
    owned_.push_back(std::move(owned));
  }
  // A value that lives as long as the decoder.
  template <typename T>
  T& make() {
    auto owned = std::make_shared<T>();
    T& value = *owned;
    owned_.push_back(std::move(owned));
    return value;
  }

  // The next `size` bytes as a decoder of their own.
  Decoder part(uint64_t size) {
    const void* from = take(size);
    Decoder inner(std::span(static_cast<const std::byte*>(from), from == nullptr ? 0 : size));
    inner.ok_ = ok_;
    return inner;
  }
  uint64_t remaining() const { return bytes_.size(); }

 private:
  const std::byte* take(uint64_t size) {
    if (!ok_ || size > bytes_.size()) {
      ok_ = false;
      return nullptr;
    }
    const std::byte* from = bytes_.data();
    bytes_ = bytes_.subspan(size);
    return from;
  }
  // False if the text is NULL or malformed.
  bool optional_view(std::string_view* value) {
    uint32_t size = kNullText;
    number(size);
    if (!ok_ || size == kNullText) return false;
    const auto* from = reinterpret_cast<const char*>(take(uint64_t{size} + 1));
    if (from == nullptr) return false;
    if (from[size] != '\0') {
      fail();
      return false;
    }
    *value = std::string_view(from, size);
    return true;
  }

  std::span<const std::byte> bytes_;
  std::vector<std::shared_ptr<void>> owned_;
  bool ok_ = true;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_BYTE_CODEC_H_
