// SPDX-License-Identifier: Apache-2.0
//
// Live recording: one line a place.
//
//   RINGSCRIBE_RANGE(book, "match", {.color = ringscribe::color::green, .category = "hot"});
//   RINGSCRIBE_MARK(book, "rejected");
//   RINGSCRIBE_SAMPLE(book, depth, queue.size());
//
// Message, colour and category of RANGE and MARK are constants: they are kept once for the place in
// the program, not copied by the call. For a message made at run time: ScopedRange, Stream::mark.
// With RINGSCRIBE_DISABLE defined before the include, the macros compile to nothing.
//
// Cost: MARK one clock read and 16 bytes, RANGE two clock reads and 24 bytes.
// Threads: any; a range is in the row of the thread that ends it. Fibers and coroutines that move
// between threads: Session::live_stream with a scope of theirs.
#ifndef RINGSCRIBE_API_LIVE_H_
#define RINGSCRIBE_API_LIVE_H_

#include <cstdint>
#include <source_location>

#include "ringscribe/color.h"
#include "ringscribe/event_args.h"
#include "ringscribe/runtime/call_site.h"
#include "ringscribe/runtime/recorder.h"
#include "ringscribe/stream.h"

namespace ringscribe {

// What RINGSCRIBE_RANGE and RINGSCRIBE_MARK take behind the message.
struct SiteArgs {
  Color color = {};
  const char* category = nullptr;  // a literal
};

// The message, colour, category and source line of one place. Make it static; use it by one or
// several calls. The texts must live until its first use.
class CallSite : public runtime::CallSite {
 public:
  constexpr explicit CallSite(const char* message, SiteArgs args = {},
                              std::source_location place = std::source_location::current()) noexcept
      : runtime::CallSite(message, args.color.argb, args.category, place.file_name(),
                          place.line()) {}
};

// Records from here to the end of the scope, as one record written at the end. A stream that is
// closed when the range begins makes it record nothing at all.
class [[nodiscard]] Range {
 public:
  [[gnu::always_inline]] Range(const Stream& stream, runtime::CallSite& site) noexcept
      : stream_(stream.ref()), site_(&site), begin_(runtime::begin_live_range(stream_, &site)) {}
  [[gnu::always_inline]] ~Range() {
    if (begin_ != 0) runtime::end_live_range(stream_, *site_, begin_);
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  const runtime::StreamRef stream_;
  runtime::CallSite* const site_;
  const int64_t begin_;  // 0: not recording
};

// The same with a message made at run time, which is copied at the begin: two records.
class [[nodiscard]] ScopedRange {
 public:
  explicit ScopedRange(const Stream& stream, const EventArgs& args = {}) noexcept
      : stream_(stream.ref()), is_open_(stream.push(args)) {}
  ~ScopedRange() {
    if (is_open_) runtime::write_live_pop(stream_);
  }
  ScopedRange(const ScopedRange&) = delete;
  ScopedRange& operator=(const ScopedRange&) = delete;

 private:
  const runtime::StreamRef stream_;
  const bool is_open_;
};

[[gnu::always_inline]] inline bool mark(const Stream& stream, runtime::CallSite& site) noexcept {
  return runtime::write_live_mark(stream.ref(), site);
}

// The time of live events now, in ticks of the chosen clock: for users' structs on live streams.
[[gnu::always_inline]] inline int64_t now() noexcept { return runtime::now_ticks(); }

namespace live_internal {
constexpr SiteArgs site_args(SiteArgs args = {}) noexcept { return args; }
}  // namespace live_internal

}  // namespace ringscribe

#define RINGSCRIBE_CONCAT_2(a, b) a##b
#define RINGSCRIBE_CONCAT(a, b) RINGSCRIBE_CONCAT_2(a, b)

#ifndef RINGSCRIBE_DISABLE

#define RINGSCRIBE_RANGE(stream, message, ...)                                           \
  static constinit ::ringscribe::CallSite RINGSCRIBE_CONCAT(ringscribe_site_, __LINE__)( \
      message, ::ringscribe::live_internal::site_args(__VA_ARGS__));                     \
  const ::ringscribe::Range RINGSCRIBE_CONCAT(ringscribe_range_, __LINE__)(              \
      stream, RINGSCRIBE_CONCAT(ringscribe_site_, __LINE__))

#define RINGSCRIBE_MARK(stream, message, ...)                          \
  do {                                                                 \
    static constinit ::ringscribe::CallSite ringscribe_site(           \
        message, ::ringscribe::live_internal::site_args(__VA_ARGS__)); \
    ::ringscribe::mark(stream, ringscribe_site);                       \
  } while (false)

#define RINGSCRIBE_SAMPLE(stream, counter, value) \
  static_cast<void>((stream).sample((counter), (value)))

#else  // The arguments are not evaluated; sizeof keeps them from being "unused".

#define RINGSCRIBE_RANGE(stream, message, ...) static_cast<void>(sizeof(stream))
#define RINGSCRIBE_MARK(stream, message, ...) static_cast<void>(sizeof(stream))
#define RINGSCRIBE_SAMPLE(stream, counter, value) \
  static_cast<void>(sizeof(stream) + sizeof(counter) + sizeof(value))

#endif  // RINGSCRIBE_DISABLE

#endif  // RINGSCRIBE_API_LIVE_H_
