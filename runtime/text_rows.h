// SPDX-License-Identifier: Apache-2.0
//
// The rows of the built-in schemas, as they lie in a batch (see domain_state.cc for their entries).
#ifndef RINGSCRIBE_RUNTIME_TEXT_ROWS_H_
#define RINGSCRIBE_RUNTIME_TEXT_ROWS_H_

#include <cstdint>

namespace ringscribe::runtime {

// --- Rows of batches, whose scope the batch has.

struct PointRow {
  int64_t time;
  uint32_t color;
  uint32_t category;
  uint64_t message;  // a registered string's handle, or the address of zero-terminated text
};

struct RangeRow {
  int64_t begin;
  int64_t end;
  uint32_t color;
  uint32_t category;
  uint64_t message;
};

// --- Payloads of single events, which carry their scope (0: the stream's).

struct PushRow {
  int64_t time;
  uint32_t color;
  uint32_t category;
  uint64_t message;
  uint64_t scope;
};

struct PopRow {
  int64_t time;
  uint64_t scope;
};

struct StartRow {
  int64_t time;
  uint64_t range_id;
  uint32_t color;
  uint32_t category;
  uint64_t message;
  uint64_t scope;
};

struct EndRow {
  int64_t time;
  uint64_t range_id;
  uint64_t scope;
};

// A gap mark of our own stream.
struct LossRow {
  PointRow mark;
  uint64_t stream;  // registered strings
  uint64_t cause;
  uint64_t events;
};

static_assert(sizeof(PointRow) == 24 && sizeof(RangeRow) == 32 && sizeof(PushRow) == 32 &&
              sizeof(PopRow) == 16 && sizeof(StartRow) == 40 && sizeof(EndRow) == 24 &&
              sizeof(LossRow) == 48);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_TEXT_ROWS_H_
