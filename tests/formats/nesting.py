# SPDX-License-Identifier: Apache-2.0
"""Which ranges of one row lie in which, worked out from their times alone.

    nesting.pairs([(0, 10, "a"), (2, 5, "b")])    # {("a", None): 1, ("b", "a"): 1}
    nesting.pairs([(0, 10, "a"), (5, 15, "b")])   # None: one cuts the other

Ranges come in the order in which they were recorded: of two equal ones the later is outside, because
a parent is complete after its child. What has no length is left out: it is in no question.
"""

import collections


def pairs(ranges):
    ordered = sorted(((begin, -end, -at, name) for at, (begin, end, name) in enumerate(ranges)
                      if end > begin), key=lambda one: one[:3])
    result, open_ranges = collections.Counter(), []
    for begin, minus_end, _, name in ordered:
        while open_ranges and open_ranges[-1][0] <= begin:
            open_ranges.pop()
        if open_ranges and open_ranges[-1][0] < -minus_end:
            return None
        result[name, open_ranges[-1][1] if open_ranges else None] += 1
        open_ranges.append((-minus_end, name))
    return result


def homes_of_marks(ranges, marks):
    """The range around each mark of a row whose ranges nest: (mark's name, range's name or None).

    `ranges`: (begin, end, name, at), `marks`: (time, name, at), with `at` the place in the order of
    recording. A mark on the end of a range is in it if it was recorded before it, and else in what
    begins there (docs/formats.md, perfetto, "Nesting").
    """
    result = collections.Counter()
    for time, name, at in marks:
        around = [r for r in ranges if r[0] <= time <= r[1] and r[0] < r[1]]
        ends = [r for r in around if r[1] == time and r[3] > at]
        rest = [r for r in around if r[1] > time]
        # The innermost: the shortest, of equal ones the first.
        home = min(ends or rest, key=lambda r: (r[1] - r[0], r[3]), default=None)
        result[name, home and home[2]] += 1
    return result
