# SPDX-License-Identifier: Apache-2.0
"""Reads trace event JSON with Python's parser, made strict, and checks the form of what it says.

    trace = trace_json.strict(text)            # ValueError: no JSON, or a key twice in an object
    trace_json.check_form(trace["traceEvents"])
    trace_json.ns(event["ts"])                 # an exact integer
"""

import collections
import decimal
import json


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"an object has a key twice: {keys}")
    return dict(pairs)


def strict(text):
    return json.loads(
        text, parse_float=decimal.Decimal, parse_constant=refuse, object_pairs_hook=unique
    )


def ns(microseconds):
    if not isinstance(microseconds, decimal.Decimal) or microseconds.as_tuple().exponent != -3:
        raise ValueError(f"{microseconds} has not three decimals")
    return int(microseconds.scaleb(3))


def check_form(events, is_cut=False, has_lots=True):
    """What every file has to keep: members by phase, metadata first, pairs of b and e and of B and E, nesting.

    `is_cut`: its process was killed. `has_lots`: a range may end with one of an earlier lot, where readers
    with floating-point times see them cut each other (docs/formats.md).
    """
    named = {"process_name": set(), "thread_name": set(), "process_sort_index": set()}
    open_ids, seen_ids = {}, set()
    complete, begun = collections.defaultdict(list), collections.defaultdict(list)
    floating = collections.defaultdict(list)
    for event in events:
        place = (event["pid"], event["tid"])
        assert all(type(n) is int and 0 <= n < 2**31 for n in place), event
        if event["ph"] == "M":
            if event["name"] in named:
                key = place if event["name"] == "thread_name" else event["pid"]
                named[event["name"]].add(key)
            continue
        assert event["pid"] in named["process_name"] and place in named["thread_name"], event
        assert event["pid"] in named["process_sort_index"], event
        assert isinstance(event["name"], str) and isinstance(event["cat"], str)
        begin = ns(event["ts"])
        if event["ph"] == "X":
            assert ns(event["dur"]) >= 0
            complete[place].append((begin, begin + ns(event["dur"])))
            floating[place].append((float(event["ts"]), float(event["ts"]) + float(event["dur"])))
        elif event["ph"] == "B":
            begun[place].append(event)
        elif event["ph"] == "E":
            start = begun[place].pop()
            assert all(start[key] == event[key] for key in ("cat", "name")), (start, event)
            assert ns(start["ts"]) <= begin
            complete[place].append((ns(start["ts"]), begin))
            floating[place].append((float(start["ts"]), float(event["ts"])))
        elif event["ph"] == "b":
            assert isinstance(event["id"], str) and event["id"] not in seen_ids
            seen_ids.add(event["id"])
            open_ids[event["id"]] = event
        elif event["ph"] == "e":
            start = open_ids.pop(event["id"])
            assert all(start[key] == event[key] for key in ("pid", "tid", "cat", "name"))
            assert ns(start["ts"]) <= begin
        elif event["ph"] == "i":
            assert event["s"] in ("t", "g")
        else:
            assert event["ph"] == "C" and len(event["args"]) == 1, event
            (value,) = event["args"].values()
            assert isinstance(value, (int, decimal.Decimal)), event
    assert is_cut or not any(begun.values()), "a B without its E"
    assert len(open_ids) <= 1, "only the last line may be a begin without its end"
    for place, ranges in complete.items():
        check_nesting(place, ranges)
    for place, ranges in floating.items():
        # Beyond, neighbouring nanoseconds are one number.
        if not has_lots:
            check_nesting(place, [r for r in ranges if max(map(abs, r)) < 2**40])


def check_nesting(place, ranges):
    stack = []
    for begin, end in sorted(ranges, key=lambda r: (r[0], -r[1])):
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], f"{begin} to {end} of {place} cuts a range"
        if end > begin:
            stack.append(end)
