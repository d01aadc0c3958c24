// SPDX-License-Identifier: Apache-2.0
//
// RecordBody: the bytes and the event classes of what is no event of the producer's: samples of
// counters, and notes about the session.
//
//   io:counter:depth            value, or no_value_reason
//   ringscribe:track            what was announced, in full: packets have names cut short
//   ringscribe:counter, :stream, :category, :clock_point, :problem
//
//   RecordBody records(classes);
//   uint32_t number = records.sample(sample, counter, bytes);
//
// Each function appends the bytes and returns the class, in the table's numbering.
//
// Threads: one at a time. Lifetime: the class table has to outlive it; views are copied.
#ifndef RINGSCRIBE_BACKENDS_CTF_RECORD_BODY_H_
#define RINGSCRIBE_BACKENDS_CTF_RECORD_BODY_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ringscribe/backends/ctf/class_table.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::ctf {

class RecordBody {
 public:
  // What samples need of their counter.
  struct Counter {
    std::string name;    // "io:counter:depth"
    std::string remark;  // unit, description and limits, for who reads the metadata
  };

  explicit RecordBody(ClassTable& classes) noexcept : classes_(classes) {}

  static Counter counter_of(const model::CounterTrack& track);
  uint32_t sample(const model::CounterSample& sample, const Counter& counter, std::string& out);

  uint32_t track(const model::Track& track, std::string& out);
  uint32_t counter(const model::CounterTrack& track, std::string& out);
  uint32_t stream(const model::Stream& stream, std::string& out);
  uint32_t category(std::string_view domain, uint32_t id, std::string_view name, std::string& out);
  uint32_t clock_point(int64_t monotonic_ns, int64_t realtime_ns, std::string& out);
  uint32_t problem(std::string_view sentence, uint64_t count, std::string& out);

 private:
  // `name` is a literal.
  uint32_t note(const char* name, const char* fields);

  ClassTable& classes_;
  std::unordered_map<uint64_t, uint32_t> samples_;  // by counter and form
  std::map<std::string_view, uint32_t> notes_;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_RECORD_BODY_H_
