// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/single_events.h"

#include <string>

#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/row_words.h"
#include "ringscribe/runtime/text_rows.h"

namespace ringscribe::runtime {

size_t SingleEvents::keep(const void* data, size_t bytes) {
  bytes_.resize(pad_to_record(bytes_.size()));
  const size_t at = bytes_.size();
  const auto* from = static_cast<const char*>(data);
  bytes_.insert(bytes_.end(), from, from + bytes);
  return at;
}

void SingleEvents::keep_text(Single& single, std::string_view text) {
  single.text_at = keep(text.data(), text.size());
  single.text_bytes = text.size();
}

SingleEvents::Single SingleEvents::keep_row(uint64_t sequence, const SchemaDefinition& schema,
                                            const uint8_t* row, const uint8_t* flex) {
  Single single;
  single.sequence = sequence;
  single.kind = schema.event_kind;
  single.first_payload = static_cast<uint32_t>(payloads_.size());
  single.payload_count = 1;
  Payload payload;
  payload.schema = &schema;
  payload.bytes = schema.row_bytes;
  payload.at = keep(row, payload.bytes);
  if (schema.flexible == nullptr) {
    resolve_strings(schema, reinterpret_cast<uint8_t*>(&bytes_[payload.at]), payload.bytes,
                    *output_);
    payloads_.push_back(payload);
    return single;
  }
  payload.has_flexible_behind = true;
  // The row is copied out while bytes_ grows.
  Vector<uint8_t> words(row, row + payload.bytes);
  resolve_strings(schema, words.data(), words.size(), *output_);
  Payload behind;
  behind.predefined = NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED;
  behind.at = keep(nullptr, 0);
  append_flexible(*schema.flexible, words.data(), flex, bytes_, behind.at);
  behind.bytes = bytes_.size() - behind.at;
  std::copy(words.begin(), words.end(), bytes_.begin() + static_cast<ptrdiff_t>(payload.at));
  payloads_.push_back(payload);
  payloads_.push_back(behind);
  single.payload_count = 2;
  return single;
}

bool SingleEvents::keep_payloads(uint64_t sequence, const uint8_t* body, Single& single) {
  const uint32_t count = low_word(load_word(body));
  const uint8_t* head = body + 8;
  const uint8_t* data = head + 24 * size_t{count};
  single = Single();
  single.sequence = sequence;
  single.first_payload = static_cast<uint32_t>(payloads_.size());
  single.payload_count = count;
  for (uint32_t i = 0; i < count; ++i, head += 24) {
    const uint64_t what = load_word(head);
    Payload payload;
    payload.predefined = high_word(what);
    payload.bytes = load_word(head + 8);
    payload.original_address = load_word(head + 16);
    if (low_word(what) != 0) {
      payload.schema = output_->usable(output_->tables.schemas, low_word(what), 1);
      if (payload.schema == nullptr) {
        payloads_.resize(single.first_payload);
        return false;
      }
    }
    if (payload.schema != nullptr && single.kind == EventKind::kNone)
      single.kind = payload.schema->event_kind;
    payload.at = keep(data, payload.bytes);
    auto* const kept = reinterpret_cast<uint8_t*>(bytes_.data() + payload.at);
    if (payload.schema != nullptr)
      resolve_strings(*payload.schema, kept, payload.bytes, *output_);
    else if (payload.predefined == NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE)
      for (uint64_t at = 0; at + 8 <= payload.bytes; at += 8) resolve_string(kept + at, *output_);
    payloads_.push_back(payload);
    data += pad_to_record(payload.bytes);
  }
  return true;
}

void SingleEvents::write(const Single& single, uint64_t scope_id) {
  if (single.is_builtin()) return write_builtin(single, scope_id);
  write_payloads(single, scope_id);
}

void SingleEvents::relocate(const Payload& payload, const Payload* all, size_t count) {
  auto* const row = reinterpret_cast<uint8_t*>(bytes_.data() + payload.at);
  if (payload.schema == nullptr) return;
  if (payload.has_flexible_behind)
    return resolve_flexible(*payload.schema->flexible, row, bytes_.data() + (&payload + 1)->at);
  for (const size_t offset : payload.schema->pointer_offsets) {
    if (offset + 8 > payload.bytes) continue;
    const uint64_t address = load_word(row + offset);
    const Payload* home = nullptr;
    for (size_t i = 0; i < count && address != 0; ++i) {
      const uint64_t distance = address - all[i].original_address;
      if (address < all[i].original_address || distance > all[i].bytes) continue;
      // One past the end is allowed, where an empty array may stand, unless another begins there.
      if (home == nullptr || distance < all[i].bytes) home = &all[i];
      if (distance < all[i].bytes) break;
    }
    // An address in none of the event's payloads means nothing by the time it is read.
    store_word(row + offset, home == nullptr
                                 ? 0
                                 : reinterpret_cast<uint64_t>(bytes_.data() + home->at) +
                                       (address - home->original_address));
  }
}

void SingleEvents::write_payloads(const Single& single, uint64_t scope_id) {
  const Payload* const payloads = &payloads_[single.first_payload];
  call_.clear();
  for (uint32_t i = 0; i < single.payload_count; ++i) {
    const Payload& payload = payloads[i];
    relocate(payload, payloads, single.payload_count);
    const uint64_t schema =
        payload.schema != nullptr ? payload.schema->static_id : payload.predefined;
    call_.push_back({schema, payload.bytes, bytes_.data() + payload.at});
  }
  if (scope_id != NVTX_SCOPE_NONE)
    call_.push_back({output_->domain.ensure(BuiltinSchema::kScope), sizeof scope_id, &scope_id});
  output_->account(output_->interface.EventWrite(output_->handle, call_.data(), call_.size()),
                   "EventWrite", 1);
}

void SingleEvents::write_builtin(const Single& single, uint64_t scope_id) {
  nvtxPayloadData_t payloads[2] = {};
  size_t count = 1;
  std::string valid_text;
  BuiltinSchema schema = single.schema;
  uint64_t message = single.message;
  if (single.text_bytes != 0) {
    valid_text = to_valid_c_text(text_of(single));
    message = reinterpret_cast<uint64_t>(valid_text.c_str());
    schema = static_cast<BuiltinSchema>(static_cast<int>(schema) + 1);
    payloads[1] = {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, valid_text.size() + 1, valid_text.c_str()};
    count = 2;
  }
  const PushRow push{single.time, single.color, single.category, message, scope_id};
  const StartRow start{single.time,     single.range_id, single.color,
                       single.category, message,         scope_id};
  const PopRow pop{single.time, scope_id};
  const EndRow end{single.time, single.range_id, scope_id};
  const uint64_t id = output_->domain.ensure(schema);
  if (single.schema == BuiltinSchema::kPush)
    payloads[0] = {id, sizeof push, &push};
  else if (single.schema == BuiltinSchema::kStart)
    payloads[0] = {id, sizeof start, &start};
  else if (single.schema == BuiltinSchema::kPop)
    payloads[0] = {id, sizeof pop, &pop};
  else
    payloads[0] = {id, sizeof end, &end};
  output_->account(output_->interface.EventWrite(output_->handle, payloads, count), "EventWrite",
                   single.calls);
}

void SingleEvents::clear() {
  bytes_.clear();
  payloads_.clear();
}

}  // namespace ringscribe::runtime
