// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/event_text.h"

#include <cwchar>
#include <functional>

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::inject {

void set_new_text(TracedDomain& domain, ThreadState& thread, ThreadState::SeenText& place,
                  const char* text, runtime::TextAttributes& to) {
  to.text = std::string_view(text);
  if (to.text.empty() || to.text.size() > kInternedTextMax) return;
  const uint64_t hash =
      std::hash<std::string_view>{}(to.text) + domain.index() * uint64_t{0x9E3779B97F4A7C15};
  ThreadState::SeenText& seen = thread.by_content[hash % ThreadState::kSeen];
  const bool is_same = seen.domain == domain.index() + 1 && seen.hash == hash;
  if (!is_same) {
    seen = {domain.index() + 1, 0, hash, nullptr};
    return;  // the first time: its bytes
  }
  if (seen.number == 0) seen.number = domain.intern(to.text, seen.text);
  if (seen.number == 0 || seen.text == nullptr || to.text != seen.text) return;
  place = seen;
  to.registered_string = seen.number;
  to.text = {};
}

const char* to_utf8(ThreadState& thread, const wchar_t* text) {
  static_assert(sizeof(wchar_t) == 4);
  const size_t units = std::wcslen(text);
  runtime::Vector<char>& buffer = thread.wide_text;
  buffer.resize(units * nvtxw::kUtf8PerUtf32 + 1);
  buffer[nvtxw::utf32_to_utf8(text, units, buffer.data())] = '\0';
  return buffer.data();
}

}  // namespace ringscribe::inject
