// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/event_rows.h"

#include <algorithm>

#include "ringscribe/backends/sqlite/schema.h"

namespace ringscribe::sqlite {
namespace {

// The columns of event_data, in order.
enum Column : int {
  kId = 1,
  kKind,
  kTrack,
  kStream,
  kDomain,
  kBegin,
  kEnd,
  kName,
  kCategory,
  kColor,
  kRangeId,
  kFlags,
  kWrittenEnd,
  kTimeDomain,
};

int64_t kind_number(model::EventKind kind) noexcept {
  switch (kind) {
    case model::EventKind::kMark:
      return kKindMark;
    case model::EventKind::kRangePushPop:
      return kKindPushPop;
    case model::EventKind::kRangeStartEnd:
      return kKindStartEnd;
  }
  return kKindMark;
}

}  // namespace

Status EventRows::open(Database& database) {
  Status status = names_.open(database);
  if (status.ok()) status = fields_.open(database);
  if (!status.ok()) return status;
  return database.prepare("INSERT INTO event_data VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                          insert_);
}

void EventRows::bind_shared(const model::Event& event, int64_t domain, bool has_stream) {
  insert_.bind(kKind, kind_number(event.kind));
  insert_.bind(kTrack, int64_t{event.track});
  if (has_stream) {
    insert_.bind(kStream, int64_t{event.stream});
  } else {
    insert_.bind_null(kStream);
  }
  insert_.bind(kDomain, domain);
  if (event.synchronised) {
    insert_.bind_null(kTimeDomain);
  } else {
    insert_.bind_unsigned(kTimeDomain, event.time_domain);
  }
}

void EventRows::bind_rare(const model::Event& event, bool end_before_begin, int64_t written_end) {
  const int64_t flags = (event.end_is_missing ? kEndIsMissing : 0) |
                        (event.begin_is_missing ? kBeginIsMissing : 0) |
                        (end_before_begin ? kEndBeforeBegin : 0);
  if (flags != 0) {
    insert_.bind(kFlags, flags);
  } else {
    insert_.bind_null(kFlags);
  }
  if (end_before_begin) {
    insert_.bind(kWrittenEnd, written_end);
  } else {
    insert_.bind_null(kWrittenEnd);
  }
}

void EventRows::bind_label(const Label& label) {
  insert_.bind(kName, label.name);
  if (label.category != 0) {
    insert_.bind(kCategory, label.category);
  } else {
    insert_.bind_null(kCategory);
  }
  if (label.color != 0) {
    insert_.bind(kColor, int64_t{label.color});
  } else {
    insert_.bind_null(kColor);
  }
}

void EventRows::bind_times(model::EventKind kind, int64_t begin, int64_t end, uint64_t range_id) {
  insert_.bind(kId, ++last_id_);
  insert_.bind(kBegin, begin);
  if (kind == model::EventKind::kMark) {
    insert_.bind_null(kEnd);
  } else {
    insert_.bind(kEnd, std::max(begin, end));
  }
  if (range_id != 0) {
    insert_.bind_unsigned(kRangeId, range_id);
  } else {
    insert_.bind_null(kRangeId);
  }
}

Status EventRows::find_label(int64_t domain, std::string_view message, std::string_view category,
                             uint32_t category_id, uint32_t color, Label& label) {
  Status status = names_.find_or_add(message, &label.name);
  if (!status.ok()) return status;
  label.category = 0;
  label.color = color;
  if (category.empty() && category_id == 0) return {};
  return domains_.category(domain, category_id, category, &label.category);
}

Status EventRows::add(const model::Event& event, bool has_stream) {
  int64_t domain = 0;
  Label label;
  Status status = domains_.find_or_add(event.domain, &domain);
  if (status.ok()) {
    status = find_label(domain, event.message, event.category, event.category_id, event.color_argb,
                        label);
  }
  if (!status.ok()) return status;
  bind_times(event.kind, event.begin, event.end, event.range_id);
  bind_rare(event, event.end_before_begin, event.written_end);
  bind_label(label);
  bind_shared(event, domain, has_stream);
  status = insert_.run();
  if (!status.ok() || event.fields.empty()) return status;
  return fields_.add(last_id_, event.fields);
}

Status EventRows::add(const model::EventBlock& block, size_t first, size_t last, bool has_stream) {
  const model::Event& shared = block.shared;
  int64_t domain = 0;
  if (Status status = domains_.find_or_add(shared.domain, &domain); !status.ok()) return status;
  bind_shared(shared, domain, has_stream);
  bind_rare(shared, false, 0);
  bool rare_is_bound = false;
  const Label* bound = nullptr;
  uint64_t bound_number = 0;
  for (size_t i = first; i < last; ++i) {
    const auto& [begin, end, range_id, source] = block.rows[i];
    const bool is_backwards = end < begin;
    if (is_backwards || rare_is_bound || shared.end_before_begin) {
      const model::Event event = block.event(i);
      bind_rare(event, event.end_before_begin, event.written_end);
      rare_is_bound = true;
    }
    Label& label = labels_[source->number % kLabels];
    if (source->number == 0 || label.number != source->number) {
      label.number = 0;
      bound = nullptr;
      if (Status status = find_label(domain, source->message, source->category, source->category_id,
                                     source->color_argb, label);
          !status.ok()) {
        return status;
      }
      label.number = source->number;
    }
    if (bound != &label || bound_number != label.number) {
      bind_label(label);
      bound = &label;
      bound_number = label.number;
    }
    bind_times(shared.kind, begin, end, range_id);
    Status status = insert_.run();
    if (status.ok() && block.fields_per_row != 0) {
      status = fields_.add(last_id_,
                           block.fields.subspan(i * block.fields_per_row, block.fields_per_row),
                           block.field_names);
    }
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace ringscribe::sqlite
