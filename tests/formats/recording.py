# SPDX-License-Identifier: Apache-2.0
"""What a session says, in the form in which truth and files are compared.

    truth = recording.load("facts.jsonl")      # what the model told a sink, in its order
    shown = recording.Shown()                  # what a file shows, or should show
    shown.add_event(row, "mark", "tick", "io", 5, 5, (("items", ("i", 64)),))

A row is a tuple of names, outermost first: what a viewer shows as one line. A value is a tuple whose
first member is its kind, so that 1, 1.0, True and "1" differ:

    ("i", 5) ("u", 5) ("f", 8 bytes) ("s", "text") ("address", 5) ("b", True) ("none",)
    ("struct", ((name, value), ...)) ("array", (value, ...))

A NaN is a NaN: which one is not compared.
"""

import collections
import dataclasses
import json
import math
import struct

def real(number):
    """The value of a double, by its bits."""
    number = float(number)
    return ("f", b"nan" if math.isnan(number) else struct.pack("<d", number))


@dataclasses.dataclass
class Shown:
    """What a file shows, or should show. What a format does not tell, stays empty on both sides."""

    events: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    samples: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    # (event, the range right around it, or None) for ranges whose nesting the format keeps.
    nesting: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    clocks: list = dataclasses.field(default_factory=list)  # (monotonic, realtime)
    about: dict = dataclasses.field(default_factory=dict)  # what is told once: the session's name

    def add_event(self, row, kind, name, category, begin, end, fields):
        event = (tuple(row), kind, name, category, begin, end, tuple(fields))
        self.events[event] += 1
        return event

    def add_sample(self, row, name, unit, time, value, extra=()):
        self.samples[(tuple(row), name, unit, time, value, tuple(extra))] += 1


@dataclasses.dataclass
class Truth:
    """A model's calls. `calls` has all of them in their order, as dicts with a "fact"."""

    calls: list
    session: str = ""
    clock: tuple = (0, 0)

    def of(self, fact):
        return [call for call in self.calls if call["fact"] == fact]


def _value(told):
    if told is None:
        return ("none",)
    if isinstance(told, list):
        return ("array", tuple(_value(one) for one in told))
    if "fields" in told:
        return ("struct", _fields(told))
    ((kind, value),) = told.items()
    return real(value) if kind == "f" else (kind, value)


def _fields(told):
    return tuple((name, _value(value)) for name, value in told["fields"])


def load(path):
    truth = Truth([])
    with open(path, encoding="utf-8") as file:
        for line in file:
            call = json.loads(line)
            if call["fact"] == "clock":
                truth.clock = (call["monotonic"], call["realtime"])
            elif call["fact"] == "session":
                truth.session = call["name"]
            elif call["fact"] == "event":
                call["fields"] = _fields(call["fields"])
            elif call["fact"] == "sample" and call["has_value"]:
                value = call["value"]
                call["value"] = real(value) if call["is_floating"] else ("i", value)
            truth.calls.append(call)
    return truth


def differences(expected, shown, most=8):
    """Sentences about what differs; none if nothing does."""
    result = []
    for what in ("events", "samples", "nesting"):
        right, left = getattr(expected, what), getattr(shown, what)
        for sign, missing in (("is missing", right - left), ("should not be there", left - right)):
            entries = sorted(missing.items(), key=lambda entry: _order(entry[0]))
            result += [f"{what}: {sign}, {count} times: {_short(one)}" for one, count in entries[:most]]
            if len(entries) > most:
                result.append(f"{what}: {sign}: {len(entries) - most} more")
    for what in ("clocks", "about"):
        if getattr(expected, what) != getattr(shown, what):
            result.append(f"{what}: {_short(getattr(shown, what))} instead of "
                          f"{_short(getattr(expected, what))}")
    return result


def _order(one):
    """By row and time, so that what is missing stands beside what came in its place."""
    event = one if len(one) != 2 else one[0]
    return (repr(event[0]), repr(event[-3:]))


def _short(one, most=1200):
    text = repr(one)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
