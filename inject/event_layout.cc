// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/event_layout.h"

#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::inject {

namespace {

using runtime::SchemaEntry;

constexpr uint64_t kTimeAt = offsetof(EventRow, time), kMessageAt = offsetof(EventRow, message),
                   kColorAt = offsetof(EventRow, color), kCategoryAt = offsetof(EventRow, category),
                   kRangeIdAt = offsetof(EventRow, range_id), kValueAt = offsetof(EventRow, value);

SchemaEntry entry_of(const char* name, uint64_t type, uint64_t offset, uint64_t flags = 0) {
  return SchemaEntry{name, flags, type, 0, offset};
}

uint64_t type_of(PayloadValue value) {
  constexpr uint64_t kTypes[] = {
      0,
      NVTX_PAYLOAD_ENTRY_TYPE_UINT64,
      NVTX_PAYLOAD_ENTRY_TYPE_INT64,
      NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
      NVTX_PAYLOAD_ENTRY_TYPE_UINT32,
      NVTX_PAYLOAD_ENTRY_TYPE_INT32,
      NVTX_PAYLOAD_ENTRY_TYPE_FLOAT,
  };
  return kTypes[static_cast<size_t>(value)];
}

}  // namespace

Result<runtime::SchemaDefinition*> define(runtime::DomainState& domain, const EventLayout& layout) {
  const bool is_end = layout.kind == EventKind::kRangePop || layout.kind == EventKind::kRangeEnd;
  runtime::Vector<SchemaEntry> entries;
  entries.push_back(entry_of("time", NVTX_PAYLOAD_ENTRY_TYPE_INT64, kTimeAt,
                             is_end ? NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END
                             : layout.kind == EventKind::kMark
                                 ? NVTX_PAYLOAD_ENTRY_FLAG_MARK
                                 : NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN));
  if (!is_end) {
    if (layout.has_inline_text)
      entries.push_back(entry_of("message", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, kMessageAt,
                                 NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE |
                                     NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                                     NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED));
    else
      entries.push_back(entry_of("message", NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
                                 kMessageAt, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE));
    entries.push_back(entry_of("color", NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, kColorAt));
    entries.push_back(entry_of("category", NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, kCategoryAt));
  }
  if (layout.kind == EventKind::kRangeStart || layout.kind == EventKind::kRangeEnd)
    entries.push_back(entry_of("range id", NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, kRangeIdAt));
  if (layout.value != PayloadValue::kNone)
    entries.push_back(entry_of("payload", type_of(layout.value), kValueAt));
  const runtime::SchemaDescription description{"NVTX event", entries.data(), entries.size(),
                                               sizeof(EventRow)};
  return domain.schema(description, layout.kind, 0);
}

}  // namespace ringscribe::inject
