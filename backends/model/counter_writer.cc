// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/counter_writer.h"

#include <string>

namespace ringscribe::model {
namespace {

enum class TimeStyle { kEmbedded, kEach, kBeginInterval, kEndInterval };

TimeStyle style_of(const nvtxCounterBatch_t& batch) {
  if (batch.timestamps == nullptr || batch.timestampsSize == 0) return TimeStyle::kEmbedded;
  switch ((batch.flags >> 32) & 3) {
    case 1:
      return TimeStyle::kBeginInterval;
    case 2:
      return TimeStyle::kEndInterval;
    default:
      return TimeStyle::kEach;
  }
}

// from + steps * interval, kept inside int64.
int64_t advance(int64_t from, int64_t interval, size_t steps, bool backwards) {
  int64_t distance = 0;
  int64_t result = 0;
  const bool rises = (interval >= 0) != backwards;
  const bool is_outside =
      steps > static_cast<size_t>(INT64_MAX) ||
      __builtin_mul_overflow(interval, static_cast<int64_t>(steps), &distance) ||
      (backwards ? __builtin_sub_overflow(from, distance, &result)
                 : __builtin_add_overflow(from, distance, &result));
  if (is_outside) return rises ? INT64_MAX : INT64_MIN;
  return result;
}

}  // namespace

void CounterWriter::define(uint32_t domain, const nvtxCounterAttr_t& attr) {
  CounterLayout& layout = layouts_[{domain, attr.counterId}];
  layout = lay_out_counter(attr, definitions_, domain, problems_);
  // A counter that is defined again has new tracks: it may have other values now.
  std::erase_if(tracks_, [&layout](const auto& entry) { return entry.first.first == &layout; });
  std::erase_if(value_tracks_,
                [&layout](const auto& entry) { return std::get<0>(entry.first) == &layout; });
}

Status CounterWriter::find(const StreamState& stream, uint64_t counter,
                           const CounterLayout*& layout) const {
  const auto found = layouts_.find({stream.domain, counter});
  if (found == layouts_.end()) {
    return {ResultCode::kInvalidArgument,
            "Writing to counter " + std::to_string(counter) + " in stream '" + stream.name +
                "': the counter is not registered in the stream's domain; register it first."};
  }
  layout = &found->second;
  return {};
}

Status CounterWriter::announce(const CounterLayout& layout, const CounterValue& value,
                               uint32_t parent) {
  const CounterSemantics& semantics = value.semantics;
  CounterTrack track = {next_track_++,      parent,
                        value.name,         semantics.unit,
                        value.description,  definitions_.domain_name(layout.domain),
                        value.is_floating()};
  track.value_type = semantics.value_type;
  track.interpolation = semantics.interpolation;
  track.has_minimum = semantics.has_minimum;
  track.has_maximum = semantics.has_maximum;
  track.minimum = value.scaled(semantics.minimum);
  track.maximum = value.scaled(semantics.maximum);
  return sink_.counter_track(track);
}

Status CounterWriter::tracks_of(StreamState& stream, const CounterLayout& layout, uint32_t& first) {
  first = kNoTrack;
  if (!layout.has_one_scope()) return {};
  uint32_t parent = kNoTrack;
  const uint64_t scope = layout.scope != NVTX_SCOPE_NONE ? layout.scope : stream.scope;
  if (Status status = placement_.track_of(stream, scope, parent); !status.ok()) return status;
  const auto [place, is_new] = tracks_.try_emplace({&layout, parent}, next_track_);
  first = place->second;
  if (!is_new) return {};
  for (const CounterValue& value : layout.values) {
    if (Status status = announce(layout, value, parent); !status.ok()) return status;
  }
  return {};
}

Status CounterWriter::track_of(StreamState& stream, const CounterLayout& layout, size_t value,
                               std::span<const std::byte> sample, uint32_t& track) {
  uint64_t scope = layout.scope_of(layout.values[value], sample);
  if (scope == NVTX_SCOPE_NONE) scope = stream.scope;
  uint32_t parent = kNoTrack;
  if (Status status = placement_.track_of(stream, scope, parent); !status.ok()) return status;
  const auto [place, is_new] = value_tracks_.try_emplace({&layout, value, parent}, next_track_);
  track = place->second;
  return is_new ? announce(layout, layout.values[value], parent) : Status();
}

Status CounterWriter::write(StreamState& stream, int64_t timestamp, uint64_t counter,
                            std::span<const std::byte> sample) {
  const CounterLayout* layout = nullptr;
  if (Status status = find(stream, counter, layout); !status.ok()) return status;
  uint32_t first = 0;
  if (Status status = tracks_of(stream, *layout, first); !status.ok()) return status;
  return write_values(stream, *layout, first, timestamp, layout->time_domain, sample);
}

Status CounterWriter::write_no_value(StreamState& stream, int64_t timestamp, uint64_t counter,
                                     uint8_t reason) {
  const CounterLayout* layout = nullptr;
  if (Status status = find(stream, counter, layout); !status.ok()) return status;
  CounterSample sample;
  uint32_t first = 0;
  if (Status status = tracks_of(stream, *layout, first); !status.ok()) return status;
  ConvertedTime time;
  const uint32_t node = placement_.time_node(stream, layout->time_domain);
  if (Status status = placement_.convert(node, timestamp, time); !status.ok()) return status;
  sample.time = time.time;
  sample.synchronised = time.synchronised;
  sample.time_domain = stream.cached_time_domain;
  sample.stream = stream.identity;
  sample.has_value = false;
  sample.no_value_reason = reason;
  for (size_t i = 0; i < layout->values.size(); ++i) {
    sample.is_floating = layout->values[i].is_floating();
    sample.counter_track = first + static_cast<uint32_t>(i);
    Status status;
    if (first == kNoTrack) status = track_of(stream, *layout, i, {}, sample.counter_track);
    if (status.ok()) status = sink_.counter_sample(sample);
    if (!status.ok()) return status;
  }
  return {};
}

Status CounterWriter::write_values(StreamState& stream, const CounterLayout& layout,
                                   uint32_t first_track, int64_t time, uint64_t time_domain,
                                   std::span<const std::byte> sample) {
  for (size_t i = 0; i < layout.values.size(); ++i) {
    const CounterValue& value = layout.values[i];
    CounterSample out;
    out.stream = stream.identity;
    bool is_exact = true;
    if (!value.read(sample, out, is_exact)) {
      problems_.add("A sample of counter '" + value.name +
                    "' is shorter than its schema says; the value is left out.");
      continue;
    }
    if (!is_exact) {
      problems_.add("A sample of counter '" + value.name +
                    "' is beyond the range of a 64-bit signed integer; the nearest is shown.");
    }
    const uint64_t own = value.time_domain != 0 ? value.time_domain : time_domain;
    const uint32_t node = placement_.time_node(stream, own);
    ConvertedTime converted;
    if (Status status = placement_.convert(node, time, converted); !status.ok()) return status;
    out.counter_track = first_track + static_cast<uint32_t>(i);
    if (first_track == kNoTrack) {
      Status status = track_of(stream, layout, i, sample, out.counter_track);
      if (!status.ok()) return status;
    }
    out.time = converted.time;
    out.synchronised = converted.synchronised;
    out.time_domain = stream.cached_time_domain;
    if (Status status = sink_.counter_sample(out); !status.ok()) return status;
  }
  return {};
}

bool CounterWriter::time_of(const CounterLayout& layout, const nvtxCounterBatch_t& batch,
                            size_t index, size_t count, std::span<const std::byte> sample,
                            int64_t& time) const {
  const size_t there = batch.timestampsSize / sizeof(int64_t);
  switch (style_of(batch)) {
    case TimeStyle::kEmbedded:
      return layout.time.read(sample, time);
    case TimeStyle::kEach:
      if (index < there) time = batch.timestamps[index];
      return index < there;
    case TimeStyle::kBeginInterval:
      if (there >= 2) time = advance(batch.timestamps[0], batch.timestamps[1], index, false);
      return there >= 2;
    case TimeStyle::kEndInterval:
      if (there >= 2) {
        time = advance(batch.timestamps[0], batch.timestamps[1], count - 1 - index, true);
      }
      return there >= 2;
  }
  return false;
}

Status CounterWriter::write_batch(StreamState& stream, const nvtxCounterBatch_t& batch) {
  const CounterLayout* layout = nullptr;
  if (Status status = find(stream, batch.counterId, layout); !status.ok()) return status;
  if (layout->sample_size == 0 || batch.counters == nullptr) {
    return {ResultCode::kInvalidArgument,
            "Writing a batch to counter " + std::to_string(batch.counterId) + " in stream '" +
                stream.name + "': there is no data, or its schema has no fixed size; give both."};
  }
  uint32_t first = 0;
  if (Status status = tracks_of(stream, *layout, first); !status.ok()) return status;
  const std::span<const std::byte> all(static_cast<const std::byte*>(batch.counters),
                                       batch.countersSize);
  const size_t count = all.size() / layout->sample_size;
  const bool is_embedded = style_of(batch) == TimeStyle::kEmbedded;
  uint64_t time_domain = layout->time_domain;
  if (is_embedded && layout->time.time_domain != 0) time_domain = layout->time.time_domain;
  size_t without_time = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto sample = all.subspan(i * layout->sample_size, layout->sample_size);
    int64_t time = 0;
    if (!time_of(*layout, batch, i, count, sample, time)) {
      ++without_time;
      continue;
    }
    Status status = write_values(stream, *layout, first, time, time_domain, sample);
    if (!status.ok()) return status;
  }
  if (without_time == 0 && count * layout->sample_size == all.size()) return {};
  return {ResultCode::kInvalidArgument,
          "Writing a batch to counter " + std::to_string(batch.counterId) + " in stream '" +
              stream.name + "': " + std::to_string(without_time) + " of " + std::to_string(count) +
              " samples have no timestamp, and " +
              std::to_string(all.size() - count * layout->sample_size) +
              " bytes are left over; make samples and timestamps fit."};
}

}  // namespace ringscribe::model
