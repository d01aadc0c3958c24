// SPDX-License-Identifier: Apache-2.0
//
// PiecewiseLinear: a continuous, rising function from one clock to another, made of measured
// points as they arrive.
//
//        y                        . new measurement, above the function
//        |                  .   /
//        |               _/  _/     1  what was used for a conversion never changes,
//        |            _/  _/        2  there is no step anywhere,
//        |         _/  /            3  an error is worked off over about one interval, then
//        |      _/_/                   the slope is that of a long baseline.
//        +----------------- x
//
// While nothing was converted the function goes through all points. After that it goes through a
// new point only if nothing behind the last point was used, or if one of the clocks jumped: then it
// goes there at once, however steep that is, and the slope is that of before the jump. Before the
// first and behind the last point it goes on straight. Arithmetic is in 128-bit integers: with
// slope 1 it is exact.
//
//   PiecewiseLinear tsc_to_ns;
//   tsc_to_ns.add_point(tsc0, ns0);
//   tsc_to_ns.add_point(tsc1, ns1);
//   int64_t ns = tsc_to_ns.convert(tsc);
//
// Threads: one at a time.
#ifndef RINGSCRIBE_BACKENDS_MODEL_PIECEWISE_LINEAR_H_
#define RINGSCRIBE_BACKENDS_MODEL_PIECEWISE_LINEAR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringscribe::model {

class PiecewiseLinear {
 public:
  // The slope as long as there is one point only. REQUIRES: positive and finite.
  void set_default_slope(double slope) { default_slope_ = slope; }

  // `x` and `y` are the same instant. Points whose x or y does not rise are passed over once
  // conversions were made (a clock went back); before that they are put in order.
  void add_point(int64_t x, int64_t y);
  // From (x, y) on the function is to have this slope. REQUIRES: positive and finite.
  void set_line(int64_t x, int64_t y, double slope);

  bool empty() const { return points_.empty(); }
  // REQUIRES: !empty(). Results beyond int64 become its nearest end.
  int64_t convert(int64_t x);
  // The same for each of them, in place.
  void convert_all(std::span<int64_t> times);

 private:
  __extension__ typedef __int128 Int128;
  // A slope as a 61-bit number and a shift.
  struct Rate {
    int64_t multiplier = int64_t{1} << 60;
    int shift = 60;
  };
  struct Point {
    int64_t x, y;
  };
  struct Anchor {
    int64_t x, y;
    Rate rate;  // from here to the next anchor
  };

  static Rate rate_of(double slope);
  // A slope at which the line from `a` never gets above `b` before b.x. REQUIRES: both rise.
  static Rate rate_between(const Point& a, const Point& b);
  static double slope_between(const Point& a, const Point& b);
  static int64_t advance(const Anchor& from, const Rate& rate, int64_t x);

  double long_slope() const;
  // The anchor behind which `x` lies. REQUIRES: not in front of the first.
  const Anchor& anchor_of(int64_t x);
  int64_t evaluate(int64_t x);
  void insert_unused(int64_t x, int64_t y);
  void rebuild();
  // Whether `to` is so far from where `slope` leads to from `from` that a clock jumped.
  static bool is_jump(const Point& from, const Point& to, double slope);
  // Goes from what was used straight to `jumped`, if that is far off. False if it is not. Two jumps
  // in a row are none: that is the rate from there on.
  bool follow_jump(const Point& last, const Point& jumped);
  // Lets the function go over to the line through `target` with `slope`, from x on.
  void work_off(int64_t from, const Point& target, double slope, int64_t horizon);
  void drop_anchors_after(int64_t x);

  std::vector<Point> points_;
  std::vector<Anchor> anchors_;
  Rate before_;  // in front of the first anchor
  size_t hint_ = 0;
  double default_slope_ = 1.0;
  double given_slope_ = 0;    // of set_line(); 0: none
  size_t baseline_from_ = 0;  // the point from which slopes are measured: the last jump's, or 0
  double slope_before_jump_ = 0;
  bool is_used_ = false;
  int64_t used_until_ = INT64_MIN;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_PIECEWISE_LINEAR_H_
