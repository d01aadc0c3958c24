// SPDX-License-Identifier: Apache-2.0
//
// PayloadList: the payloads of one event as the recorder takes them, with the data that they point
// to and that NVTX's DEEP_COPY asks to be copied.
//
//   PayloadList list(domain);
//   if (list.add(payloads, count)) runtime::write_payloads(stream, list.all());
//
// Threads: a value of the calling one. Lifetime: refers to the caller's bytes.
#ifndef RINGSCRIBE_INJECT_PAYLOAD_LIST_H_
#define RINGSCRIBE_INJECT_PAYLOAD_LIST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/inject/schema_conversion.h"
#include "ringscribe/inject/traced_domain.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe::inject {

class PayloadList {
 public:
  explicit PayloadList(const TracedDomain& domain) noexcept : domain_(domain) {}

  // Whether one of them refers to another by its index.
  bool counts_payloads(const nvtxPayloadData_t* payloads, size_t count) const;
  // Those without bytes are left out, as NVTX has it. False if others had to be: of a schema that
  // nobody registered, with fewer bytes than its schema, or one too many.
  bool add(const nvtxPayloadData_t* payloads, size_t count);
  // False if there are kMaxPayloads already, with those that room is kept for.
  bool add(const runtime::PayloadBytes& payload) noexcept;
  // Leaves room for so many that come later, whatever a program gives until then.
  void keep_room(size_t payloads) noexcept { room_kept_ = payloads; }
  std::span<const runtime::PayloadBytes> all() const noexcept {
    return std::span(list_.data(), count_);
  }
  // Of the first that is of a schema with one.
  EventKind kind() const noexcept { return kind_; }

 private:
  void add_deep_copies(const SchemaUse& schema, const uint8_t* row, size_t bytes);

  // The row with the backend's IDs of scopes at `places`.
  const uint8_t* with_scopes(const uint8_t* row, size_t bytes, std::span<const uint32_t> places);

  const TracedDomain& domain_;
  std::array<runtime::PayloadBytes, runtime::kMaxPayloads> list_;
  size_t count_ = 0;
  size_t room_kept_ = 0;
  EventKind kind_ = EventKind::kNone;
  runtime::Vector<runtime::Vector<uint8_t>> rows_with_scopes_;
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_PAYLOAD_LIST_H_
