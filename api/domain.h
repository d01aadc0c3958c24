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
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/counter.h"
#include "ringscribe/enum.h"
#include "ringscribe/event_args.h"
#include "ringscribe/schema.h"
#include "ringscribe/schema_description.h"
#include "ringscribe/scope.h"
#include "ringscribe/time_domain.h"

namespace ringscribe {

namespace runtime {
class DomainState;
class SessionState;
struct SchemaDefinition;
}  // namespace runtime

// A name for something that events refer to by number (nvtxResourceAttributes_t::identifierType).
enum class ResourceType : int32_t {
  kGenericPointer = 0x10001,
  kGenericHandle = 0x10002,
  kGenericThreadNative = 0x10003,
  kGenericThreadPosix = 0x10004,
};

struct ScopeOptions {
  Scope parent = Scope::root();
  uint64_t static_id = 0;  // in [2^24, 2^31); 0: one of ours
};

class Domain {
 public:
  // No domain: stands for the session's default domain where one is asked for.
  Domain() noexcept = default;

  bool ok() const noexcept { return status_.ok(); }
  // The first failure of this handle.
  const Status& status() const noexcept { return status_; }

  // --- Texts and places.

  RegisteredString get_registered_string(std::string_view text);
  // The number of a category name.
  Category get_category(std::string_view name);
  // Names a category whose number the application has chosen; 0 means "no category" and has no
  // name.
  void name_category(uint32_t id, std::string_view name);
  // `path` below `parent`, nodes separated by '/'; "name[key]" makes siblings, and a backslash
  // escapes '/', '[' and ']'. Parents may be the root, none, kCurrentHwMachine, kCurrentVm, and
  // scopes of this domain.
  Scope get_scope(std::string_view path, Scope parent = Scope::root());
  Scope get_scope(std::string_view path, const ScopeOptions& options);
  // Names a resource: a thread, an address, a handle.
  void register_resource(ResourceType type, uint64_t identifier, std::string_view name);
  // A clock that timestamps of this domain are of.
  TimeDomain get_time_domain(const TimeDomainOptions& options);

  // --- Counters.

  // The counter of that name. T is the type of its samples: an integer, a floating point number, or
  // a struct with RINGSCRIBE_SCHEMA, whose numbers are then sampled together. A name that is taken
  // by a counter of another type is an error.
  template <typename T>
  auto get_counter(std::string_view name, const CounterOptions& options = {}) {
    if constexpr (schema_internal::DescribedStruct<T>) {
      static_assert(!schema_internal::kIsFlexible<T>,
                    "a counter group has no fields of variable length");
      CounterGroup<T> group;
      static_cast<AnyCounter&>(group) =
          get_counter_group(name, schema_internal::SchemaOf<T>::value, options);
      return group;
    } else {
      constexpr EntryType kType = schema_internal::scalar_type<T>();
      static_assert(kType == EntryType::kFloat16 || kType == EntryType::kBfloat16 ||
                        (Number<T> && sizeof(T) <= 8),
                    "a counter takes integers and floating point numbers of up to 64 bits, or a "
                    "struct with RINGSCRIBE_SCHEMA");
      return get_counter(name, kType, options);
    }
  }
  // The same with a type that is known only at run time: an integer or floating point type of up to
  // 64 bits.
  Counter get_counter(std::string_view name, EntryType type, const CounterOptions& options = {});
  // A group whose samples are laid out as `schema`, of this domain: flat, of fixed size.
  AnyCounter get_counter(std::string_view name, const AnySchema& schema,
                         const CounterOptions& options = {});

  // --- Layouts of events.

  // The layout of T, which RINGSCRIBE_SCHEMA described, for events of `kind`; a kind that T's
  // roles do not fit does not compile. EventKind::kNone: a part of other layouts, or a payload.
  template <typename T>
  Schema<T> get_schema(schema_internal::KindFor<std::type_identity_t<T>> kind) {
    Schema<T> schema;
    static_cast<AnySchema&>(schema) = get_schema(schema_internal::SchemaOf<T>::value, kind.kind, 0);
    return schema;
  }
  // A layout that is known only at run time. Errors are those that NVTX's rules and the kind make.
  AnySchema get_schema(std::string_view name, std::span<const Field> fields,
                       const SchemaOptions& options = {});
  AnySchema get_schema(std::string_view name, std::initializer_list<Field> fields,
                       const SchemaOptions& options = {}) {
    return get_schema(name, std::span<const Field>(fields.begin(), fields.size()), options);
  }
  // The names of an enum's values. `size_bytes`: of the enum, 1, 2, 4 or 8.
  Enum get_enum(std::string_view name, std::span<const EnumValue> values, uint32_t size_bytes,
                uint64_t static_id = 0);

 private:
  friend class Session;
  AnyCounter get_counter_group(std::string_view name, const runtime::SchemaDescription& layout,
                               const CounterOptions& options);
  AnyCounter register_counter(std::string_view name, uint64_t layout, uint32_t sample_bytes,
                              const runtime::SchemaDefinition* group,
                              const CounterOptions& options);
  AnySchema get_schema(const runtime::SchemaDescription& description, EventKind kind,
                       uint64_t extra_flags);
  // Whether `scope` may be used in this domain; `what` and `subject` for the sentence.
  bool is_own(const Scope& scope, const char* what, std::string_view subject);
  bool is_own(const TimeDomain& time, const char* what, std::string_view subject);
  bool is_usable(const char* what, std::string_view subject);
  void fail(ResultCode code, const std::string& sentence);
  void fail(const Status& status);

  std::shared_ptr<runtime::SessionState> session_;  // nullptr: none, or recording is off
  runtime::DomainState* state_ = nullptr;           // valid until the session ends
  uint32_t number_ = 0;
  Status status_;
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_DOMAIN_H_
