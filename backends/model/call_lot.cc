// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/call_lot.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace ringscribe::model {

template <typename T>
T* CallLot::room(size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes_ += count * sizeof(T);
  return reinterpret_cast<T*>(arena_.bytes(count * sizeof(T)));
}

template <typename T>
void CallLot::add(Kind kind, const T& arguments) {
  calls_.push_back({kind, new (room<T>(1)) T(arguments)});
}

std::string_view CallLot::copy(std::string_view text) {
  bytes_ += text.size();
  return arena_.copy(text);
}

Value CallLot::copy(const Value& value) {
  Value result = value;
  if (value.kind == ValueKind::kText) result.text = copy(value.text);
  if (!value.children.empty()) result.children = copy(value.children);
  return result;
}

std::span<const Field> CallLot::copy(std::span<const Field> fields) {
  if (fields.empty()) return {};
  Field* to = room<Field>(fields.size());
  for (size_t i = 0; i < fields.size(); ++i)
    new (to + i) Field{copy(fields[i].name), copy(fields[i].value)};
  return {to, fields.size()};
}

const EventLabel* CallLot::copy(const EventLabel& label) {
  const EventLabel*& place = labels_[label.number % kLabelPlaces];
  // A number stands for one label for ever; 0 is none.
  if (place != nullptr && place->number == label.number && label.number != 0) return place;
  auto* to = new (room<EventLabel>(1)) EventLabel(label);
  to->message = copy(label.message);
  to->category = copy(label.category);
  place = to;
  return to;
}

void CallLot::copy_views(Event& event) {
  event.message = copy(event.message);
  event.category = copy(event.category);
  event.domain = copy(event.domain);
  event.fields = copy(event.fields);
  if (event.flows.empty()) return;
  auto* flows = room<uint64_t>(event.flows.size());
  std::copy(event.flows.begin(), event.flows.end(), flows);
  event.flows = {flows, event.flows.size()};
}

void CallLot::session(std::string_view name) { add(Kind::kSession, Texts{copy(name), {}, 0}); }

void CallLot::stream(const Stream& stream) {
  add(Kind::kStream, Stream{stream.id, copy(stream.name), copy(stream.domain)});
}

void CallLot::category(std::string_view domain, uint32_t id, std::string_view name) {
  add(Kind::kCategory, Texts{copy(domain), copy(name), id});
}

void CallLot::track(const Track& track) {
  Track kept = track;
  kept.name = copy(track.name);
  kept.domain = copy(track.domain);
  add(Kind::kTrack, kept);
}

void CallLot::counter_track(const CounterTrack& track) {
  CounterTrack kept = track;
  kept.name = copy(track.name);
  kept.unit = copy(track.unit);
  kept.description = copy(track.description);
  kept.domain = copy(track.domain);
  add(Kind::kCounterTrack, kept);
}

void CallLot::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  add(Kind::kClockPoint, Times{monotonic_ns, realtime_ns});
}

void CallLot::event(const Event& event) {
  Event kept = event;
  copy_views(kept);
  add(Kind::kEvent, kept);
}

void CallLot::events(const EventBlock& block) {
  Block kept{block.shared, {}, {}, block.fields_per_row, block.field_names};
  copy_views(kept.shared);
  auto* rows = room<EventRow>(block.rows.size());
  for (size_t i = 0; i < block.rows.size(); ++i) {
    rows[i] = block.rows[i];
    rows[i].label = copy(*rows[i].label);
  }
  kept.rows = {rows, block.rows.size()};
  auto* fields = room<Field>(block.fields.size());
  for (size_t i = 0; i < block.fields.size(); ++i) {
    const Field& field = block.fields[i];
    // The rows of a block mostly share the texts of their names.
    const size_t above = i - block.fields_per_row;
    const bool is_as_above = i >= block.fields_per_row && field.name.data() != nullptr &&
                             field.name.data() == block.fields[above].name.data() &&
                             field.name.size() == block.fields[above].name.size();
    new (fields + i) Field{is_as_above ? fields[above].name : copy(field.name), copy(field.value)};
  }
  kept.fields = {fields, block.fields.size()};
  add(Kind::kEvents, kept);
}

void CallLot::counter_sample(const CounterSample& sample) { add(Kind::kCounterSample, sample); }

void CallLot::loss(const Loss& loss) {
  Loss kept = loss;
  kept.stream = copy(loss.stream);
  kept.cause = copy(loss.cause);
  add(Kind::kLoss, kept);
}

void CallLot::problem(std::string_view sentence, uint64_t count) {
  add(Kind::kProblem, Texts{copy(sentence), {}, count});
}

Status CallLot::make(const Call& call, EventSink& sink) {
  switch (call.kind) {
    case Kind::kSession:
      return sink.session(as<Texts>(call).first);
    case Kind::kStream:
      return sink.stream(as<Stream>(call));
    case Kind::kCategory: {
      const Texts& texts = as<Texts>(call);
      return sink.category(texts.first, static_cast<uint32_t>(texts.number), texts.second);
    }
    case Kind::kTrack:
      return sink.track(as<Track>(call));
    case Kind::kCounterTrack:
      return sink.counter_track(as<CounterTrack>(call));
    case Kind::kClockPoint:
      return sink.clock_point(as<Times>(call).monotonic_ns, as<Times>(call).realtime_ns);
    case Kind::kEvent:
      return sink.event(as<Event>(call));
    case Kind::kEvents: {
      const Block& block = as<Block>(call);
      return sink.events(
          {block.shared, block.rows, block.fields, block.fields_per_row, block.field_names});
    }
    case Kind::kCounterSample:
      return sink.counter_sample(as<CounterSample>(call));
    case Kind::kLoss:
      return sink.loss(as<Loss>(call));
    case Kind::kProblem:
      return sink.problem(as<Texts>(call).first, as<Texts>(call).number);
  }
  return {};
}

Status CallLot::replay(EventSink& sink) const {
  Status first;
  for (const Call& call : calls_) {
    Status status;
    try {
      status = make(call, sink);
    } catch (const std::exception& error) {
      status = {ResultCode::kFailed, std::string("writing an event: ") + error.what()};
    }
    if (first.ok() && !status.ok()) first = std::move(status);
  }
  return first;
}

void CallLot::clear() {
  calls_.clear();
  arena_.reset();
  bytes_ = 0;
  labels_.fill(nullptr);
}

}  // namespace ringscribe::model
