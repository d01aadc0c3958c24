// SPDX-License-Identifier: Apache-2.0
//
// EntryLocator: finds where the data of a schema's entry is, and how much of it there is.
//
// This is the one place that turns numbers in a payload into addresses and lengths, and all of
// them are checked here: against the bytes that the schema covers if the data is inline, against
// the event's payloads and the batch's data if it is somewhere else.
//
//   EntryLocator locator(definitions);
//   locator.begin({.payloads = payloads, .domain = domain});
//   locator.set_top(bytes);
//   Located at;
//   if (const char* why = locator.locate(view, step, offset, at)) ...   // it is not there
//
// Threads: one at a time. Lifetime: the event's data has to outlive the search.
#ifndef RINGSCRIBE_BACKENDS_MODEL_ENTRY_LOCATOR_H_
#define RINGSCRIBE_BACKENDS_MODEL_ENTRY_LOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/schema.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {

using Bytes = std::span<const std::byte>;

// What rows of a batch may point into.
struct BatchData {
  Bytes rows = {};                       // all rows
  const std::byte* flex_base = nullptr;  // offsets count from here; null if there is none
  Bytes flex = {};                       // the part that may be read
};

// All that the entries of an event may refer to.
struct EventData {
  std::span<const nvtxPayloadData_t> payloads = {};
  BatchData batch = {};
  uint32_t domain = 0;
};

// Where an entry was found, for later entries that refer to it.
struct Location {
  const std::byte* data = nullptr;  // null: it was not
  size_t count = 0;
};

// A schema laid over bytes. `locations` has one for each step, or none if nothing refers to any.
struct SchemaView {
  const Schema& schema;
  Bytes bytes;
  std::span<Location> locations;
};

// The data of one entry: `count` elements.
struct Located {
  static constexpr size_t kUnknownEnd = SIZE_MAX;
  const std::byte* data = nullptr;
  size_t count = 0;
  size_t available = 0;             // bytes that may be read at `data`
  size_t inline_end = kUnknownEnd;  // where the entry ends in its schema
  bool is_absent = false;           // a null pointer
  bool is_cut = false;              // no terminator was found in kTerminatorBytesMax
  bool is_unbounded = false;        // a deep copy, of which nobody said where it ends
};

class EntryLocator {
 public:
  // The longest array or text of stated length that is read from outside of the event (a deep
  // copy), and how far the end of a zero-terminated one is looked for: what has none by then is
  // cut there.
  static constexpr size_t kDeepCopyBytesMax = size_t{1} << 24;
  static constexpr size_t kTerminatorBytesMax = size_t{1} << 20;

  explicit EntryLocator(const Definitions& definitions) : definitions_(definitions) {}

  void begin(const EventData& event) { event_ = event; }
  // From now on deep copies are found in `memory` only.
  void bound_deep_copies(Bytes memory) {
    is_bounded_ = true;
    bound_ = memory;
  }
  // The payload or row that offsets "from base" count from.
  void set_top(Bytes top) { top_ = top; }

  // Finds the data of `step`, which begins `offset` bytes into the schema. Returns null, or why
  // the data is not there, to stand behind "Entry 'x' of schema 'y'". `at.inline_end` is set as
  // soon as it is known, also on failure. Of a nested schema without fixed size only the begin
  // is known: `inline_end` is where it begins.
  const char* locate(const SchemaView& view, const Step& step, size_t offset, Located& at) const;

  // The number in an element of an entry that says a length or selects a member. False if the
  // entry is of no integer type.
  static bool whole_number(const Step& step, const std::byte* data, Value& value);

 private:
  const char* follow(const SchemaView& view, const Step& step, size_t offset, Located& at) const;
  const char* count_elements(const SchemaView& view, const Step& step, Located& at) const;
  bool length_from(const SchemaView& view, const Step& step, uint64_t& length) const;
  bool length_from_payload(uint64_t index, uint64_t& length) const;
  Bytes region_at(uint64_t address) const;

  const Definitions& definitions_;
  EventData event_;
  Bytes top_;
  bool is_bounded_ = false;
  Bytes bound_;  // if is_bounded_
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_ENTRY_LOCATOR_H_
