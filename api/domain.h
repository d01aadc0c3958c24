// SPDX-License-Identifier: Apache-2.0
//
// Domain: a name space of a session for what its events refer to: registered strings, categories,
// scopes, schemas, counters (nvtx.writer.Domain). From Session::get_domain; cheap to copy.
//
//   ringscribe::Domain domain = session->get_domain("My Domain");
//   auto depth = domain.get_counter<int64_t>("depth", {.unit = "orders"});
//   auto items = domain.get_schema<Item>(ringscribe::EventKind::kRangeStartEnd);
//
// Asking for the same thing again gives the same thing. Nothing here waits for the backend: what is
// defined gets its number at once and is registered before its first use; a refusal of the backend
// is reported by the session's next flush() or end().
//
// Threads: any. Lifetime: what a domain gave out may be used until the session ends; later use
// records nothing.
// Errors: what cannot be had is given out inert (its ok() is false), and status() says why.
#ifndef RINGSCRIBE_API_DOMAIN_H_
#define RINGSCRIBE_API_DOMAIN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/counter.h"
#include "ringscribe/event_args.h"
#include "ringscribe/schema.h"
#include "ringscribe/scope.h"

namespace ringscribe {

namespace runtime {
class DomainState;
class SessionState;
}  // namespace runtime

// The layout of a user's events, registered in a domain. Schema<T> is the typed one.
class AnySchema {
 public:
  constexpr AnySchema() noexcept = default;
  constexpr bool ok() const noexcept { return number_ != 0; }
  constexpr uint32_t row_bytes() const noexcept { return row_bytes_; }
  constexpr EventKind kind() const noexcept { return kind_; }

 protected:
  friend class Domain;
  friend class Stream;
  uint32_t number_ = 0;
  uint32_t domain_ = 0;
  uint32_t row_bytes_ = 0;
  EventKind kind_ = EventKind::kMark;
};

template <typename T>
class Schema : public AnySchema {};

class Domain {
 public:
  // No domain: stands for the session's default domain where one is asked for.
  Domain() noexcept = default;

  bool ok() const noexcept { return status_.ok(); }
  // The first failure of this handle.
  const Status& status() const noexcept { return status_; }

  RegisteredString get_registered_string(std::string_view text);
  // The number of a category name.
  Category get_category(std::string_view name);
  // `path` below `parent`, nodes separated by '/'; "name[key]" makes siblings.
  Scope get_scope(std::string_view path, Scope parent = Scope::root());
  // The counter of that name. T is an integer (recorded as int64_t) or floating type (double). A
  // name that is taken by a counter of the other type is an error.
  template <Number T>
  Counter get_counter(std::string_view name, const CounterOptions& options = {}) {
    return get_counter(name, std::floating_point<T>, options);
  }
  // The layout of T, which RINGSCRIBE_SCHEMA described, for events of `kind`; a kind that T's
  // roles do not fit does not compile.
  template <typename T>
  Schema<T> get_schema(schema_internal::KindFor<std::type_identity_t<T>> kind) {
    constexpr auto kDescription = ringscribe_schema_of(static_cast<const T*>(nullptr));
    Schema<T> schema;
    static_cast<AnySchema&>(schema) = get_schema(kDescription.name, kDescription.entries.data(),
                                                 kDescription.entries.size(), sizeof(T), kind.kind);
    return schema;
  }

 private:
  friend class Session;
  Counter get_counter(std::string_view name, bool is_floating, const CounterOptions& options);
  AnySchema get_schema(const char* name, const runtime::SchemaEntry* entries, size_t count,
                       size_t row_bytes, EventKind kind);
  bool is_usable(const char* what, std::string_view subject);
  void fail(ResultCode code, const std::string& sentence);

  std::shared_ptr<runtime::SessionState> session_;  // nullptr: none, or recording is off
  runtime::DomainState* state_ = nullptr;           // valid until the session ends
  uint32_t number_ = 0;
  Status status_;
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_DOMAIN_H_
