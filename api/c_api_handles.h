// SPDX-License-Identifier: Apache-2.0
//
// What the handles of the C API are: the C++ values, owned by the session and its domains.
//
//   ringscribe_session -> ringscribe_domain (by name) -> strings, scopes, … (by what they stand
//   for)
//                      -> ringscribe_stream
//
// Threads: `mutex` guards the tables; the values do not change once they are in one.
// Lifetime: until ringscribe_session_release(); streams may go earlier.
#ifndef RINGSCRIBE_API_C_API_HANDLES_H_
#define RINGSCRIBE_API_C_API_HANDLES_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "ringscribe/backend.h"
#include "ringscribe/counter.h"
#include "ringscribe/domain.h"
#include "ringscribe/ringscribe_c.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/session.h"
#include "ringscribe/stream.h"

struct ringscribe_backend {
  ringscribe::Backend value;
  std::string path;
};

// `domain` is the one that gave it out; nullptr: of every domain.
struct ringscribe_string {
  ringscribe::RegisteredString value;
  const ringscribe_domain* domain;
};
struct ringscribe_scope {
  ringscribe::Scope value;
  const ringscribe_domain* domain;
};
struct ringscribe_time_domain {
  ringscribe::TimeDomain value;
  const ringscribe_domain* domain;
};
struct ringscribe_enum {
  ringscribe::Enum value;
  const ringscribe_domain* domain;
};
struct ringscribe_schema {
  ringscribe::AnySchema value;
  const ringscribe_domain* domain;
};
struct ringscribe_counter {
  ringscribe::AnyCounter value;   // any
  ringscribe::Counter of_number;  // of one number; inert for a group
  const ringscribe_domain* domain;
};

namespace ringscribe::c_api {

// Handles by what they stand for, so that asking again gives the same one. Threads: one at a time.
template <typename Handle>
class NumberTable {
 public:
  NumberTable() = default;
  ~NumberTable() {
    for (const auto& [key, handle] : handles_) runtime::destroy(handle);
  }
  NumberTable(const NumberTable&) = delete;
  NumberTable& operator=(const NumberTable&) = delete;

  template <typename Value>
  const Handle* get(uint64_t key, const Value& value, const ringscribe_domain* domain) {
    Handle*& handle = handles_[key];
    if (handle == nullptr) handle = runtime::make<Handle>(Handle{value, domain});
    return handle;
  }

 private:
  runtime::Map<uint64_t, Handle*> handles_;
};

template <typename Handle>
class NameTable {
 public:
  NameTable() = default;
  ~NameTable() {
    for (const auto& [name, handle] : handles_) runtime::destroy(handle);
  }
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  // The place of that name's handle: nullptr if there is none yet.
  Handle*& at(std::string_view name) {
    const auto found = handles_.find(name);
    return found != handles_.end() ? found->second : handles_[runtime::String(name)];
  }

 private:
  runtime::StringMap<Handle*> handles_;
};

inline std::string_view text(const char* zero_terminated) noexcept {
  return zero_terminated != nullptr ? std::string_view(zero_terminated) : std::string_view();
}

}  // namespace ringscribe::c_api

struct ringscribe_domain {
  explicit ringscribe_domain(const ringscribe::Domain& domain) : value(domain) {}

  const ringscribe::Domain value;  // ok: calls copy it and look at the copy's status
  std::mutex mutex;
  ringscribe::c_api::NumberTable<ringscribe_string> strings;
  ringscribe::c_api::NumberTable<ringscribe_scope> scopes, static_scopes;
  ringscribe::c_api::NumberTable<ringscribe_time_domain> time_domains;
  ringscribe::c_api::NumberTable<ringscribe_enum> enums;
  ringscribe::c_api::NumberTable<ringscribe_schema> schemas;
  ringscribe::c_api::NameTable<ringscribe_counter> counters;
};

struct ringscribe_stream {
  ringscribe::Stream value;
  ringscribe_session* session;
};

struct ringscribe_session {
  ringscribe::Session value;
  std::string output;
  std::mutex mutex;
  ringscribe::c_api::NameTable<ringscribe_domain> domains;
  ringscribe::runtime::Map<const ringscribe_stream*, ringscribe_stream*> streams;
};

#endif  // RINGSCRIBE_API_C_API_HANDLES_H_
