# SPDX-License-Identifier: Apache-2.0
"""A Perfetto trace (compressed) that was read by our reader and written by our sink again.

The rules are those of `perfetto`, but for where what a moved time was stands among the annotations:
it comes back as a field, and fields go first. Of a sample, which has no fields, it does not come back.
"""

import collections

import perfetto_format
from perfetto_format import expected, read  # noqa: F401: the same

EXTENSION = ".again"
MOVED = ("original_timestamp", "original_end_timestamp")


def moved_last(event):
    """`event`: a tuple whose last member is the annotations, or None."""
    if event is None:
        return None
    *rest, fields = event
    return (*rest, tuple(sorted(fields, key=lambda field: field[0] in MOVED)))


def matched(wanted, shown):
    for one in (wanted, shown):
        one.events = collections.Counter({moved_last(e): n for e, n in one.events.items()})
        pairs = collections.Counter()
        for (inner, outer), count in one.nesting.items():
            pairs[moved_last(inner), moved_last(outer)] += count
        one.nesting = pairs
        samples = collections.Counter()
        for (*sample, _), count in one.samples.items():
            samples[(*sample, ())] += count
        one.samples = samples
    return perfetto_format.matched(wanted, shown)
