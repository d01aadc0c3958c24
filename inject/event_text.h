// SPDX-License-Identifier: Apache-2.0
//
// The text of a call as records take it: a registered string if it is one, or if the thread has
// written the same text before; else its bytes. So texts that repeat are copied once, and those
// that do not are not kept. What a text is known by is its content; its address only says where to
// look first.
//
//   runtime::TextAttributes text;
//   set_text(domain, thread, "match", text);
//
// Threads: the calling one's ThreadState.
#ifndef RINGSCRIBE_INJECT_EVENT_TEXT_H_
#define RINGSCRIBE_INJECT_EVENT_TEXT_H_

#include <cstring>
#include <string_view>

#include "ringscribe/inject/thread_state.h"
#include "ringscribe/inject/traced_domain.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe::inject {

// Texts beyond this are always copied.
inline constexpr size_t kInternedTextMax = 1024;

[[gnu::cold]] [[gnu::noinline]] void set_new_text(TracedDomain& domain, ThreadState& thread,
                                                  ThreadState::SeenText& place, const char* text,
                                                  runtime::TextAttributes& to);

// `text`: zero-terminated, not nullptr.
[[gnu::always_inline]] inline void set_text(TracedDomain& domain, ThreadState& thread,
                                            const char* text, runtime::TextAttributes& to) {
  const auto address = reinterpret_cast<uint64_t>(text);
  const uint64_t mixed = (address ^ uint64_t{domain.index()} << 40) * 0x9E3779B97F4A7C15u;
  ThreadState::SeenText& place = thread.by_address[mixed >> (64 - ThreadState::kSeenBits)];
  if (place.domain == domain.index() + 1 && place.text != nullptr &&
      std::strcmp(place.text, text) == 0) [[likely]] {
    to.registered_string = place.number;
    return;
  }
  set_new_text(domain, thread, place, text, to);
}

// As UTF-8, in a buffer of the thread's.
const char* to_utf8(ThreadState& thread, const wchar_t* text);

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_EVENT_TEXT_H_
