# SPDX-License-Identifier: Apache-2.0
"""Perfetto's trace: what of a truth it shows (docs/formats.md, "perfetto"), and what a file does.

    expected = perfetto_format.expected(recording.load("facts.jsonl"))
    shown = perfetto_format.read("session.pftrace")     # TraceError: it breaks a published rule

A row is the names of a track and of those above it. The kind of an event is "mark", or "range" on the
row itself, "overlap" and "async" on a lane beside it. Which ranges of a row that does not nest go to
a lane is not compared, nor where a start/end range lies.
"""

import collections

import nesting
import recording
import trace_checker
from rules import numbered

EXTENSION = ".pftrace"
# Events and samples that are placed, and by whose times clocks are shifted, together.
LOT = 16384
INT64_MAX = 2**63 - 1
MONOTONIC, REALTIME = 3, 1
LANES = ("range", "overlap", "async")


# --- What should be there.


class Rows:
    """Rules: "Tracks"."""

    def __init__(self):
        self.rows, self.processes, self.threads = [], {}, {}

    @staticmethod
    def is_system_id(number):
        return 0 < number < 2**31

    def row(self, above, name, is_foreign=False):
        path = (() if above is None else self.rows[above]["path"]) + (name,)
        self.rows.append({"path": path, "name": name, "is_foreign": is_foreign})
        return len(self.rows) - 1

    def plain(self, above, name):
        return self.row(above, name or "(no name)", above is not None and self.rows[above]["is_foreign"])

    def add(self, track, row_of):
        above = None if track["parent"] < 0 else row_of[track["parent"]]
        if track["kind"] == "process ":
            return self.process(track, above)
        return self.thread(track, above) if track["kind"] == "thread " else self.plain(
            above, track["name"])

    def process(self, track, above):
        known, name, pid = self.processes.get(track["pid"]), track["name"], track["pid"]
        if known is not None and (not name or self.rows[known]["name"] in ("", name)):
            return known
        if known is not None or not self.is_system_id(pid):
            row = self.plain(above, numbered(name, "pid", pid))
            self.rows[row]["is_foreign"] = True
            return row
        self.processes[pid] = self.row(None, name)
        return self.processes[pid]

    def thread(self, track, above):
        pid, tid, name = track["pid"], track["tid"], track["name"]
        is_native = self.is_system_id(pid) and not (above is not None and self.rows[above]["is_foreign"])
        known = self.threads.get((pid, tid))
        if is_native and known and known[0] == track["thread_number"]:
            return self.plain(known[1], track["domain"] or name)
        if is_native and pid in self.processes:
            above = self.processes[pid]
        if not is_native or known or not self.is_system_id(tid):
            return self.plain(above, numbered(name, "tid", tid))
        row = self.row(above, name)
        self.threads[pid, tid] = (track["thread_number"], row)
        return row


def value_shown(value):
    """Rules: "Values"."""
    kind = value[0]
    if kind == "none":
        return ("s", "(none)")
    if kind == "struct":
        return ("struct", tuple((name or "(unnamed)", value_shown(one)) for name, one in value[1])) \
            if value[1] else ("s", "{}")
    if kind == "array":
        return ("array", tuple(value_shown(one) for one in value[1])) if value[1] else ("s", "[]")
    return value


def annotations(event):
    fields = [(name or "(unnamed)", value_shown(value)) for name, value in event["fields"]]
    if event["color"]:
        argb = event["color"]
        is_opaque = argb >> 24 in (0, 255)
        text = f"#{argb & 0xFFFFFF:06X}" if is_opaque else f"#{argb:08X}"
        fields.append(("color", ("s", text)))
    if not event["category"] and event["category_id"]:
        fields.append(("category_id", ("u", event["category_id"])))
    if event["range_id"]:
        fields.append(("range_id", ("u", event["range_id"])))
    fields += [(flag, ("b", True)) for flag in
               ("end_is_missing", "begin_is_missing", "end_before_begin") if event[flag]]
    if event["end_before_begin"]:
        fields.append(("written_end", ("i", event["written_end"])))
    if not event["synchronised"]:
        fields.append(("time_domain", ("u", event["time_domain"])))
    return fields


class Shifts:
    """Rules: "Time". By time domain; None stands for CLOCK_MONOTONIC."""

    def __init__(self, calls):
        self.amounts = {}
        timed = [c for c in calls if c["fact"] in ("event", "sample")]
        for start in range(0, len(timed), LOT):
            smallest = {}
            for call in timed[start:start + LOT]:
                domain = self.domain(call)
                time = call["begin"] if call["fact"] == "event" else call["time"]
                smallest[domain] = min(smallest.get(domain, 0), time)
            # A domain is fixed with the first lot that it is in; the clock's with the first of all.
            smallest.setdefault(None, 0)
            for domain, time in smallest.items():
                self.amounts.setdefault(domain, -time)
        self.amounts.setdefault(None, 0)

    @staticmethod
    def domain(call):
        return None if call["synchronised"] else call["time_domain"]

    def moved(self, domain, time):
        """(time, whether it could be had)"""
        moved = time + self.amounts[domain]
        return max(0, min(INT64_MAX, moved)), 0 <= moved <= INT64_MAX


class Expected:
    def __init__(self, truth):
        self.truth, self.shown = truth, recording.Shown()
        self.rows, self.row_of, self.counters = Rows(), [], []
        self.shifts = Shifts(truth.calls)
        self.events, self.latest, self.problems = [], 0, []
        self.points, self.bad_points = [], 0

    def make(self):
        steps = {"track": self.track, "counter": self.counter, "event": self.event,
                 "sample": self.sample, "clock point": self.clock_point,
                 "problem": self.problems.append}
        for call in self.truth.calls:
            steps.get(call["fact"], lambda _: None)(call)
        self.notes()
        self.place()
        self.clocks()
        return self.shown

    def track(self, call):
        self.row_of.append(self.rows.add(call, self.row_of))

    def time(self, call, key, extra, name):
        time, is_exact = self.shifts.moved(self.shifts.domain(call), call[key])
        if not is_exact:
            extra.append((name, ("i", call[key])))
        self.latest = max(self.latest, time)
        return time

    def event(self, call):
        fields = annotations(call)
        begin = end = self.time(call, "begin", fields, "original_timestamp")
        if call["kind"] != "mark":
            end = self.time(call, "end", fields, "original_end_timestamp")
        category = call["category"] or call["domain"] or "default"
        self.events.append((self.row_of[call["track_id"]], call["kind"],
                            call["message"] or "(no message)", category, begin, end, tuple(fields)))

    def counter(self, call):
        above = () if call["parent"] < 0 else self.rows.rows[self.row_of[call["parent"]]]["path"]
        domain = call["domain"] and f"domain: {call['domain']}"
        description = "; ".join(text for text in (call["description"], domain) if text)
        name = call["name"] or "(no name)"
        self.counters.append((above + (name,), name, call["unit"], description))

    def note(self, time, name, fields):
        self.shown.add_event(("ringscribe.notes",), "mark", name, "ringscribe", time, time, fields)

    def sample(self, call):
        row, name, unit, description = self.counters[call["counter_id"]]
        extra = []
        time = self.time(call, "time", extra, "original_timestamp")
        if not call["has_value"]:
            fields = [("counter", ("s", name)), ("reason", ("u", call["reason"]))]
            return self.note(time, "counter without value", fields + extra)
        self.shown.add_sample(row, description, unit, time, call["value"], extra)

    def notes(self):
        for domain, amount in self.shifts.amounts.items():
            which = ("s", "CLOCK_MONOTONIC") if domain is None else ("u", domain)
            if amount:
                self.note(0, "time shift", (("ringscribe.time_shift", ("u", amount)),
                                            ("time_domain", which)))
        for call in self.problems:
            self.note(self.latest, call["sentence"], (("count", ("u", call["count"])),))
        if self.bad_points:
            self.note(self.latest, "clock points before time 0 were left out",
                      (("count", ("u", self.bad_points)),))

    def clock_point(self, call):
        point = (call["monotonic"], call["realtime"])
        if min(point) < 0:
            self.bad_points += 1
        elif not self.points or (point[0] > self.points[-1][0] and
                                 point[1] - point[0] != self.points[-1][1] - self.points[-1][0]):
            self.points.append(point)

    def clocks(self):
        for monotonic, realtime in self.points or [self.truth.clock]:
            moved, is_exact = self.shifts.moved(None, monotonic)
            if is_exact:
                self.shown.clocks.append((moved, realtime))
            elif not self.shown.clocks:
                realtime -= monotonic - (moved - self.shifts.amounts[None])
                self.shown.clocks.append((moved, realtime if realtime >= 0 else None))

    def place(self):
        """Rules: "Nesting"."""
        by_row = collections.defaultdict(list)
        for at, event in enumerate(self.events):
            by_row[self.rows.rows[event[0]]["path"], event[0]].append((at, event))
        is_one_lot = len(self.events) + sum(self.shown.samples.values()) < LOT
        loose, checked = set(), {}
        for (path, _), some in by_row.items():
            if not is_one_lot or not nests(some):
                loose.add(path)
        for (path, _), some in by_row.items():
            if path not in loose:
                checked.setdefault(path, collections.Counter()).update(homes(path, some))
        self.shown.about.update(loose=loose, rows=set(checked))
        for pairs in checked.values():
            self.shown.nesting.update(pairs)
        kinds = {"mark": "mark", "push-pop": "range", "start-end": "range"}
        for row, kind, *rest in self.events:
            self.shown.add_event(self.rows.rows[row]["path"], kinds[kind], *rest)


def nests(some):
    """Whether all ranges of a row nest, of both kinds: none goes to a lane."""
    return nesting.pairs([(e[4], e[5], None) for _, e in some if e[1] != "mark"]) is not None


def homes(path, some):
    """The range around each range and mark of a row whose ranges nest."""
    ranges = [(e[4], e[5], (path, *e[2:]), at) for at, e in some if e[1] != "mark"]
    result = nesting.pairs([r[:3] for r in ranges])
    points = {r[0] for r in ranges if r[0] == r[1]}
    marks = [(e[4], (path, *e[2:]), at) for at, e in some if e[1] == "mark" and e[4] not in points]
    result.update(nesting.homes_of_marks(ranges, marks))
    return result


def expected(truth):
    return Expected(truth).make()


# --- What is there.


def value_read(value):
    kind, content = value
    if kind == "f":
        return recording.real(content)
    if kind == "struct":
        return (kind, fields_read(content))
    return (kind, tuple(map(value_read, content))) if kind == "array" else value


def fields_read(fields):
    return tuple((name, value_read(value)) for name, value in fields)


def path_of(track):
    return (() if track.parent is None else path_of(track.parent)) + (track.name,)


def lane_of(track, by_uuid):
    """(the row that a track belongs to, "range", "overlap" or "async")"""
    if track.merge_key in (0, track.uuid):
        return track, "range"
    row = by_uuid[track.merge_key]
    name = row.name or "(no name)"
    assert track.name in (name, f"{row.name} (async)"), f"{track.name!r} is a lane of {row.name!r}"
    return row, "overlap" if track.name == name else "async"


def read(path):
    trace = trace_checker.load(path)
    shown, by_uuid = recording.Shown(), {track.uuid: track for track in trace.tracks}
    for track in trace.tracks:
        if track.kind == "counter":
            for time, value, extra in track.annotated:
                value = recording.real(value) if isinstance(value, float) else ("i", value)
                shown.add_sample(path_of(track), track.description, track.unit, time, value,
                                 fields_read(extra))
            continue
        row, lane = lane_of(track, by_uuid)
        row, keys = path_of(row), {}
        for event in track.events:
            end = event.begin if event.instant else event.end
            key = (event.name, event.category, event.begin, end, fields_read(event.annotations))
            kind = "mark" if event.instant else lane
            shown.add_event(row, kind, *key)
            keys[id(event)] = (row, *key)
            if kind == "mark" or event.begin < end:
                around = event.parent
                while around is not None and around.begin == around.end and kind != "mark":
                    around = around.parent
                shown.nesting[keys[id(event)], around and keys[id(around)]] += 1
    shown.clocks = [(clocks[MONOTONIC], clocks.get(REALTIME)) for clocks in trace.clocks]
    return shown


def matched(wanted, shown):
    """Both, without what the rules leave open: lanes and nesting of rows that do not nest."""
    loose, rows = wanted.about.pop("loose"), wanted.about.pop("rows")
    for event in [e for e in shown.events if e[0] in loose and e[1] in LANES[1:]]:
        shown.events[event[0], "range", *event[2:]] += shown.events.pop(event)
    known = {pair[0] for pair in wanted.nesting}
    for pair in [p for p in shown.nesting if p[0] not in known or p[0][0] not in rows]:
        del shown.nesting[pair]
    return wanted, shown
