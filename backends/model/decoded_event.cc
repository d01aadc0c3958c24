// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/decoded_event.h"

namespace ringscribe::model {
namespace {

// A complete range, or what can be made of one of its ends.
EventTimes range(Family complete, const Timestamp& begin, const Timestamp& end) {
  const bool by_id = complete == Family::kRangeStartEnd;
  if (begin.present && end.present) return {true, complete, begin, end};
  if (begin.present) return {true, by_id ? Family::kStart : Family::kPush, begin, {}};
  if (end.present) return {true, by_id ? Family::kEnd : Family::kPop, {}, end};
  return {};
}

EventTimes from_roles(const DecodedEvent& event) {
  if (event.mark.present) return {true, Family::kMark, event.mark, {}};
  if (event.begin.present && event.end.present) {
    // Nothing says that ranges of this schema nest, so nothing is promised to the sink.
    return {true, Family::kRangeStartEnd, event.begin, event.end};
  }
  if (event.begin.present || event.end.present) {
    return range(event.range_id != 0 ? Family::kRangeStartEnd : Family::kRangePushPop, event.begin,
                 event.end);
  }
  if (event.times[0].present) return {true, Family::kMark, event.times[0], {}};
  return {};
}

const Timestamp& first_of(const Timestamp& a, const Timestamp& b) { return a.present ? a : b; }

}  // namespace

EventTimes times_of(const DecodedEvent& event) {
  const Timestamp& begin = first_of(event.begin, event.times[0]);
  switch (event.family) {
    case Family::kMark: {
      const Timestamp& at = first_of(event.mark, begin);
      return {at.present, Family::kMark, at, {}};
    }
    case Family::kRangePushPop:
    case Family::kRangeStartEnd: {
      // With one role only, a timestamp without a role is the other one.
      const Timestamp& left = event.begin.present ? event.times[0] : event.times[1];
      return range(event.family, begin, first_of(event.end, left));
    }
    case Family::kPush:
    case Family::kStart:
      return {begin.present, event.family, begin, {}};
    case Family::kPop:
    case Family::kEnd: {
      const Timestamp& at = first_of(event.end, begin);
      return {at.present, event.family, {}, at};
    }
    case Family::kNone:
    case Family::kCounterGroup:
      break;
  }
  return from_roles(event);
}

}  // namespace ringscribe::model
