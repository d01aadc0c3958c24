# SPDX-License-Identifier: Apache-2.0
"""A CTF trace: what of a truth it shows (docs/formats.md, "ctf"), and what babeltrace2 reads of it.

    expected = ctf_format.expected(recording.load("facts.jsonl"))
    shown = ctf_format.read("session.ctf")     # AssertionError, bt2's errors: not as it has to be

A row is the track's names from the root down, each with its kind and numbers, then the process and the
thread that a viewer shows, and whether its times are ticks. Its vpid and vtid are told apart from it: in
a part they differ from those of the whole. The kind of an event is "mark",
"push", "crossing" or "start"; where a row's ranges do not nest, which of them cross is not compared.
"""

import collections
import itertools
import os
import pathlib
import re
import tempfile

import bt2
import nesting
import recording
from rules import numbered, pairs, row_names, shown_as

EXTENSION = ".ctf"
FIRST, LAST = -(2**60), 2**62  # of the clock
# Events, samples and notes of which the sink decides together which ranges nest.
LOT = 32768
OUR_PID, OUR_TID = 2**30, 3 * 2**29
NAME_BYTES, IDENTIFIER_BYTES, DEPTH = 96, 128, 64
VALUE_TYPES = ("", "absolute", "delta", "delta since start")
INTERPOLATIONS = ("", "point", "since last", "until next", "linear")
NOTES = ("track", "stream", "category", "counter")
FLAGS = ("end_is_missing", "begin_is_missing", "end_before_begin")
# Files that are read at once: babeltrace2 has two descriptors for each.
FILES = 400


def in_domain(domain, name):
    return f"{domain}:{name}" if domain else name


# --- What should be there.


def text(value):
    """Rules: "NUL, where a CTF string ends, becomes U+2400"."""
    return value.replace("\0", "\u2400")


def as_shown(row):
    """Rules: names in packets."""
    def cut(name):
        return text(name).encode()[:NAME_BYTES].decode(errors="ignore")
    return (*row[:2], *map(cut, row[2:4]), *row[4:])


class Rows:
    """Rules: "Processes and threads". A row is (vpid, vtid, process, thread, is a process)."""

    def __init__(self, session):
        self.next_pid, self.next_tid = OUR_PID, OUR_TID
        self.processes, self.threads, self.rows = {}, {}, []
        pid = self.new_pid()
        self.session = as_shown((pid, self.new_tid(), session or "session", "session", True))
        self.new_tid()  # of the notes

    @staticmethod
    def is_system_id(number):
        return 0 < number < 2**30

    def new_pid(self):
        self.next_pid += 1
        return self.next_pid - 1

    def new_tid(self):
        self.next_tid += 1
        return self.next_tid - 1

    def add(self, track):
        above = None if track["parent"] < 0 else self.rows[track["parent"]]
        kind = track["kind"].strip()
        make = {"process": self.process, "thread": self.thread}.get(kind, self.scope)
        self.rows.append(as_shown(make(track, above)))

    def process(self, track, _):
        pid, name = track["pid"], track["name"]
        if self.is_system_id(pid):
            self.processes[pid] = self.processes.get(pid) or name
            if name in ("", self.processes[pid]):
                name = self.processes[pid]
                return (pid, self.new_tid(), name, name, True)
        name = numbered(name, "pid", pid)
        return (self.new_pid(), self.new_tid(), name, name, True)

    def process_of(self, track):
        """The one that a thread without a parent is in."""
        pid = track["pid"]
        if self.is_system_id(pid):
            return pid, self.processes.setdefault(pid, "")
        return self.new_pid(), numbered("", "pid", pid)

    def thread(self, track, above):
        tid, name, number = track["tid"], track["name"], track["thread_number"]
        pid, process = self.process_of(track) if above is None else (above[0], above[2])
        own_name = numbered(name, "tid", tid)
        if not self.is_system_id(tid):
            return (pid, self.new_tid(), process, own_name, False)
        if (pid, tid) not in self.threads:
            self.threads[pid, tid] = number
            return (pid, tid, process, name, False)
        if self.threads[pid, tid] != number:
            name = own_name
        elif track["domain"]:
            name = f"{name} ({track['domain']})"
        return (pid, self.new_tid(), process, name, False)

    def scope(self, track, above):
        name = track["name"]
        if above is not None:
            pid, _, process, thread, is_process = above
            return (pid, self.new_tid(), process, name if is_process else f"{thread}/{name}", False)
        if track["kind"] == "stream ":
            return (self.session[0], self.new_tid(), self.session[2], name, False)
        return (self.new_pid(), self.new_tid(), name, name, True)


class Names:
    """Rules: "Names". Of the fields of a struct, as a reader has them."""

    def __init__(self, taken=()):
        self.taken = set(taken)

    def add(self, name):
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:IDENTIFIER_BYTES - 1]
        return self.unique(plain or "unnamed")

    def unique(self, base):
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name


def members(fields, names, depth=0):
    """Rules: "Values"."""
    result = []
    for name, value in fields:
        name = names.add(name)
        value = value_shown(value, depth)
        if value[0] == "array":
            result.append((names.unique(f"_{name}_length"), ("u", len(value[1]))))
        result.append((name, value))
    return tuple(result)


def value_shown(value, depth):
    kind = value[0]
    if kind == "none":
        return ("struct", ())
    if kind not in ("struct", "array"):
        return (kind, text(value[1])) if kind == "s" else value
    if depth == DEPTH:
        return ("s", "(nested too deep to show)")
    if kind == "struct":
        return ("struct", members(value[1], Names(), depth + 1))
    if len({shape(one) for one in value[1]}) > 1:
        return ("array", tuple(("s", text(value_text(one))) for one in value[1]))
    shown = [value_shown(one, depth + 1) for one in value[1]]
    return ("array", tuple(inner_array(one) if one[0] == "array" else one for one in shown))


def inner_array(value):
    """Rules: an array in an array is in a struct."""
    return ("struct", (("_items_length", ("u", len(value[1]))), ("items", value)))


def shape(value):
    """What is equal of values of one layout."""
    kind = value[0]
    if kind == "struct":
        return ("struct", tuple((name, shape(one)) for name, one in value[1]))
    if kind == "array":
        shapes = {shape(one) for one in value[1]}
        return ("array", *shapes) if len(shapes) < 2 else ("texts",)
    return (kind,)


def value_text(value):
    """Rules: "an array whose elements differ in layout is one of texts"."""
    kind = value[0]
    if kind == "struct":
        return "{%s}" % " ".join(f"{name}={value_text(one)}" for name, one in value[1])
    if kind == "array":
        return "[%s]" % " ".join(map(value_text, value[1]))
    assert kind != "f", "the text of a double in an array of texts is not known here"
    return {"none": lambda: "nothing", "address": lambda: hex(value[1])}.get(kind, lambda: str(value[1]))()


def members_of_event(event):
    names = Names(("exact_time", "pair", "message", "category"))
    result = list(members(event["fields"], names))
    ours = [("color", ("address", event["color"]), event["color"]),
            ("category_id", ("u", event["category_id"]), event["category_id"] and not event["category"]),
            ("range_id", ("u", event["range_id"]), event["range_id"])]
    ours += [(flag, ("u", 1), event[flag]) for flag in FLAGS]
    ours += [("written_end", ("i", event["written_end"]), event["end_before_begin"]),
             ("time_domain", ("u", event["time_domain"]), not event["synchronised"])]
    return result + [(names.add(name), value) for name, value, is_there in ours if is_there]


class Times:
    """The times at which notes stand."""

    def __init__(self):
        self.span, self.is_synchronised, self.before = None, False, 0

    def see(self, call, *times):
        if call["synchronised"] and not self.is_synchronised:
            self.span, self.is_synchronised = None, True
        if call["synchronised"] == self.is_synchronised:
            times += self.span or ()
            self.span = (min(times), max(times))

    def first_and_last(self):
        return self.span or (self.before, self.before)


class Expected:
    def __init__(self, truth):
        self.truth, self.shown = truth, recording.Shown()
        self.rows, self.tracks = Rows(truth.session), []
        self.counters, self.streams, self.files = [], {}, []
        self.ranges, self.marks = collections.defaultdict(list), collections.defaultdict(list)
        self.told, self.numbers = collections.defaultdict(list), set()
        self.times, self.losses, self.clock = Times(), collections.Counter(), None
        self.is_one_lot, self.places = len(truth.calls) < LOT, itertools.count()

    def make(self):
        steps = {"track": self.track, "stream": self.stream, "category": self.category, "counter": self.counter,
                 "clock point": self.clock_point, "event": self.event, "sample": self.sample, "loss": self.loss,
                 "problem": self.problem}
        for call in self.truth.calls:
            steps.get(call["fact"], lambda _: None)(call)
        self.nesting()
        about = self.shown.about
        first, last = self.times.first_and_last()
        if self.told or self.shown.events or self.shown.samples or self.losses:
            about["session"] = text(self.truth.session)
            self.shown.clocks = [("clock", self.clock)] + sorted(self.told["clock_point"])
        about["problems"] = [(*told, last) for told in sorted(self.told.pop("problem", []))]
        # Of more than one lot it depends on the lots.
        about["notes begin"] = first if self.is_one_lot and any(self.told.values()) else None
        about.update(losses=self.losses, numbers=self.numbers, **{what: sorted(self.told[what]) for what in NOTES})
        return self.shown

    def track(self, call):
        self.rows.add(call)
        kind, name, domain = call["kind"].strip(), text(call["name"]), text(call["domain"])
        about = (kind, name, domain, call["pid"], call["tid"], call["thread_number"])
        self.tracks.append((call["parent"], *about))
        self.told["track"].append((call["id"], call["parent"], *about))

    def row(self, track, synchronised):
        pid, tid, process, thread, _ = self.rows.session if track < 0 else self.rows.rows[track]
        row = (row_names(self.tracks, track), process, thread, "clock" if synchronised else "ticks")
        self.numbers.add((row, pid, tid))
        return row

    def stream(self, call):
        self.streams.setdefault(call["name"], call["id"])
        self.files.append("track_notes")
        self.told["stream"].append((call["id"], text(call["name"]), text(call["domain"])))

    def category(self, call):
        self.told["category"].append((call["id"], text(call["name"]), text(call["domain"])))

    def counter(self, call):
        name, domain = text(call["name"]), text(call["domain"])
        self.counters.append((call["parent"], in_domain(domain, f"counter:{name}")))
        limits = []
        for limit in ("minimum", "maximum"):
            limits += [int(limit in call), recording.real(call.get(limit, 0))]
        self.told["counter"].append((call["id"], call["parent"], name, text(call["unit"]), text(call["description"]),
                                     domain, VALUE_TYPES[call["value_type"]], INTERPOLATIONS[call["interpolation"]],
                                     *limits))

    def clock_point(self, call):
        difference = call["realtime"] - call["monotonic"]
        if self.clock is None and abs(difference) < LAST:
            self.clock = difference
            if self.times.span is None:
                self.times.before = call["monotonic"]
        self.told["clock_point"].append((call["monotonic"], call["realtime"]))

    def problem(self, call):
        self.told["problem"].append((text(call["sentence"]), call["count"]))

    def loss(self, call):
        if call["events"]:
            file = self.files[self.streams[call["lost_stream"]]] if call["lost_stream"] in self.streams else "track_notes"
            self.losses[file + ("" if call["synchronised"] else ".ticks")] += call["events"]

    def event(self, call):
        self.files[call["stream_id"]] = f"track_{call['track_id']}"
        self.times.see(call, call["begin"], call["end"])
        row = self.row(call["track_id"], call["synchronised"])
        kind = {"mark": "mark", "push-pop": "push", "start-end": "start"}[call["kind"]]
        category, domain = text(call["category"]), text(call["domain"])
        columns = pairs([("category", category or None), ("domain", domain)])
        event = self.shown.add_event(row, kind, text(call["message"]), shown_as(category, domain), call["begin"],
                                     call["end"], columns + members_of_event(call))
        if kind != "start":
            where = self.marks if kind == "mark" else self.ranges
            where[call["track_id"], row].append((call["begin"], call["end"], event, next(self.places)))

    def sample(self, call):
        self.times.see(call, call["time"])
        track, name = self.counters[call["counter_id"]]
        value = call["value"] if call["has_value"] else ("reason", call["reason"])
        extra = [] if call["synchronised"] else [("time_domain", ("u", call["time_domain"]))]
        self.shown.add_sample(self.row(track, call["synchronised"]), name, "", call["time"], value, extra)

    def nesting(self):
        loose = set()
        for key in {*self.ranges, *self.marks}:
            ranges, marks = self.ranges[key], self.marks[key]
            tree = nesting.pairs([one[:3] for one in ranges]) if self.is_one_lot else None
            if tree is None:
                loose.add(key[1])
                continue
            self.shown.nesting.update(tree)
            points = {begin for begin, end, *_ in ranges if begin == end}
            self.shown.nesting.update(nesting.homes_of_marks(
                ranges, [(time, event, at) for time, _, event, at in marks if time not in points]))
        self.shown.about["loose"] = loose


def expected(truth):
    return Expected(truth).make()


# --- What is there.

KINDS = re.compile(r"(?:(.*):)?(mark|push|pop|crossing_push|crossing_pop|start|end)", re.DOTALL)
BEGINS = {"push": "push", "crossing_push": "crossing", "start": "start"}


def text_read(field):
    """babeltrace2 2.0.4 has an older text where it says that there are no characters."""
    return str(field) if len(field) else ""


def value_read(field):
    if isinstance(field, bt2._StringFieldConst):
        return ("s", text_read(field))
    if isinstance(field, bt2._EnumerationFieldConst):
        (one,) = field.labels
        return ("s", one)
    if isinstance(field, bt2._SignedIntegerFieldConst):
        return ("i", int(field))
    if isinstance(field, bt2._UnsignedIntegerFieldConst):
        is_address = field.cls.preferred_display_base == bt2.IntegerDisplayBase.HEXADECIMAL
        return ("address" if is_address else "u", int(field))
    if isinstance(field, bt2._RealFieldConst):
        return recording.real(float(field))
    if isinstance(field, bt2._StructureFieldConst):
        return ("struct", tuple(fields_read(field).items()))
    assert isinstance(field, bt2._ArrayFieldConst), type(field)
    return ("array", tuple(map(value_read, field)))


def fields_read(struct):
    return {name: value_read(struct[name]) for name in struct}


class Range:
    """One whose begin was read."""

    def __init__(self, file, kind, domain, message, category, begin, fields, around):
        self.file, self.kind, self.domain, self.message, self.category = file, kind, domain, message, category
        self.begin, self.fields, self.around, self.end = begin, fields, around, None

    def has_length(self):
        return self.end > self.begin


class Reader:
    def __init__(self, path):
        self.shown, self.tracks, self.notes = recording.Shown(), [], collections.defaultdict(list)
        self.labels, self.losses = {}, collections.Counter()  # by file: (vpid, vtid) and names
        self.all, self.samples = [], []
        self.open = collections.defaultdict(list)  # by file: pushes
        self.pairs, self.pair_numbers = {}, set()
        self.clock, self.note_times = None, []
        for group in groups(path):
            self.read(group)

    def read(self, path):
        place = {}  # by stream: its file, and that of the track
        for message in bt2.TraceCollectionMessageIterator(path):
            if isinstance(message, bt2._EventMessageConst):
                event = message.event
                self.event(event, message.default_clock_snapshot, place[event.stream.id][1])
            elif isinstance(message, bt2._StreamBeginningMessageConst):
                file = os.path.basename(message.stream.name)
                place[message.stream.id] = (file, re.sub(r"\.(late|large)\.\d+$", "", file))
                self.trace(message.stream)
            elif isinstance(message, bt2._PacketBeginningMessageConst):
                context = message.packet.context_field
                names = (text_read(context["procname"]), text_read(context["track"]))
                self.same(place[message.packet.stream.id][1], 1, names)
            elif isinstance(message, bt2._DiscardedEventsMessageConst):
                self.losses[place[message.stream.id][0]] += message.count

    def same(self, base, at, what):
        """All files of a track say the same of it."""
        known = self.labels.setdefault(base, [None, None])
        known[at] = known[at] or what
        assert known[at] == what, f"{base}: {what} after {known[at]}"

    def trace(self, stream):
        environment, clock = stream.trace.environment, stream.cls.default_clock_class
        assert environment["domain"] == "ust" and clock.name == "monotonic", (dict(environment), clock.name)
        self.shown.about["session"] = str(environment["trace_name"])
        assert clock.frequency == 10**9
        offset = clock.offset.seconds * 10**9 + clock.offset.cycles - FIRST
        assert clock.origin_is_unix_epoch or offset == 0
        self.clock = offset
        self.shown.clocks = [("clock", offset if clock.origin_is_unix_epoch else None)]

    def event(self, event, clock, base):
        name, fields = event.name, fields_read(event.payload_field)
        numbers = event.common_context_field
        self.same(base, 0, (int(numbers["vpid"]), int(numbers["vtid"])))
        time = clock.value + FIRST
        assert clock.ns_from_origin == time + self.clock
        if "exact_time" in fields:
            (_, exact) = fields.pop("exact_time")
            assert exact != time == min(max(exact, FIRST), LAST), f"{exact} stands at {time}"
            time = exact
        if base == "track_notes":
            return self.note(time, name, fields)
        kind = KINDS.fullmatch(name)
        if kind is None or self.is_sample(kind[1], fields):
            return self.sample(base, time, name, fields)
        return self.place(base, time, kind[2], kind[1] or "", fields)

    @staticmethod
    def is_sample(domain, fields):
        """A counter may be called "mark", and a domain "counter"."""
        return (f":{domain}").endswith(":counter") and {*fields} - {"time_domain"} in ({"value"}, {"no_value_reason"})

    def note(self, time, name, fields):
        what, values = name.removeprefix("ringscribe:"), tuple(value[1] if value[0] != "f" else value
                                                               for value in fields.values())
        if what == "problem":
            values += (time,)
        else:
            self.note_times.append(time)
        self.notes[what].append(values)

    def sample(self, base, time, name, fields):
        if name == "ringscribe:sample":
            name = fields.pop("counter")[1]
        ticks = [("time_domain", fields.pop("time_domain"))] if base.endswith(".ticks") else []
        ((what, value),) = fields.items()
        if what != "value":
            assert what == "no_value_reason", name
            value = ("reason", value[1])
        self.samples.append((base, name, time, value, ticks))

    def place(self, base, time, kind, domain, fields):
        stack, pair = self.open[base], fields.pop("pair", None)
        assert (pair is None) == (kind in ("mark", "push", "pop")), f"{kind} with pair {pair}"
        assert fields.get("message") != ("s", ""), f"an empty message of {kind}"
        message = fields.pop("message", ("s", ""))[1]
        if kind in ("pop", "crossing_pop", "end"):
            begun = stack.pop() if kind == "pop" else self.pairs.pop(pair)
            right = {"push": "pop", "crossing": "crossing_pop", "start": "end"}[begun.kind]
            assert (begun.message, begun.domain, right, fields) == (message, domain, kind, {}), \
                f"{kind} of {message!r} after {begun.kind} of {begun.message!r}"
            begun.end = time
            return
        category = fields.pop("category", ("s", None))[1]
        begun = Range(base, BEGINS.get(kind, kind), domain, message, category, time, tuple(fields.items()),
                      stack[-1] if stack else None)
        self.all.append(begun)
        if kind == "mark":
            begun.end = time
        elif kind == "push":
            stack.append(begun)
        else:
            assert pair not in self.pair_numbers, f"pair {pair} is another's, too"
            self.pair_numbers.add(pair)
            self.pairs[pair] = begun

    def row(self, base):
        number = re.fullmatch(r"track_(\d+|session)(\.ticks)?", base)
        names = () if number[1] == "session" else row_names(self.tracks, int(number[1]))
        return (names, *self.labels[base][1], "ticks" if number[2] else "clock")

    def finish(self):
        shown, notes = self.shown, self.notes
        assert not self.pairs and not any(self.open.values()), "a range without end"
        self.tracks = [(parent, *rest) for _, parent, *rest in sorted(notes["track"])]
        rows = {base: self.row(base) for base in self.labels if base != "track_notes"}
        events = {id(one): shown.add_event(
            rows[one.file], one.kind, one.message, shown_as(one.category, one.domain), one.begin, one.end,
            (*pairs([("category", one.category), ("domain", one.domain)]), *one.fields)) for one in self.all}
        for one in self.all:
            if one.kind == "mark" or one.kind == "push" and one.has_length():
                around = one.around
                while around is not None and not around.has_length() and one.kind == "push":
                    around = around.around
                shown.nesting[events[id(one)], around and events[id(around)]] += 1
        for base, name, *rest in self.samples:
            shown.add_sample(rows[base], name, "", *rest)
        shown.clocks += sorted(notes["clock_point"])
        shown.about["problems"] = sorted(notes["problem"])
        shown.about["notes begin"] = min(self.note_times, default=None)
        numbers = {(row, *self.labels[base][0]) for base, row in rows.items() if self.labels[base][0]}
        shown.about.update(losses=self.losses, numbers=numbers, **{what: sorted(notes[what]) for what in NOTES})
        return shown


def groups(path):
    """Folders that have together what the trace has: as many files as may be open at once."""
    tracks = collections.defaultdict(list)
    for file in pathlib.Path(path).iterdir():
        assert re.fullmatch(r"metadata|track_(\d+|session|notes)(\.ticks)?(\.(late|large)\.\d+)?", file.name), file
        if file.name != "metadata":
            tracks[file.name.split(".")[0]].append(file)
    if sum(map(len, tracks.values())) <= FILES:
        yield str(path)
        return
    while tracks:
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            files = [pathlib.Path(path, "metadata")]
            while tracks and len(files) <= FILES:
                files += tracks.popitem()[1]
            for file in files:
                pathlib.Path(folder, file.name).symlink_to(file.absolute())
            yield folder


def read(path):
    return Reader(path).finish()


def matched(wanted, shown):
    """Both, without what the rules leave open: which ranges cross, of rows that do not nest."""
    loose = wanted.about.pop("loose")
    for event in [e for e in shown.events if e[0] in loose and e[1] == "crossing"]:
        shown.events[event[0], "push", *event[2:]] += shown.events.pop(event)
    known = {pair[0] for pair in wanted.nesting}
    for pair in [p for p in shown.nesting if p[0] not in known]:
        del shown.nesting[pair]
    if wanted.about["notes begin"] is None:
        shown.about["notes begin"] = None
    return wanted, shown
