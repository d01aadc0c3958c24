# SPDX-License-Identifier: Apache-2.0
"""Trace event JSON: what of a truth it shows (docs/formats.md, "chrome"), and what a file does.

    expected = chrome_format.expected(recording.load("facts.jsonl"))
    shown = chrome_format.read("session.json")     # AssertionError, ValueError: not as it has to be

A row is (process, thread). The kind of an event is "mark", "nested" (a complete event) or "async": a
push/pop range that cuts another one becomes async, so where a row's ranges do not nest, the kind of
its push/pop ranges is not compared.
"""

import collections
import decimal

import nesting
import recording
import trace_json
from rules import numbered

EXTENSION = ".json"
EXACT = 2**53
# Ranges of which the sink decides together which nest.
LOT = 8192


def unused(names, name):
    """`name`, or with the first number that makes it new; it is in `names` then."""
    candidate, number = name, 2
    while candidate in names:
        candidate, number = f"{name} ({number})", number + 1
    names.add(candidate)
    return candidate


# --- What should be there.


class Rows:
    """Rules: "Processes and threads"."""

    def __init__(self, session):
        self.processes, self.rows, self.by_pid, self.threads = [], [], {}, {}
        self.session = self.process(session or "session")
        self.notes = None

    @staticmethod
    def is_system_id(number):
        return 0 < number < 2**30

    def process(self, name):
        self.processes.append(name)
        return self.row(len(self.processes) - 1, name, is_process=True)

    def row(self, process, name, is_process=False):
        # A process's own row gets its name when it is first used.
        told = None if is_process else name or "(no name)"
        self.rows.append({"process": process, "name": name, "is_process": is_process, "told": told})
        return len(self.rows) - 1

    def use(self, row):
        row = self.rows[row]
        row["told"] = row["told"] or row["name"] or "(no name)"

    def label(self, row):
        row = self.rows[row]
        return (self.processes[row["process"]] or "(no name)", row["told"])

    def add(self, track, row_of):
        parent = None if track["parent"] < 0 else row_of[track["parent"]]
        name = track["name"]
        if track["kind"] == "process ":
            return self.known_process(track["pid"], name)
        if track["kind"] == "thread ":
            return self.thread(track, parent)
        if parent is not None:
            above = self.rows[parent]
            name = name or "(no name)"
            return self.row(above["process"],
                            name if above["is_process"] else f"{above['name']}/{name}")
        if track["kind"] == "stream ":
            return self.row(self.rows[self.session]["process"], name)
        return self.process(name)

    def known_process(self, pid, name):
        if not self.is_system_id(pid):
            return self.process(numbered(name, "pid", pid))
        if pid not in self.by_pid:
            self.by_pid[pid] = self.process(name)
            return self.by_pid[pid]
        row = self.rows[self.by_pid[pid]]
        if not name or row["name"] == name:
            return self.by_pid[pid]
        if not row["name"]:
            row["name"] = self.processes[row["process"]] = name
            return self.by_pid[pid]
        return self.process(numbered(name, "pid", pid))

    def thread(self, track, parent):
        if parent is None:
            parent = self.known_process(track["pid"], "")
        process, name, tid = self.rows[parent]["process"], track["name"], track["tid"]
        if not self.is_system_id(tid):
            return self.row(process, numbered(name, "tid", tid))
        if (process, tid) not in self.threads:
            self.threads[process, tid] = track["thread_number"]
            return self.row(process, name)
        if self.threads[process, tid] == track["thread_number"]:
            return self.row(process, track["domain"] or name)
        return self.row(process, numbered(name, "tid", tid))

    def notes_row(self):
        if self.notes is None:
            self.notes = self.row(self.rows[self.session]["process"], "ringscribe.notes")
        return self.notes


def value_shown(value):
    """Rules: "Values"."""
    kind, rest = value[0], value[1:]
    if kind in ("i", "u"):
        return ("n", rest[0]) if abs(rest[0]) <= EXACT else ("s", str(rest[0]))
    if kind == "address":
        return ("s", hex(rest[0]))
    if kind == "f":
        return real_shown(value) or value
    if kind == "struct":
        return ("struct", members(rest[0]))
    if kind == "array":
        return ("array", tuple(value_shown(one) for one in rest[0]))
    return value


def real_shown(value):
    """The text in the place of a double that JSON cannot hold, or None."""
    names = {recording.real("inf"): "Infinity", recording.real("-inf"): "-Infinity",
             recording.real("nan"): "NaN"}
    return ("s", names[value]) if value in names else None


def members(fields):
    names = set()
    return tuple((unused(names, name or "(unnamed)"), value_shown(value)) for name, value in fields)


def arguments(event):
    fields = list(event["fields"])
    if event["color"]:
        fields.append(("color", ("s", f"#{event['color']:08X}")))
    if not event["category"] and event["category_id"]:
        fields.append(("category_id", ("u", event["category_id"])))
    if event["range_id"]:
        fields.append(("range_id", ("s", str(event["range_id"]))))
    fields += [(flag, ("b", True)) for flag in
               ("end_is_missing", "begin_is_missing", "end_before_begin") if event[flag]]
    if event["end_before_begin"]:
        fields.append(("written_end", ("i", event["written_end"])))
    if not event["synchronised"]:
        fields.append(("time_domain", ("s", str(event["time_domain"]))))
    return members(fields)


class Expected:
    def __init__(self, truth):
        self.truth, self.shown = truth, recording.Shown()
        self.rows, self.row_of = Rows(truth.session), []
        self.counters, self.counter_names = [], set()
        self.ranges = collections.defaultdict(list)  # push/pop ranges by row, as they come
        self.events, self.latest, self.latest_other = [], None, 0
        self.points = []

    def make(self):
        steps = {"track": self.track, "counter": self.counter, "event": self.event,
                 "sample": self.sample, "clock point": self.clock_point, "problem": self.problem}
        for call in self.truth.calls:
            steps.get(call["fact"], lambda _: None)(call)
        self.place()
        self.shown.about["session"] = cut(self.truth.session, 1024)
        self.shown.clocks = self.points if len(self.points) < 2 else [self.points[0], self.points[-1]]
        return self.shown

    def track(self, call):
        self.row_of.append(self.rows.add(call, self.row_of))

    def clock_point(self, call):
        self.points.append((call["monotonic"], call["realtime"]))

    def see(self, time, synchronised):
        if not synchronised:
            self.latest_other = max(self.latest_other, time)
        elif self.latest is None or time > self.latest:
            self.latest = time

    def event(self, call):
        row = self.row_of[call["track_id"]]
        self.rows.use(row)
        self.see(call["end"], call["synchronised"])
        category = call["category"] or call["domain"] or "default"
        self.events.append((row, call["kind"], call["message"], category, call["begin"],
                            call["end"], arguments(call)))

    def note(self, time, name, args):
        self.events.append((self.rows.notes_row(), "mark", name, "ringscribe", time, time, args))

    def problem(self, call):
        time = self.latest_other if self.latest is None else self.latest
        self.note(time, call["sentence"], (("count", ("n", call["count"])),))

    def counter(self, call):
        row = self.rows.session if call["parent"] < 0 else self.row_of[call["parent"]]
        self.rows.use(row)
        process, owner = self.rows.rows[row]["process"], self.rows.rows[row]["name"]
        name = call["name"] or "(no name)"
        if owner and (process, name) in self.counter_names:
            name = f"{name} ({owner})"
        base, number = name, 2
        while (process, name) in self.counter_names:
            name, number = f"{base} ({number})", number + 1
        self.counter_names.add((process, name))
        self.counters.append((row, name, call["unit"] or "value", call["domain"] or "default"))

    def sample(self, call):
        row, name, unit, domain = self.counters[call["counter_id"]]
        self.see(call["time"], call["synchronised"])
        ticks = [] if call["synchronised"] else [("time_domain", ("s", str(call["time_domain"])))]
        is_real = call["is_floating"]
        text = real_shown(call["value"]) if call["has_value"] and is_real else None
        if text or not call["has_value"]:
            why = ("value", text) if text else ("reason", ("n", call["reason"]))
            args = [("counter", ("s", name)), why] + ticks
            return self.note(call["time"], "counter without value", tuple(args))
        value = call["value"]
        extra = [("cat", ("s", domain))] + ticks
        if not is_real:
            value = ("n", value[1])
            if abs(value[1]) > EXACT:
                extra.append(("exact", ("s", str(value[1]))))
        self.shown.add_sample(self.rows.label(row), name, unit, call["time"], value, extra)

    def place(self):
        """Rules: push/pop ranges that nest are complete events of their thread."""
        ranges = collections.defaultdict(list)
        for event in self.events:
            if event[1] == "push-pop":
                ranges[event[0]].append((event[4], event[5], self.key(event)))
        is_one_lot = sum(map(len, ranges.values())) < LOT
        nests = {}
        for row, some in ranges.items():
            tree = nesting.pairs(some) if is_one_lot else None
            nests[row] = tree is not None
            self.shown.nesting.update(tree or {})
        self.shown.about["loose"] = {self.rows.label(row) for row, is_so in nests.items() if not is_so}
        kinds = {"mark": "mark", "push-pop": "nested", "start-end": "async"}
        for row, kind, *rest in self.events:
            self.shown.add_event(self.rows.label(row), kinds[kind], *rest)

    def key(self, event):
        return (self.rows.label(event[0]), *event[2:])


def cut(text, size):
    """The first bytes of a text, up to the end of a character."""
    return text.encode()[:size].decode(errors="ignore")


def expected(truth):
    return Expected(truth).make()


# --- What is there.


def value_read(value):
    if value is None:
        return ("none",)
    if isinstance(value, bool):
        return ("b", value)
    if isinstance(value, int):
        return ("n", value)
    if isinstance(value, decimal.Decimal):
        return recording.real(value)
    if isinstance(value, str):
        return ("s", value)
    if isinstance(value, list):
        return ("array", tuple(value_read(one) for one in value))
    return ("struct", fields_read(value))


def fields_read(members_read):
    return tuple((name, value_read(value)) for name, value in members_read.items())


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        trace = trace_json.strict(file.read())
    assert trace["displayTimeUnit"] == "ns", trace["displayTimeUnit"]
    events = trace["traceEvents"]
    trace_json.check_form(events)
    shown, complete = recording.Shown(), collections.defaultdict(list)
    names = {"process_name": {}, "thread_name": {}}
    for event in events:
        if event["ph"] == "M" and event["name"] in names:
            place = (event["pid"], event["tid"] if event["name"] == "thread_name" else 0)
            names[event["name"]][place] = event["args"]["name"]
    begun, open_here = {}, collections.defaultdict(list)
    for event in events:
        if event["ph"] == "M":
            continue
        row = (names["process_name"][event["pid"], 0], names["thread_name"][event["pid"], event["tid"]])
        time = trace_json.ns(event["ts"])
        if event["ph"] == "C":
            ((unit, value),) = event["args"].items()
            extra = [("cat", ("s", event["cat"]))]
            extra += [(key, ("s", event[key])) for key in ("time_domain", "exact") if key in event]
            shown.add_sample(row, event["name"], unit, time, value_read(value), extra)
            continue
        args = fields_read(event.get("args", {}))
        if event["ph"] == "b":
            begun[event["id"]] = (row, time, args)
        elif event["ph"] == "e":
            row, begin, args = begun.pop(event["id"])
            shown.add_event(row, "async", event["name"], event["cat"], begin, time, args)
        elif event["ph"] == "B":
            place = complete[event["pid"], event["tid"]]
            open_here[event["pid"], event["tid"]].append((len(place), time, args))
            place.append(None)  # at equal times the place in the file counts
        elif event["ph"] == "E":
            at, begin, args = open_here[event["pid"], event["tid"]].pop()
            _, _, *key = shown.add_event(row, "nested", event["name"], event["cat"], begin, time, args)
            complete[event["pid"], event["tid"]][at] = (begin, time, (row, *key))
        elif event["ph"] == "i":
            shown.add_event(row, "mark", event["name"], event["cat"], time, time, args)
        else:
            end = time + trace_json.ns(event["dur"])
            _, _, *key = shown.add_event(row, "nested", event["name"], event["cat"], time, end, args)
            complete[event["pid"], event["tid"]].append((time, end, (row, *key)))
    for ranges in complete.values():
        shown.nesting.update(as_drawn(ranges))
    other = trace["otherData"]
    shown.about["session"] = other["session"]
    shown.clocks = [(int(other[f"{which}_monotonic_ns"]), int(other[f"{which}_realtime_ns"]))
                    for which in ("first", "last") if f"{which}_monotonic_ns" in other]
    return shown


def as_drawn(ranges):
    """What a viewer makes of complete events: by time, and by place in the file at equal times."""
    result, open_ranges = collections.Counter(), []
    for begin, end, key in sorted((r for r in ranges if r[1] > r[0]), key=lambda r: r[0]):
        while open_ranges and open_ranges[-1][0] <= begin:
            open_ranges.pop()
        assert not open_ranges or end <= open_ranges[-1][0], f"{key} is cut by what is around it"
        result[key, open_ranges[-1][1] if open_ranges else None] += 1
        open_ranges.append((end, key))
    return result


def matched(wanted, shown):
    """Both, without what the rules leave open: the kind and nesting of ranges of rows that do not nest."""
    loose = wanted.about.pop("loose")
    for one in (wanted, shown):
        for event in [e for e in one.events if e[0] in loose and e[1] in ("nested", "async")]:
            one.events[event[0], "range", *event[2:]] += one.events.pop(event)
        for pair in [p for p in one.nesting if p[0][0] in loose]:
            del one.nesting[pair]
    return wanted, shown
