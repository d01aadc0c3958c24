// SPDX-License-Identifier: Apache-2.0
//
// CounterLayout: where the values of a counter or counter group stand in its samples, and how
// they become numbers.
//
//   CounterLayout layout = lay_out_counter(attr, definitions, domain, problems);
//   for (const CounterValue& value : layout.values) {
//     CounterSample sample;
//     if (value.read(bytes, sample)) ...
//   }
//
// Threads: immutable once made. Lifetime: owns all that it holds.
#ifndef RINGSCRIBE_BACKENDS_MODEL_COUNTER_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_MODEL_COUNTER_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/schema.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {

// One number in a sample: a counter of its own.
struct CounterValue {
  std::string name;  // "group.entry", or the counter's name where there is one value only
  std::string description;
  size_t offset = 0;  // in the sample
  TypeInfo type;
  uint64_t time_domain = 0;  // of the entry's semantics; 0: says nothing
  uint64_t scope = 0;        // the same
  CounterSemantics semantics;

  // A limit in the units of the samples.
  double scaled(double limit) const;

  // Whether samples are floating: the type is, or normalising or scaling makes it so.
  bool is_floating() const;
  // Fills in the value of `out`; false if it lies outside of `sample`. An integer beyond int64
  // becomes the nearest that fits, and `is_exact` false.
  bool read(std::span<const std::byte> sample, CounterSample& out, bool& is_exact) const;
};

// An entry of a sample that names the scope of its values.
struct CounterScope {
  bool is_present = false;
  size_t offset = 0;
  // 0 if there is none in `sample`.
  uint64_t read(std::span<const std::byte> sample) const;
};

// The timestamp in a sample, if it has one.
struct CounterTime {
  bool is_present = false;
  size_t offset = 0;
  TypeInfo type;
  uint64_t time_domain = 0;

  // False if there is none in `sample`.
  bool read(std::span<const std::byte> sample, int64_t& time) const;
};

struct CounterLayout {
  uint32_t domain = 0;
  uint64_t id = 0;
  uint64_t scope = 0;        // 0: the stream's
  uint64_t time_domain = 0;  // of the counter's semantics; 0: the stream's
  size_t sample_size = 0;    // in bytes; 0 if nothing can be read
  std::vector<CounterValue> values;
  CounterTime time;
  // Whose scope counts, strongest first: the entry with the role of a counter, the value's own
  // semantics, the other entry, what any entry's semantics say, `scope`.
  CounterScope counter_scope;
  CounterScope general_scope;
  uint64_t semantics_scope = 0;
  // All values of all samples have the scope `scope`.
  bool has_one_scope() const;
  uint64_t scope_of(const CounterValue& value, std::span<const std::byte> sample) const;
};

// What cannot be a counter (text, arrays of more than kArrayValuesMax, what has no fixed place)
// is a problem and left out; so is all of a counter whose schema is not registered.
inline constexpr size_t kArrayValuesMax = 256;
CounterLayout lay_out_counter(const nvtxCounterAttr_t& attr, const Definitions& definitions,
                              uint32_t domain, Problems& problems);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_COUNTER_LAYOUT_H_
