# SPDX-License-Identifier: Apache-2.0
"""An SQLite database: what of a truth it shows (docs/formats.md, "sqlite"), and what a file does.

    expected = sqlite_format.expected(recording.load("facts.jsonl"))
    shown = sqlite_format.read("session.sqlite")     # AssertionError: it is not sound

A row is the track's names from the root down, each with its kind and numbers. Nothing is moved or
split; what lies around a range is what the view range_nesting says.
"""

import collections
import sqlite3

import nesting
import recording
from rules import pairs, row_names, shown_as

EXTENSION = ".sqlite"
INT64_MAX = 2**63 - 1
KINDS = {"mark": "mark", "push-pop": "push_pop", "start-end": "start_end"}
SAMPLE = ("missing", "time_domain", "stream")
FLAGS = ("end_is_missing", "begin_is_missing", "end_before_begin")


def whole(number):
    """Rules: "From 2^63 up they are decimal text"."""
    return number if number <= INT64_MAX else str(number)


def counted(number):
    return None if number == 0 else whole(number)


# --- What should be there.


def rows_of(fields, path=""):
    """Rules: "A value inside structs and arrays is a row with a path"."""
    for name, value in fields:
        name = name or "(unnamed)"
        yield from rows_of_value(value, f"{path}.{name}" if path else name)


def rows_of_value(value, path):
    kind = value[0]
    if kind == "struct" and value[1]:
        yield from rows_of(value[1], path)
    elif kind == "array" and value[1]:
        for i, one in enumerate(value[1]):
            yield from rows_of_value(one, f"{path}[{i}]")
    elif kind in ("struct", "array", "none"):
        yield (path, kind, None)
    elif kind == "i":
        yield (path, "integer", value[1])
    elif kind == "u":
        yield (path, "unsigned", whole(value[1]))
    elif kind == "address":
        yield (path, "address", hex(value[1]))
    elif kind == "f":
        yield (path, "real", None if value[1] == "nan" else value)
    else:
        yield (path, "text", value[1])


def expected(truth):
    shown = recording.Shown()
    tracks, counters, streams, names = [], [], [], {}
    for call in truth.calls:  # a later name is that of the earlier events, too
        if call["fact"] == "category" and call["name"]:
            names[call["domain"], call["id"]] = call["name"]
        if call["fact"] == "event" and call["category"]:
            names[call["domain"], call["category_id"]] = call["category"]
    problems, losses, ranges = [], [], collections.defaultdict(list)
    for call in truth.calls:
        fact = call["fact"]
        if fact == "track":
            kind = call["kind"].strip()
            tracks.append((call["parent"], kind, call["name"], call["domain"], call["pid"], call["tid"],
                           call["thread_number"]))
        elif fact == "stream":
            streams.append(call["name"])
        elif fact == "counter":
            counters.append((row_names(tracks, call["parent"]), call["name"], call["unit"]))
        elif fact == "event":
            category = names.get((call["domain"], call["category_id"]))
            about = [("category", category), ("category_number", call["category_id"] or None),
                     ("domain", call["domain"]), ("stream", streams[call["stream_id"]]),
                     ("color", f"#{call['color']:08X}" if call["color"] else None),
                     ("range_id", counted(call["range_id"]))]
            about += [(flag, int(call[flag])) for flag in FLAGS]
            about.append(("written_end_ns", call["written_end"] if call["end_before_begin"] else None))
            about.append(("time_domain", None if call["synchronised"] else whole(call["time_domain"])))
            event = shown.add_event(row_names(tracks, call["track_id"]), KINDS[call["kind"]], call["message"],
                            shown_as(category, call["domain"]), call["begin"], call["end"],
                            pairs(about) + [(path, tuple(typed)) for path, *typed in rows_of(call["fields"])])
            if call["kind"] == "push-pop":
                ranges[call["track_id"]].append((call["begin"], call["end"], event))
        elif fact == "sample":
            row, name, unit = counters[call["counter_id"]]
            is_nan = call["has_value"] and call["value"] == recording.real("nan")
            missing = "NaN" if is_nan else None if call["has_value"] else reason(call["reason"])
            value = None if missing is not None else call["value"] if call["is_floating"] else call["value"][1]
            ticks = None if call["synchronised"] else whole(call["time_domain"])
            shown.add_sample(row, name, unit, call["time"], value,
                             pairs(zip(SAMPLE, (missing, ticks, streams[call["stream_id"]]))))
        elif fact == "clock point":
            shown.clocks.append((call["monotonic"], call["realtime"]))
        elif fact == "problem":
            problems.append((call["sentence"], whole(call["count"])))
        elif fact == "loss":
            losses.append((call["lost_stream"], call["cause"], whole(call["events"]), call["time"],
                           int(call["synchronised"])))
    loose = set()
    for track, several in ranges.items():
        tree = nesting.pairs(several)
        if tree is None:  # an approximation, by the rules
            loose.add(row_names(tracks, track))
        shown.nesting.update(tree or {})
    shown.about.update(loose=loose, session=truth.session, problems=problems, losses=losses, complete=1)
    return shown


def reason(number):
    return {0: "zero", 1: "unchanged", 2: "unavailable"}.get(number, f"reason {number}")


# --- What is there.


def value_read(value):
    return recording.real(value) if isinstance(value, float) else value


def read(path):
    connection = sqlite3.connect(path)
    try:
        return read_open(connection)
    finally:
        connection.close()


def read_open(connection):
    ask = connection.execute
    assert ask("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert ask("PRAGMA foreign_key_check").fetchall() == []
    shown = recording.Shown()
    tracks = {number: rest for number, *rest in ask(
        "SELECT t.id, parent_id, kind, t.name, d.name, coalesce(pid, 0), coalesce(tid, 0),"
        " coalesce(thread_number, 0) FROM tracks t JOIN domains d ON d.id = t.domain_id")}
    fields = {}
    for event, path, kind, value in ask("SELECT event_id, path, type, value FROM fields ORDER BY event_id, position"):
        fields.setdefault(event, []).append((path, (kind, value_read(value))))
    about = ("category", "category_number", "domain", "stream", "color", "range_id", *FLAGS, "written_end_ns", "time_domain")
    events = {}
    for number, track, kind, name, begin, end, *rest in ask(
            "SELECT id, track_id, kind, name, begin_ns, end_ns, " + ", ".join(about) + " FROM events"):
        told = dict(zip(about, rest))
        events[number] = shown.add_event(row_names(tracks, track), kind, name,
                                         shown_as(told["category"], told["domain"]), begin, end,
                                         pairs(told.items()) + fields.pop(number, []))
    assert not fields, "fields of events that there are not"
    for number, parent in ask("SELECT n.id, parent_id FROM range_nesting n JOIN ranges r ON r.id = n.id"
                              " WHERE duration_ns != 0"):
        shown.nesting[events[number], events.get(parent)] += 1
    for track, name, unit, time, value, *rest in ask(
            "SELECT track_id, counter, unit, time_ns, value, missing, time_domain, stream FROM counter_samples"):
        shown.add_sample(row_names(tracks, track), name, unit, time, value_read(value), pairs(zip(SAMPLE, rest)))
    shown.clocks = ask("SELECT monotonic_ns, realtime_ns FROM clock_points ORDER BY id").fetchall()
    ((name, complete),) = ask("SELECT name, is_complete FROM sessions")
    shown.about.update(
        session=name, complete=complete,
        problems=ask("SELECT sentence, count FROM problems ORDER BY id").fetchall(),
        losses=ask("SELECT stream, cause, events, time_ns, is_synchronised FROM losses ORDER BY id").fetchall())
    return shown


def matched(wanted, shown):
    """Both, without the nesting of rows whose ranges cut each other."""
    loose = wanted.about.pop("loose")
    for one in (wanted, shown):
        for pair in [p for p in one.nesting if p[0][0] in loose]:
            del one.nesting[pair]
    return wanted, shown
