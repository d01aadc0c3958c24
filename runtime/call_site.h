// SPDX-License-Identifier: Apache-2.0
//
// CallSite: what does not change between two calls of one place in the program (message, colour,
// category, source location). Constant-initialised, so a static one costs no guard; it gets its
// number on first use, and its texts are copied then, so that the library it lives in may be
// unloaded (DESIGN D3).
//
//   static constinit CallSite site{"match", 0xFF00FF00, "hot", __FILE__, __LINE__};
//   uint32_t id = site.id();   // 0 before register_call_site(site)
//
// Threads: any; two threads that register one site at once get the same number.
// Orders: register_call_site() stores the number release after the texts are in the table; id()
// loads it acquire, so that the record which carries the number is published after them.
#ifndef RINGSCRIBE_RUNTIME_CALL_SITE_H_
#define RINGSCRIBE_RUNTIME_CALL_SITE_H_

#include <atomic>
#include <cstdint>

namespace ringscribe::runtime {

class CallSite;
struct CallSiteText;
uint32_t register_locked(CallSite& site) noexcept;  // of call_site.cc

class CallSite {
 public:
  constexpr CallSite(const char* message, uint32_t color_argb, const char* category,
                     const char* file, uint32_t line) noexcept
      : message_(message), category_(category), file_(file), color_(color_argb), line_(line) {}
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;

  [[gnu::always_inline]] uint32_t id() const noexcept {
    return id_.load(std::memory_order_acquire);
  }
  const char* message() const noexcept { return message_; }
  const char* category() const noexcept { return category_; }
  const char* file() const noexcept { return file_; }
  uint32_t color() const noexcept { return color_; }
  uint32_t line() const noexcept { return line_; }

 private:
  friend uint32_t register_locked(CallSite& site) noexcept;

  std::atomic<uint32_t> id_{0};
  const char* message_;
  const char* category_;
  const char* file_;
  uint32_t color_;
  uint32_t line_;
};

// The number of `site`: given now if it has none. Sites with equal texts, colour and place share
// one, so a library that is loaded again and again uses up no numbers. 0 in a call that interrupts
// the runtime's allocator or a registration on this thread (malloc hook, signal handler), and when
// all numbers are used up.
uint32_t register_call_site(CallSite& site) noexcept;

// Where call sites are written down from now on; those that there are already, too. nullptr:
// nowhere.
class DefinitionLog;
void set_call_site_log(DefinitionLog* log) noexcept;
// Gives a number that another process gave.
void restore_call_site(uint32_t id, const CallSiteText& text) noexcept;

// What the flusher finds by a number. Never removed.
const CallSiteText* find_call_site(uint32_t id) noexcept;

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_CALL_SITE_H_
