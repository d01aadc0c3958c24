// SPDX-License-Identifier: Apache-2.0
//
// BatchPlan: how the rows of a simple schema are read without looking at its entries one by one.
//
// Simple is a static schema of marks or complete ranges whose entries are single values at fixed
// places: whole or floating numbers, enums, registered strings, and the roles of time, message,
// category, colour and range ID. All that names a scope, process or thread, is text or an array, or
// nests another schema is for the payload decoder, which a plan always agrees with.
//
//   const BatchPlan plan = plan_batches(schema);
//   if (plan.is_usable) ...                     // see batch_writer.h
//
// Threads: immutable once made. Lifetime: points into the schema.
#ifndef RINGSCRIBE_BACKENDS_MODEL_BATCH_PLAN_H_
#define RINGSCRIBE_BACKENDS_MODEL_BATCH_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/schema.h"

namespace ringscribe::model {

struct BatchPlan {
  static constexpr size_t kNowhere = SIZE_MAX;

  struct Time {
    size_t offset = kNowhere;
    bool is_unsigned = false;
    uint64_t time_domain = 0;  // 0: the stream's
  };
  struct FieldPlace {
    const Step* step = nullptr;
    size_t offset = 0;
  };

  bool is_usable = false;
  EventKind kind = EventKind::kMark;
  size_t row_bytes = 0;
  Time begin;
  Time end;                   // of a range
  size_t message = kNowhere;  // offsets of the roles
  size_t category = kNowhere;
  size_t color = kNowhere;
  size_t range_id = kNowhere;
  std::vector<FieldPlace> fields;
};

BatchPlan plan_batches(const Schema& schema);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_BATCH_PLAN_H_
