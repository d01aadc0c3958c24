// SPDX-License-Identifier: Apache-2.0
//
// SingleEvents: events that go to the backend one by one, with EventWrite: pushes, pops, starts and
// ends that stayed unpaired, rows of users' schemas that are no complete events, and events of
// several payloads. Their bytes are kept here until they are written or forgotten.
//
//   SingleEvents::Single single = events.keep_row(sequence, schema, row);
//   events.write(single, scope_id);
//   events.clear();
//
// Threads: the flusher only.
#ifndef RINGSCRIBE_RUNTIME_SINGLE_EVENTS_H_
#define RINGSCRIBE_RUNTIME_SINGLE_EVENTS_H_

#include <cstdint>
#include <string_view>

#include "ringscribe/runtime/builtin_schemas.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/stream_output.h"

namespace ringscribe::runtime {

class SingleEvents {
 public:
  struct Single {
    uint64_t sequence = 0;  // order of the records
    // Of a schema of ours: what it carries. Text is that at `text_at`, if text_bytes is not 0.
    BuiltinSchema schema = BuiltinSchema::kPop;
    int64_t time = 0;
    uint64_t range_id = 0;
    uint32_t color = 0, category = 0;
    uint64_t message = 0;  // handle of a registered string
    size_t text_at = 0, text_bytes = 0;
    // Of users' schemas: its payloads; none for a schema of ours.
    uint32_t first_payload = 0, payload_count = 0;
    uint32_t calls = 1;                 // of the application that it stands for
    EventKind kind = EventKind::kNone;  // of the first payload that has one

    bool is_builtin() const noexcept { return payload_count == 0; }
  };

  explicit SingleEvents(StreamOutput* output) : output_(output) {}

  // Keeps text for `single`, which is of a schema of ours.
  void keep_text(Single& single, std::string_view text);
  std::string_view text_of(const Single& single) const {
    return std::string_view(bytes_.data() + single.text_at, single.text_bytes);
  }
  // Keep a row of `schema`, with what stands behind it in a kFlexEvent record.
  Single keep_row(uint64_t sequence, const SchemaDefinition& schema, const uint8_t* row,
                  const uint8_t* flex);
  // Keeps the payloads of a kPayloads record, whose body this is. False if one of them is of a
  // schema that cannot be used; that was counted.
  bool keep_payloads(uint64_t sequence, const uint8_t* body, Single& single);

  // `scope_id`: NVTX_SCOPE_NONE, or the scope that a live stream's event is put into.
  void write(const Single& single, uint64_t scope_id);
  // Forgets what was kept.
  void clear();

 private:
  struct Payload {
    const SchemaDefinition* schema = nullptr;  // nullptr: `predefined` is what it is
    uint64_t predefined = 0;
    size_t at = 0;  // in bytes_
    size_t bytes = 0;
    uint64_t original_address = 0;     // 0: nothing points into it
    bool has_flexible_behind = false;  // its flexible fields are in the next payload
  };
  size_t keep(const void* data, size_t bytes);
  void write_builtin(const Single& single, uint64_t scope_id);
  void write_payloads(const Single& single, uint64_t scope_id);
  void relocate(const Payload& payload, const Payload* all, size_t count);

  StreamOutput* output_;
  Vector<char> bytes_;
  Vector<Payload> payloads_;
  Vector<nvtxPayloadData_t> call_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SINGLE_EVENTS_H_
