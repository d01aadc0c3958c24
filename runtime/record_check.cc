// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/record_check.h"

#include "ringscribe/runtime/recorder.h"

namespace ringscribe::runtime {

namespace {

bool has_text(const Header& header, const uint8_t* record, uint64_t times_end) {
  if (header.id != 0) return header.record_bytes == times_end;
  if (header.record_bytes < times_end + kTextAttributeBytes) return false;
  const uint64_t text = low_word(load_word(record + times_end + 8));
  return header.record_bytes == times_end + kTextAttributeBytes + pad_to_record(text);
}

bool are_payloads(const Header& header, const uint8_t* body) {
  const uint64_t count = low_word(load_word(body));
  uint64_t rest = header.record_bytes - 16;
  if (count > kMaxPayloads || count * 24 > rest) return false;
  rest -= count * 24;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t size = load_word(body + 8 + i * 24 + 8);
    if (size > rest || pad_to_record(size) > rest) return false;
    rest -= pad_to_record(size);
  }
  return rest == 0;
}

}  // namespace

bool RecordCheck::is_right(const Header& header, const uint8_t* record) const {
  const uint64_t bytes = header.record_bytes;
  const uint8_t* body = record + 8;
  switch (header.kind) {
    case RecordKind::kFiller:
      return bytes >= 8;
    case RecordKind::kThread:
      return bytes == 32;
    case RecordKind::kMark:
    case RecordKind::kPush:
      return has_text(header, record, 16);
    case RecordKind::kRange:
    case RecordKind::kStartEnd:
    case RecordKind::kStart:
      return has_text(header, record, 24);
    case RecordKind::kPop:
      return bytes == 16;
    case RecordKind::kEnd:
    case RecordKind::kNoValue:
      return bytes == 24;
    case RecordKind::kCounter: {
      const CounterDefinition* counter = tables_.counters.get(header.id);
      return counter != nullptr && bytes == 16 + pad_to_record(counter->sample_bytes);
    }
    case RecordKind::kCounterBatch:
      return bytes >= 16 && is_counter_batch(header, body);
    case RecordKind::kEvent: {
      const SchemaDefinition* schema = tables_.schemas.get(header.id);
      return schema != nullptr &&
             (schema->row_bytes == 0 || bytes == 8 + pad_to_record(schema->row_bytes));
    }
    case RecordKind::kEventBatch: {
      const SchemaDefinition* schema = tables_.schemas.get(header.id);
      return schema != nullptr && schema->row_bytes != 0 && bytes >= 16 &&
             bytes == 16 + pad_to_record(uint64_t{low_word(load_word(body))} * schema->row_bytes);
    }
    case RecordKind::kFlexEvent:
      return bytes >= 16 && is_flex_event(header, body);
    case RecordKind::kPayloads:
      return bytes >= 16 && are_payloads(header, body);
    case RecordKind::kSyncPoints:
      return bytes >= 32 && bytes == 32 + uint64_t{low_word(load_word(body))} * 16;
    case RecordKind::kConversion:
      return bytes == 48;
  }
  return false;
}

bool RecordCheck::is_counter_batch(const Header& header, const uint8_t* body) const {
  const CounterDefinition* counter = tables_.counters.get(header.id);
  if (counter == nullptr) return false;
  const uint64_t count = low_word(load_word(body));
  uint64_t times = 0;
  switch (form_of(high_word(load_word(body)))) {
    case SampleForm::kEmbedded:
      break;
    case SampleForm::kEach:
      times = count * 8;
      break;
    case SampleForm::kFrom:
    case SampleForm::kUntil:
      times = 16;
      break;
    default:
      return false;
  }
  return header.record_bytes == 16 + times + pad_to_record(count * counter->sample_bytes);
}

bool RecordCheck::is_flex_event(const Header& header, const uint8_t* body) const {
  const SchemaDefinition* schema = tables_.schemas.get(header.id);
  if (schema == nullptr || schema->flexible == nullptr) return false;
  const uint64_t flex = low_word(load_word(body));
  if (header.record_bytes != 16 + pad_to_record(schema->row_bytes) + flex) return false;
  const uint8_t* row = body + 8;
  for (const FlexField& field : schema->flexible->fields) {
    const uint64_t count = load_word(row + field.offset);
    const uint64_t at = load_word(row + field.offset + 8);
    if (at > flex || count > (flex - at) / field.element_bytes) return false;
  }
  return true;
}

}  // namespace ringscribe::runtime
