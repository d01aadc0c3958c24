# SPDX-License-Identifier: Apache-2.0
"""What a session says, in the form in which truth and files are compared.

    truth = recording.load("facts.jsonl")      # what the model told a sink, in its order
    shown = recording.Shown()                  # what a file shows, or should show
    shown.add_event(row, "mark", "tick", "io", 5, 5, (("items", ("i", 64)),))

A row is a tuple of names, outermost first: what a viewer shows as one line. A value is a tuple whose
first member is its kind, so that 1, 1.0, True and "1" differ:

    ("i", 5) ("u", 5) ("f", "0x1.4p+2") ("s", "text") ("address", 5) ("b", True) ("none",)
    ("struct", ((name, value), ...)) ("array", (value, ...))

A NaN is a NaN: which one is not compared.
"""

import collections
import dataclasses
import json
import math

def real(number):
    """The value of a double, as a text that says each bit of it."""
    number = float(number)
    return ("f", "nan" if math.isnan(number) else number.hex())


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


EVENT = ("row", "kind", "name", "category", "begin", "end", "fields")
SAMPLE = ("row", "counter", "unit", "time", "value", "extra")
NESTING = ("range", "around it")


def differences(expected, shown, most=8):
    """Sentences about what differs; none if nothing does."""
    result = []
    for what, members in (("events", EVENT), ("samples", SAMPLE), ("nesting", NESTING)):
        right, left = getattr(expected, what), getattr(shown, what)
        missing, extra = list((right - left).elements()), list((left - right).elements())
        sentences = []
        for one in sorted(missing, key=repr):
            other = _most_like(one, extra)
            if other is not None:
                extra.remove(other)
            sentences.append(_changed(one, other, members))
        sentences += [f"{_short(one)} should not be there" for one in sorted(extra, key=repr)]
        result += [f"{what}: {sentence}" for sentence in sentences[:most]]
        if len(sentences) > most:
            result.append(f"{what}: {len(sentences) - most} more differ")
    told = {"clocks": (expected.clocks, shown.clocks)}
    for what in {**expected.about, **shown.about}:
        told[f"about: {what}"] = (expected.about.get(what), shown.about.get(what))
    return result + [f"{what}: {_short(left)} instead of {_short(right)}"
                     for what, (right, left) in told.items() if right != left]


def _most_like(one, others, most=500):
    """The one of the others that shares most of the members with it, and at least half."""
    def alike(other):
        return sum(a == b for a, b in zip(one, other))
    best = max(others[:most], key=alike, default=None)
    return best if best is not None and 2 * alike(best) >= len(one) else None


def _changed(one, other, members):
    if other is None:
        return f"{_short(one)} is missing"
    parts = []
    for name, right, left in zip(members, one, other):
        if right == left:
            continue
        if name in ("fields", "extra") and len(right) == len(left):
            for (key, value), (other_key, other_value) in zip(right, left):
                if (key, value) != (other_key, other_value):
                    parts.append(f"{_short((other_key, other_value))} instead of {_short((key, value))}")
        else:
            parts.append(f"{name} is {_short(left)} instead of {_short(right)}")
    return f"of {_short(one, 300)}: {'; '.join(parts)}"


def _short(one, most=600):
    text = repr(one)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
