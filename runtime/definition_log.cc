// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/definition_log.h"

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/no_reentry.h"

namespace ringscribe::runtime {

namespace {

constexpr char kMagic[8] = {'R', 'S', 'D', 'E', 'F', 'S', '\0', '\1'};

enum class EntryKind : uint32_t {
  kProcess = 1,
  kSession,
  kSessionEnd,
  kDomain,
  kStream,
  kStreamEnd,
  kCallSite,
  kDefinition,
};

// Both archives have the same functions, so that one list of a struct's fields serves both ways.
class Writer {
 public:
  template <typename T>
  void number(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    append(&value, sizeof value);
  }
  template <typename T>
  void choice(const T& value, T) {
    number(static_cast<uint64_t>(value));
  }
  void text(const String& value) {
    number(static_cast<uint32_t>(value.size()));
    append(value.data(), value.size());
  }
  void bytes(const void* data, size_t size) { append(data, size); }
  template <typename T, typename Fields>
  void list(const Vector<T>& values, Fields fields) {
    number(static_cast<uint32_t>(values.size()));
    for (const T& value : values) fields(*this, const_cast<T&>(value));
  }

  Vector<uint8_t>& buffer() { return buffer_; }

 private:
  void append(const void* data, size_t size) {
    const auto* from = static_cast<const uint8_t*>(data);
    buffer_.insert(buffer_.end(), from, from + size);
  }
  Vector<uint8_t> buffer_;
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> rest) : rest_(rest) {}

  template <typename T>
  void number(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      bytes(&byte, 1);
      value = byte != 0;
    } else {
      bytes(&value, sizeof value);
    }
  }
  // An enum: `last` is its greatest value.
  template <typename T>
  void choice(T& value, T last) {
    uint64_t read = 0;
    number(read);
    if (read > static_cast<uint64_t>(last)) fail();
    value = is_ok_ ? static_cast<T>(read) : T{};
  }
  void text(String& value) {
    uint32_t size = 0;
    number(size);
    if (!is_ok_ || size > rest_.size()) return fail();
    value.assign(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
  }
  void bytes(void* data, size_t size) {
    if (!is_ok_ || size > rest_.size()) return fail();
    std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  template <typename T, typename Fields>
  void list(Vector<T>& values, Fields fields) {
    uint32_t count = 0;
    number(count);
    if (count > rest_.size()) return fail();  // each has a byte at least
    for (uint32_t i = 0; i < count && is_ok_; ++i) fields(*this, values.emplace_back());
  }

  void fail() { is_ok_ = false; }
  // All was read, and nothing was left over.
  bool is_whole() const { return is_ok_ && rest_.empty(); }
  bool is_ok() const { return is_ok_; }

 private:
  std::span<const uint8_t> rest_;
  bool is_ok_ = true;
};

template <typename Archive>
void fields(Archive& archive, SyncPoint& point) {
  archive.number(point.ticks);
  archive.number(point.monotonic_ns);
  archive.number(point.realtime_ns);
}

template <typename Archive>
void fields(Archive& archive, LoggedProcess& entry) {
  archive.number(entry.pid);
  archive.text(entry.name);
  archive.number(entry.clock);
  fields(archive, entry.begin);
}
template <typename Archive>
void fields(Archive& archive, LoggedSession& entry) {
  archive.number(entry.session);
  archive.text(entry.name);
  archive.text(entry.backend);
  archive.text(entry.output);
}
template <typename Archive>
void fields(Archive& archive, LoggedSessionEnd& entry) {
  archive.number(entry.session);
}
template <typename Archive>
void fields(Archive& archive, LoggedDomain& entry) {
  archive.number(entry.session);
  archive.number(entry.number);
  archive.text(entry.name);
}
template <typename Archive>
void fields(Archive& archive, LoggedStream& entry) {
  archive.number(entry.session);
  archive.number(entry.number);
  archive.number(entry.domain);
  archive.text(entry.name);
  archive.number(entry.is_live);
  archive.number(entry.is_ordered);
  archive.number(entry.scope_id);
  archive.number(entry.time_domain);
  archive.number(entry.interleaving);
  archive.number(entry.ordering);
  archive.number(entry.skid);
  archive.number(entry.skid_amount);
}
template <typename Archive>
void fields(Archive& archive, LoggedStreamEnd& entry) {
  archive.number(entry.number);
}
template <typename Archive>
void fields(Archive& archive, LoggedCallSite& entry) {
  archive.number(entry.id);
  archive.text(entry.text.message);
  archive.text(entry.text.category);
  archive.text(entry.text.file);
  archive.number(entry.text.color);
  archive.number(entry.text.line);
}

void fields(Writer& archive, CounterLimit& limit) {
  archive.choice(limit.type(), CounterLimit::Type::kFloat64);
  archive.number(limit.bits());
}
void fields(Reader& archive, CounterLimit& limit) {
  CounterLimit::Type type{};
  uint64_t bits = 0;
  archive.choice(type, CounterLimit::Type::kFloat64);
  archive.number(bits);
  switch (type) {
    case CounterLimit::Type::kNone:
      limit = CounterLimit();
      return;
    case CounterLimit::Type::kInt64:
      limit = CounterLimit(static_cast<int64_t>(bits));
      return;
    case CounterLimit::Type::kUint64:
      limit = CounterLimit(bits);
      return;
    case CounterLimit::Type::kFloat64:
      limit = CounterLimit(std::bit_cast<double>(bits));
      return;
  }
}

template <typename Archive>
void fields(Archive& archive, OwnedSemantics& semantics) {
  CounterSemantics& counter = semantics.values.counter;
  fields(archive, counter.min);
  fields(archive, counter.max);
  archive.choice(counter.value_type, CounterValueType::kDeltaSinceStart);
  archive.choice(counter.interpolation, CounterInterpolation::kLinear);
  archive.number(counter.unit_scale_numerator);
  archive.number(counter.unit_scale_denominator);
  archive.number(counter.normalize);
  archive.number(semantics.values.time_domain_id);
  archive.number(semantics.values.scope_id);
  archive.bytes(semantics.values.correlation.uuid, sizeof semantics.values.correlation.uuid);
  archive.number(semantics.values.correlation.role);
  archive.text(semantics.unit);
  archive.text(semantics.correlation_name);
}

template <typename Archive>
void fields(Archive& archive, StringDefinition& string) {
  archive.text(string.text);
}
template <typename Archive>
void fields(Archive& archive, CategoryDefinition& category) {
  archive.text(category.name);
}
template <typename Archive>
void fields(Archive& archive, ScopeDefinition& scope) {
  archive.text(scope.path);
  archive.number(scope.parent_id);
}

const Vector<FlexField>& flex_fields(const FlexLayout* layout) {
  static const Vector<FlexField> none;
  return layout == nullptr ? none : layout->fields;
}
void flexible(Writer& archive, SchemaDefinition& schema) {
  archive.list(flex_fields(schema.flexible), [](Writer& to, FlexField& field) {
    to.number(field.offset);
    to.number(field.element_bytes);
    to.number(field.is_text);
  });
}
void flexible(Reader& archive, SchemaDefinition& schema) {
  Vector<FlexField> layout;
  archive.list(layout, [](Reader& from, FlexField& field) {
    from.number(field.offset);
    from.number(field.element_bytes);
    from.number(field.is_text);
    if (field.element_bytes == 0) from.fail();
  });
  for (const FlexField& field : layout)
    if (uint64_t{field.offset} + 16 > schema.row_bytes) archive.fail();
  if (archive.is_ok() && !layout.empty()) schema.flexible = intern_flex_layout(layout);
}

template <typename Archive>
void fields(Archive& archive, SchemaDefinition& schema) {
  archive.text(schema.name);
  archive.list(schema.entries, [](Archive& list, SchemaDefinition::Entry& entry) {
    list.text(entry.name);
    list.text(entry.description);
    list.number(entry.flags);
    list.number(entry.type);
    list.number(entry.detail);
    list.number(entry.offset);
    fields(list, entry.semantics);
  });
  archive.choice(schema.type, SchemaType::kUnionWithInternalSelector);
  archive.choice(schema.event_kind, EventKind::kRangeEnd);
  archive.number(schema.flags);
  uint64_t pack_align = schema.pack_align;
  archive.number(pack_align);
  schema.pack_align = pack_align;
  archive.number(schema.row_bytes);
  archive.number(schema.declared_bytes);
  archive.number(schema.time_offset);
  archive.number(schema.has_timestamp);
  const auto offset = [](Archive& list, uint32_t& at) { list.number(at); };
  archive.list(schema.string_offsets, offset);
  archive.list(schema.pointer_offsets, offset);
  flexible(archive, schema);
}
template <typename Archive>
void fields(Archive& archive, EnumDefinition& enumeration) {
  archive.text(enumeration.name);
  archive.list(enumeration.values, [](Archive& list, EnumDefinition::Value& value) {
    list.text(value.name);
    list.number(value.value);
    list.number(value.is_flag);
  });
  archive.number(enumeration.size_bytes);
}
template <typename Archive>
void fields(Archive& archive, CounterDefinition& counter) {
  archive.text(counter.name);
  archive.text(counter.description);
  archive.number(counter.layout);
  archive.number(counter.scope_id);
  fields(archive, counter.semantics);
  archive.number(counter.sample_bytes);
  archive.number(counter.time_offset);
}
template <typename Archive>
void fields(Archive& archive, TimeDomainDefinition& domain) {
  archive.number(domain.scope_id);
  archive.number(domain.timestamp_type);
  archive.number(domain.flags);
  archive.number(domain.ticks_per_second);
  archive.number(domain.start);
}
template <typename Archive>
void fields(Archive& archive, ResourceDefinition& resource) {
  archive.number(resource.type);
  archive.number(resource.identifier);
  archive.text(resource.name);
}

// Calls `use` with the definition as what it is.
template <typename Use>
void with_its_type(Definition& definition, Use use) {
  switch (definition.kind) {
    case DefinitionKind::kString:
      return use(static_cast<StringDefinition&>(definition));
    case DefinitionKind::kCategory:
      return use(static_cast<CategoryDefinition&>(definition));
    case DefinitionKind::kScope:
      return use(static_cast<ScopeDefinition&>(definition));
    case DefinitionKind::kSchema:
      return use(static_cast<SchemaDefinition&>(definition));
    case DefinitionKind::kEnum:
      return use(static_cast<EnumDefinition&>(definition));
    case DefinitionKind::kCounter:
      return use(static_cast<CounterDefinition&>(definition));
    case DefinitionKind::kTimeDomain:
      return use(static_cast<TimeDomainDefinition&>(definition));
    case DefinitionKind::kResource:
      return use(static_cast<ResourceDefinition&>(definition));
  }
}

Definition* make_definition(DefinitionKind kind) {
  switch (kind) {
    case DefinitionKind::kString:
      return make<StringDefinition>();
    case DefinitionKind::kCategory:
      return make<CategoryDefinition>();
    case DefinitionKind::kScope:
      return make<ScopeDefinition>();
    case DefinitionKind::kSchema:
      return make<SchemaDefinition>();
    case DefinitionKind::kEnum:
      return make<EnumDefinition>();
    case DefinitionKind::kCounter:
      return make<CounterDefinition>();
    case DefinitionKind::kTimeDomain:
      return make<TimeDomainDefinition>();
    case DefinitionKind::kResource:
      break;
  }
  return make<ResourceDefinition>();
}

void fields(Writer& archive, LoggedDefinition& entry) {
  archive.number(entry.domain);
  archive.choice(entry.definition->kind, DefinitionKind::kResource);
  archive.number(entry.definition->number);
  archive.number(entry.definition->static_id);
  with_its_type(*entry.definition, [&archive](auto& definition) { fields(archive, definition); });
}
void fields(Reader& archive, LoggedDefinition& entry) {
  archive.number(entry.domain);
  DefinitionKind kind{};
  archive.choice(kind, DefinitionKind::kResource);
  if (!archive.is_ok()) return;
  entry.definition = make_definition(kind);
  archive.number(entry.definition->number);
  archive.number(entry.definition->static_id);
  with_its_type(*entry.definition, [&archive](auto& definition) { fields(archive, definition); });
}

template <typename Entry>
bool read_entry(std::span<const uint8_t> bytes, LogVisitor& visitor,
                void (LogVisitor::*visit)(const Entry&)) {
  Reader reader(bytes);
  Entry entry;
  fields(reader, entry);
  if (reader.is_whole()) {
    (visitor.*visit)(entry);
    return true;
  }
  if constexpr (std::is_same_v<Entry, LoggedDefinition>) destroy(entry.definition);
  return false;
}

bool read_entry(EntryKind kind, std::span<const uint8_t> bytes, LogVisitor& visitor) {
  switch (kind) {
    case EntryKind::kProcess:
      return read_entry(bytes, visitor, &LogVisitor::process);
    case EntryKind::kSession:
      return read_entry(bytes, visitor, &LogVisitor::session);
    case EntryKind::kSessionEnd:
      return read_entry(bytes, visitor, &LogVisitor::session_end);
    case EntryKind::kDomain:
      return read_entry(bytes, visitor, &LogVisitor::domain);
    case EntryKind::kStream:
      return read_entry(bytes, visitor, &LogVisitor::stream);
    case EntryKind::kStreamEnd:
      return read_entry(bytes, visitor, &LogVisitor::stream_end);
    case EntryKind::kCallSite:
      return read_entry(bytes, visitor, &LogVisitor::call_site);
    case EntryKind::kDefinition:
      return read_entry(bytes, visitor, &LogVisitor::definition);
  }
  return false;
}

bool write_all(int fd, const void* data, size_t size) {
  const auto* from = static_cast<const char*>(data);
  while (size != 0) {
    const ssize_t written = ::write(fd, from, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

DefinitionLog::DefinitionLog(int fd) : file_(fd) {
  if (fd >= 0 && !write_all(fd, kMagic, sizeof kMagic)) (void)file_.close();
}

DefinitionLog::~DefinitionLog() { (void)file_.close(); }

template <typename Entry>
void DefinitionLog::write(uint32_t kind, const Entry& entry) {
  const NoReentry mark;
  Writer writer;
  writer.number(uint32_t{0});
  writer.number(kind);
  Entry& same = const_cast<Entry&>(entry);  // the list of fields is one for both ways
  fields(writer, same);
  Vector<uint8_t>& bytes = writer.buffer();
  const auto size = static_cast<uint32_t>(bytes.size());
  std::memcpy(bytes.data(), &size, sizeof size);
  const std::lock_guard lock(mutex_);
  if (file_.fd() < 0) return;
  errno = EBADF;
  if (file_.is_open() && write_all(file_.fd(), bytes.data(), bytes.size())) return;
  log(LogLevel::kError,
      "crash folder: what is defined from now on cannot be written down (errno %d): its events "
      "cannot be recovered",
      errno);
  (void)file_.close();
}

void DefinitionLog::add(const LoggedProcess& entry) {
  write(static_cast<uint32_t>(EntryKind::kProcess), entry);
}
void DefinitionLog::add(const LoggedSession& entry) {
  write(static_cast<uint32_t>(EntryKind::kSession), entry);
}
void DefinitionLog::add(const LoggedSessionEnd& entry) {
  write(static_cast<uint32_t>(EntryKind::kSessionEnd), entry);
}
void DefinitionLog::add(const LoggedDomain& entry) {
  write(static_cast<uint32_t>(EntryKind::kDomain), entry);
}
void DefinitionLog::add(const LoggedStream& entry) {
  write(static_cast<uint32_t>(EntryKind::kStream), entry);
}
void DefinitionLog::add(const LoggedStreamEnd& entry) {
  write(static_cast<uint32_t>(EntryKind::kStreamEnd), entry);
}
void DefinitionLog::add(const LoggedCallSite& entry) {
  write(static_cast<uint32_t>(EntryKind::kCallSite), entry);
}
void DefinitionLog::add(const LoggedDefinition& entry) {
  write(static_cast<uint32_t>(EntryKind::kDefinition), entry);
}

Status read_definition_log(std::span<const uint8_t> bytes, LogVisitor& visitor) {
  if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    return Status(
        ResultCode::kInvalidArgument,
        "the file \"definitions\" is none of this version of ringscribe: recover with the "
        "version that recorded");
  for (size_t at = sizeof kMagic; bytes.size() - at >= 8;) {
    uint32_t size = 0, kind = 0;
    std::memcpy(&size, bytes.data() + at, sizeof size);
    std::memcpy(&kind, bytes.data() + at + 4, sizeof kind);
    if (size < 8)
      return Status(ResultCode::kInvalidArgument,
                    "the file \"definitions\" is damaged at byte " + std::to_string(at));
    if (size > bytes.size() - at) break;  // cut: the process died while it wrote
    if (!read_entry(static_cast<EntryKind>(kind), bytes.subspan(at + 8, size - 8), visitor))
      return Status(ResultCode::kInvalidArgument,
                    "the file \"definitions\" is damaged at byte " + std::to_string(at));
    at += size;
  }
  return Status();
}

}  // namespace ringscribe::runtime
