// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/domain.h"

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/session_state.h"

namespace ringscribe {

static_assert(schema_internal::kInt8 == NVTX_PAYLOAD_ENTRY_TYPE_INT8);
static_assert(schema_internal::kUint64 == NVTX_PAYLOAD_ENTRY_TYPE_UINT64);
static_assert(schema_internal::kFloat32 == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32);
static_assert(schema_internal::kFloat64 == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64);
static_assert(schema_internal::kRangeId == NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID);
static_assert(schema_internal::kCategory == NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY);
static_assert(schema_internal::kColor == NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB);
static_assert(schema_internal::kUtf8 == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8);
static_assert(schema_internal::kFixedArray == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE);
static_assert(Scope::root().id() == NVTX_SCOPE_ROOT && Scope().id() == NVTX_SCOPE_NONE);

void Domain::fail(ResultCode code, const std::string& sentence) {
  runtime::log(runtime::LogLevel::kWarn, "%s", sentence.c_str());
  if (status_.ok()) status_ = Status(code, sentence);
}

bool Domain::is_usable(const char* what, std::string_view subject) {
  if (session_ == nullptr || state_ == nullptr) return false;  // off, or failed before
  if (!session_->is_ended()) return true;
  fail(ResultCode::kInvalidArgument, std::string(what) + " \"" + std::string(subject) +
                                         "\": session \"" + std::string(session_->name()) +
                                         "\" has ended");
  return false;
}

RegisteredString Domain::get_registered_string(std::string_view text) {
  if (!is_usable("registered string", text)) return RegisteredString();
  if (text.empty()) {
    fail(ResultCode::kInvalidArgument, "an empty text cannot be registered: leave the message out");
    return RegisteredString();
  }
  const runtime::StringDefinition* definition = state_->string(text);
  if (definition == nullptr) {
    fail(ResultCode::kFailed,
         "no number is left for registered string \"" + std::string(text) +
             "\": this process has registered 4 million; pass the text itself");
    return RegisteredString();
  }
  return RegisteredString(definition->number, number_);
}

Category Domain::get_category(std::string_view name) {
  if (!is_usable("category", name) || name.empty()) return Category();
  return Category(state_->category(name));
}

Scope Domain::get_scope(std::string_view path, Scope parent) {
  if (!is_usable("scope", path)) return Scope();
  if (parent.domain_ != 0 && parent.domain_ != number_) {
    fail(ResultCode::kInvalidArgument,
         "scope \"" + std::string(path) + "\": its parent is of another domain");
    return Scope();
  }
  return Scope(state_->scope(path, parent.id())->static_id, number_);
}

Counter Domain::get_counter(std::string_view name, bool is_floating,
                            const CounterOptions& options) {
  if (!is_usable("counter", name)) return Counter();
  if (options.scope.id() > NVTX_SCOPE_ROOT && options.scope.domain_ != number_) {
    fail(ResultCode::kInvalidArgument,
         "counter \"" + std::string(name) + "\": its scope is of another domain");
    return Counter();
  }
  runtime::DomainState::CounterOptions wanted;
  wanted.description = options.description;
  wanted.unit = options.unit;
  wanted.value_type = is_floating ? NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64 : NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  wanted.scope_id = options.scope.id();
  wanted.has_min = options.min.has_value();
  wanted.has_max = options.max.has_value();
  wanted.min = options.min.value_or(0);
  wanted.max = options.max.value_or(0);
  const runtime::CounterDefinition* definition = state_->counter(name, wanted);
  if (definition == nullptr) {
    fail(ResultCode::kInvalidArgument,
         "counter \"" + std::string(name) + "\" exists in domain \"" + std::string(state_->name()) +
             "\" with " + (is_floating ? "integer" : "floating") +
             " values: ask for it with that type, or give this one another name");
    return Counter();
  }
  return Counter(definition->number, number_, is_floating);
}

AnySchema Domain::get_schema(const char* name, const runtime::SchemaEntry* entries, size_t count,
                             size_t row_bytes, EventKind kind) {
  AnySchema schema;
  if (!is_usable("schema", name)) return schema;
  if (row_bytes > runtime::kMaxRecordBytes - 16) {
    fail(ResultCode::kInvalidArgument, "schema \"" + std::string(name) + "\": a row of " +
                                           std::to_string(row_bytes) +
                                           " bytes does not fit into a record (512 KiB)");
    return schema;
  }
  const runtime::SchemaDefinition* definition =
      state_->schema(name, entries, count, static_cast<uint32_t>(row_bytes), kind);
  if (definition == nullptr) {
    fail(ResultCode::kFailed, "no number is left for schema \"" + std::string(name) + "\"");
    return schema;
  }
  schema.number_ = definition->number;
  schema.domain_ = number_;
  schema.row_bytes_ = definition->row_bytes;
  schema.kind_ = kind;
  return schema;
}

}  // namespace ringscribe
