// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/piecewise_linear.h"

#include <algorithm>
#include <cmath>

namespace ringscribe::model {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

// Slopes beyond these say that a point is wrong, not that a clock is that fast.
constexpr double kSlopeMin = 1e-12;
constexpr double kSlopeMax = 1e12;
// How many points back the baseline of the slope reaches.
constexpr size_t kBaselinePoints = 32;
// While an error is worked off the slope stays within these factors of the baseline's.
constexpr double kSlowest = 0.5;
constexpr double kFastest = 2.0;
// An error of so much, when it asks for a slope beyond those factors, is a jump.
constexpr double kJump = 1e6;

int64_t saturate(Int128 value) {
  if (value > INT64_MAX) return INT64_MAX;
  if (value < INT64_MIN) return INT64_MIN;
  return static_cast<int64_t>(value);
}

int bit_count(Uint128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

}  // namespace

PiecewiseLinear::Rate PiecewiseLinear::rate_of(double slope) {
  slope = std::clamp(slope, kSlopeMin, kSlopeMax);
  int exponent = 0;
  const double fraction = std::frexp(slope, &exponent);  // 0.5 to 1
  return {static_cast<int64_t>(std::ldexp(fraction, 60)), 60 - exponent};
}

double PiecewiseLinear::slope_between(const Point& a, const Point& b) {
  const Int128 dx = static_cast<Int128>(b.x) - a.x;
  const Int128 dy = static_cast<Int128>(b.y) - a.y;
  return std::clamp(static_cast<double>(dy) / static_cast<double>(dx), kSlopeMin, kSlopeMax);
}

PiecewiseLinear::Rate PiecewiseLinear::rate_between(const Point& a, const Point& b) {
  const auto dx = static_cast<Uint128>(static_cast<Int128>(b.x) - a.x);
  const auto dy = static_cast<Uint128>(static_cast<Int128>(b.y) - a.y);
  const double slope = static_cast<double>(dy) / static_cast<double>(dx);
  if (slope < kSlopeMin || slope > kSlopeMax) return rate_of(slope);
  // Rounded down, so that the line does not get above `b` before it.
  const int shift = std::min(60 + bit_count(dx) - bit_count(dy), 126 - bit_count(dy));
  return {static_cast<int64_t>((dy << shift) / dx), shift};
}

int64_t PiecewiseLinear::advance(const Anchor& from, const Rate& rate, int64_t x) {
  if (x >= from.x) {  // the usual case, in unsigned numbers: the same with one multiplication
    const uint64_t ticks = static_cast<uint64_t>(x) - static_cast<uint64_t>(from.x);
    const Uint128 half = Uint128{1} << (rate.shift - 1);
    const Uint128 way =
        (static_cast<Uint128>(ticks) * static_cast<uint64_t>(rate.multiplier) + half) >> rate.shift;
    const uint64_t room = static_cast<uint64_t>(INT64_MAX) - static_cast<uint64_t>(from.y);
    if (way >= room) return INT64_MAX;
    return static_cast<int64_t>(static_cast<uint64_t>(from.y) + static_cast<uint64_t>(way));
  }
  const Int128 dx = static_cast<Int128>(x) - from.x;
  const Int128 half = Int128{1} << (rate.shift - 1);
  return saturate(from.y + ((dx * rate.multiplier + half) >> rate.shift));
}

double PiecewiseLinear::long_slope() const {
  if (given_slope_ > 0) return given_slope_;
  if (points_.size() < 2) return default_slope_;
  const size_t reach = points_.size() - std::min(points_.size(), kBaselinePoints + 1);
  const size_t base = std::max(reach, baseline_from_);
  if (base + 1 >= points_.size()) return slope_before_jump_;
  return slope_between(points_[base], points_.back());
}

const PiecewiseLinear::Anchor& PiecewiseLinear::anchor_of(int64_t x) {
  // Most events lie behind the anchor that the event before them used.
  if (hint_ >= anchors_.size() || anchors_[hint_].x > x ||
      (hint_ + 1 < anchors_.size() && anchors_[hint_ + 1].x <= x)) {
    const auto after =
        std::upper_bound(anchors_.begin(), anchors_.end(), x,
                         [](int64_t value, const Anchor& anchor) { return value < anchor.x; });
    hint_ = static_cast<size_t>(after - anchors_.begin()) - 1;
  }
  return anchors_[hint_];
}

int64_t PiecewiseLinear::evaluate(int64_t x) {
  if (x < anchors_[0].x) return advance(anchors_[0], before_, x);
  const Anchor& anchor = anchor_of(x);
  return advance(anchor, anchor.rate, x);
}

int64_t PiecewiseLinear::convert(int64_t x) {
  is_used_ = true;
  used_until_ = std::max(used_until_, x);
  return evaluate(x);
}

void PiecewiseLinear::convert_all(std::span<int64_t> times) {
  for (size_t i = 0; i < times.size();) {
    if (times[i] < anchors_[0].x) {
      times[i] = convert(times[i]);
      ++i;
      continue;
    }
    // As long as they lie behind the same anchor.
    const Anchor anchor = anchor_of(times[i]);
    const int64_t last = hint_ + 1 < anchors_.size() ? anchors_[hint_ + 1].x - 1 : INT64_MAX;
    int64_t latest = used_until_;
    for (; i < times.size() && times[i] >= anchor.x && times[i] <= last; ++i) {
      latest = std::max(latest, times[i]);
      times[i] = advance(anchor, anchor.rate, times[i]);
    }
    is_used_ = true;
    used_until_ = latest;
  }
}

void PiecewiseLinear::add_point(int64_t x, int64_t y) {
  given_slope_ = 0;
  if (!is_used_) {
    insert_unused(x, y);
    return;
  }
  const Point last = points_.back();
  const Point added{x, y};
  if (x <= last.x || y <= last.y) return;
  if (follow_jump(last, added)) return;
  points_.push_back(added);
  const double slope = long_slope();
  const int64_t horizon = saturate(static_cast<Int128>(x) - last.x);
  if (used_until_ > last.x) {
    work_off(std::max(x, used_until_), added, slope, horizon);
    return;
  }
  drop_anchors_after(last.x);
  const int64_t at_last = evaluate(last.x);
  const Point from{last.x, at_last};
  // How steep the way through the new point may be; else the error is worked off behind it.
  const double direct = y > at_last ? slope_between(from, added) : 0;
  if (direct < slope * kSlowest || direct > slope * kFastest) {
    work_off(last.x, added, slope, horizon);
    return;
  }
  anchors_.push_back({from.x, from.y, rate_between(from, added)});
  anchors_.push_back({x, y, rate_of(slope)});
}

bool PiecewiseLinear::is_jump(const Point& from, const Point& to, double slope) {
  const double direct = slope_between(from, to);
  if (direct >= slope * kSlowest && direct <= slope * kFastest) return false;
  const double error = static_cast<double>(static_cast<Int128>(to.y) - from.y) -
                       slope * static_cast<double>(static_cast<Int128>(to.x) - from.x);
  // In the units of either clock: both directions of a pair of clocks judge alike.
  return std::max(std::fabs(error), std::fabs(error / slope)) >= kJump;
}

bool PiecewiseLinear::follow_jump(const Point& last, const Point& jumped) {
  if (points_.size() < 2 && given_slope_ == 0) return false;  // the rate is not known yet
  const bool is_after_jump = baseline_from_ != 0 && baseline_from_ + 1 == points_.size();
  if (is_after_jump) return false;
  const double slope = long_slope();
  const int64_t from_x = std::max(last.x, used_until_);
  if (jumped.x <= from_x) return false;
  const Point from{from_x, evaluate(from_x)};
  if (jumped.y <= from.y || !is_jump(from, jumped, slope)) return false;
  drop_anchors_after(from.x);
  anchors_.push_back({from.x, from.y, rate_between(from, jumped)});
  anchors_.push_back({jumped.x, jumped.y, rate_of(slope)});
  slope_before_jump_ = slope;
  baseline_from_ = points_.size();
  points_.push_back(jumped);
  return true;
}

void PiecewiseLinear::set_line(int64_t x, int64_t y, double slope) {
  given_slope_ = std::clamp(slope, kSlopeMin, kSlopeMax);
  if (!is_used_) {
    points_ = {{x, y}};
    rebuild();
    return;
  }
  const int64_t from = std::max(x, used_until_);
  const int64_t since = saturate(static_cast<Int128>(from) - points_.back().x);
  points_.push_back({x, y});
  work_off(from, {x, y}, given_slope_, std::max<int64_t>(since, 1));
}

void PiecewiseLinear::insert_unused(int64_t x, int64_t y) {
  const auto before = [](const Point& point, int64_t value) { return point.x < value; };
  const auto place = std::lower_bound(points_.begin(), points_.end(), x, before);
  if (place != points_.end() && place->x == x) return;
  points_.insert(place, {x, y});
  rebuild();
}

void PiecewiseLinear::rebuild() {
  anchors_.clear();
  hint_ = 0;
  baseline_from_ = 0;
  for (size_t i = 2; i < points_.size(); ++i) {
    if (i - 1 == baseline_from_ || points_[i - 1].y <= points_[baseline_from_].y) continue;
    const double slope = slope_between(points_[baseline_from_], points_[i - 1]);
    if (points_[i].y <= points_[i - 1].y || !is_jump(points_[i - 1], points_[i], slope)) continue;
    baseline_from_ = i;
    slope_before_jump_ = slope;
  }
  const Rate outside = rate_of(long_slope());
  before_ = outside;
  for (const Point& point : points_) {
    if (!anchors_.empty()) {
      const Point last{anchors_.back().x, anchors_.back().y};
      if (point.y <= last.y) continue;  // a clock that went back
      anchors_.back().rate = rate_between(last, point);
    }
    anchors_.push_back({point.x, point.y, outside});
  }
}

void PiecewiseLinear::work_off(int64_t from, const Point& target, double slope, int64_t horizon) {
  drop_anchors_after(from);
  const int64_t at_from = evaluate(from);
  const Anchor line{target.x, target.y, rate_of(slope)};
  const Int128 error = static_cast<Int128>(advance(line, line.rate, from)) - at_from;
  const double wanted = slope + static_cast<double>(error) / static_cast<double>(horizon);
  const double bent = std::clamp(wanted, slope * kSlowest, slope * kFastest);
  anchors_.push_back({from, at_from, rate_of(bent)});
  if (error == 0 || bent == slope) return;  // too small for a change of slope
  const double ticks = static_cast<double>(error) / (bent - slope);
  const int64_t until =
      ticks < 9e18 ? saturate(static_cast<Int128>(from) + std::max<int64_t>(1, std::llround(ticks)))
                   : INT64_MAX;
  if (until == INT64_MAX) return;
  anchors_.push_back(
      {until, advance(anchors_.back(), anchors_.back().rate, until), rate_of(slope)});
}

void PiecewiseLinear::drop_anchors_after(int64_t x) {
  while (anchors_.size() > 1 && anchors_.back().x > x) anchors_.pop_back();
  hint_ = 0;
}

}  // namespace ringscribe::model
