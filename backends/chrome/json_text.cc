// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/json_text.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::chrome {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;
using AsciiWriter =
    rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::ASCII<>>;

rapidjson::SizeType size_of(std::string_view text) {
  return static_cast<rapidjson::SizeType>(text.size());
}

// "" is not nullptr to RapidJSON, and a view of nothing may be.
const char* data_of(std::string_view text) { return text.empty() ? "" : text.data(); }

bool has_line_separator(std::string_view text) noexcept {
  constexpr char kFirst = '\xE2';
  for (size_t at = text.find(kFirst); at != std::string_view::npos;
       at = text.find(kFirst, at + 1)) {
    const std::string_view character = text.substr(at, 3);
    if (character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9") return true;
  }
  return false;
}

// A key or a value: RapidJSON does not tell them apart.
void write_text(Writer& writer, std::string_view text) {
  if (!nvtxw::is_valid_utf8(text)) return write_text(writer, nvtxw::to_valid_utf8(text));
  if (!has_line_separator(text)) {
    writer.String(data_of(text), size_of(text));
    return;
  }
  rapidjson::StringBuffer buffer;
  AsciiWriter(buffer).String(text.data(), size_of(text));
  writer.RawValue(buffer.GetString(), buffer.GetSize(), rapidjson::kStringType);
}

}  // namespace

struct JsonText::Impl {
  rapidjson::StringBuffer buffer;
  Writer writer{buffer};
};

JsonText::JsonText() : impl_(std::make_unique<Impl>()) {}
JsonText::~JsonText() = default;

void JsonText::clear() {
  impl_->buffer.Clear();
  impl_->writer.Reset(impl_->buffer);
}

std::string_view JsonText::bytes() const noexcept {
  return {impl_->buffer.GetString(), impl_->buffer.GetSize()};
}

void JsonText::open_object() { impl_->writer.StartObject(); }
void JsonText::close_object() { impl_->writer.EndObject(); }
void JsonText::open_array() { impl_->writer.StartArray(); }
void JsonText::close_array() { impl_->writer.EndArray(); }
void JsonText::key(std::string_view name) { write_text(impl_->writer, name); }
void JsonText::text(std::string_view value) { write_text(impl_->writer, value); }
void JsonText::yes() { impl_->writer.Bool(true); }
void JsonText::null() { impl_->writer.Null(); }

void JsonText::quoted(std::string_view json) {
  impl_->writer.RawValue(json.data(), json.size(), rapidjson::kStringType);
}

void JsonText::whole_number(int64_t value) { impl_->writer.Int64(value); }

void JsonText::integer(int64_t value) {
  if (value <= kExactMax && value >= -kExactMax) {
    impl_->writer.Int64(value);
  } else {
    text(std::to_string(value));
  }
}

void JsonText::integer(uint64_t value) {
  if (value <= static_cast<uint64_t>(kExactMax)) {
    impl_->writer.Uint64(value);
  } else {
    text(std::to_string(value));
  }
}

void JsonText::real(double value) {
  if (std::isnan(value)) return text("NaN");
  if (std::isinf(value)) return text(value > 0 ? "Infinity" : "-Infinity");
  char number[kRealMax];
  const char* const end = put_real(number, value);
  impl_->writer.RawValue(number, static_cast<size_t>(end - number), rapidjson::kNumberType);
}

char* put_real(char* to, double value) noexcept {
  char* end = std::to_chars(to, to + kRealMax, value).ptr;
  const auto is_of_integers = [](char c) { return (c >= '0' && c <= '9') || c == '-'; };
  if (std::all_of(to, end, is_of_integers)) {
    *end++ = '.';
    *end++ = '0';
  }
  return end;
}

std::string quoted(std::string_view text) {
  JsonText json;
  json.text(text);
  return std::string(json.bytes());
}

}  // namespace ringscribe::chrome
