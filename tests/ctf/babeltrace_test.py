# SPDX-License-Identifier: Apache-2.0
"""What the CTF sink writes is what babeltrace2 reads, whenever the writer died.

    babeltrace_test.py WRITER MANY LIBRARY

WRITER: //backends/ctf:write_sample_traces, MANY: //backends/ctf:write_many_events, LIBRARY:
//backends:libringscribe_backend.so. Values are compared through babeltrace2's library, which has
every bit of them; the command's text is looked at for what a user sees.
"""

import collections
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import bt2
from nvtx.writer import Session, load_backend

WRITER, MANY, LIBRARY = "", "", ""
ODD_NAMES = [
    "",
    'operator""_kg',
    "C:\\tmp\\x",
    "a\u2400b\x01\x1f\x7f\r\n\t",
    "\ufffd\ufffd",
    "\u2028 and \u2029",
    "\U0001f600 h\u00e9llo",
    "</script>",
    ',"args":{"x":1}}',
    '"' * 65537,
]
INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1
# The clock's reach: docs/formats.md.
FIRST, LAST = -(2**60), 2**62

Event = collections.namedtuple("Event", "time name fields context packet stream")


def python_value(field):
    """The value of a babeltrace2 field as Python's own types; an enumeration as (number, labels)."""
    if field is None:
        return None
    if isinstance(field, bt2._StructureFieldConst):
        return {name: python_value(field[name]) for name in field}
    if isinstance(field, bt2._ArrayFieldConst):
        return [python_value(item) for item in field]
    if isinstance(field, bt2._EnumerationFieldConst):
        return int(field), list(field.labels)
    if isinstance(field, bt2._IntegerFieldConst):
        return int(field)
    if isinstance(field, bt2._RealFieldConst):
        return float(field)
    return str(field)


class Trace:
    """All events of a trace in the order of the reader, and the losses that it reports."""

    def __init__(self, path):
        self.events = []
        self.losses = collections.Counter()
        for message in bt2.TraceCollectionMessageIterator(path):
            if isinstance(message, bt2._DiscardedEventsMessageConst):
                self.losses[os.path.basename(message.stream.name)] += message.count
            if not isinstance(message, bt2._EventMessageConst):
                continue
            event = message.event
            self.events.append(
                Event(
                    message.default_clock_snapshot.ns_from_origin,
                    event.name,
                    python_value(event.payload_field),
                    python_value(event.common_context_field),
                    python_value(event.packet.context_field),
                    os.path.basename(event.stream.name),
                )
            )

    def named(self, *names):
        return [event for event in self.events if event.name in names]


def bits(number):
    return struct.pack("<d", number)


def run_babeltrace(path):
    return subprocess.run(["babeltrace2", path], capture_output=True)


class BabeltraceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        subprocess.run([WRITER, cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path_of(self, name):
        return os.path.join(self.folder.name, name + ".ctf")

    def load(self, name):
        return Trace(self.path_of(name))

    def test_the_command_takes_every_trace_without_a_word(self):
        for name in ("odd", "values", "counters", "empty"):
            result = run_babeltrace(self.path_of(name))
            self.assertEqual((result.returncode, result.stderr), (0, b""), name)

    def test_the_command_shows_what_was_written(self):
        text = run_babeltrace(self.path_of("values")).stdout.decode()
        self.assertRegex(
            text,
            r"\[00:00:00\.000005000\] .* io:push: \{ procname = \"values\", track = \"orders\" \}, "
            r"\{ vpid = 1073741824, vtid = \d+ \}, \{ message = \"values\", "
            r"min = -9223372036854775808, max = 9223372036854775807, uint = 18446744073709551615, "
            r"address = 0xDEADBEEF, one = 1, minus_zero = -0, subnormal = 4\.94066e-324, ",
        )
        self.assertIn(r'state = ( "RUN \"it\"" : container = 1 )', text)
        odd = run_babeltrace(self.path_of("odd")).stdout.decode()
        self.assertIn(r'message = "a␀b\x01\x1f\x7f\r\n\t"', odd)

    def test_only_this_user_may_read_it(self):
        path = self.path_of("odd")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o700)
        for name in os.listdir(path):
            self.assertEqual(os.stat(os.path.join(path, name)).st_mode & 0o777, 0o600)

    def test_an_empty_session_is_a_trace_without_events(self):
        self.assertEqual(self.load("empty").events, [])
        self.assertEqual(os.listdir(self.path_of("empty")), ["metadata"])

    def test_odd_names_come_back_as_messages_categories_and_values(self):
        events = self.load("odd").events
        for kinds in (("mark",), ("push", "crossing_push"), ("start",)):
            found = [e for e in events if e.name in kinds and "category" in e.fields]
            self.assertEqual([e.fields["message"] for e in found], ODD_NAMES[1:])
            numbers = [e.time - 4000 for e in found]
            for event, name, number in zip(found, ODD_NAMES[1:], numbers):
                self.assertEqual(event.fields["category"], name)
                self.assertEqual(list(event.fields.values())[-2:], [name, number])
            unnamed = [e for e in events if e.name in kinds and e.fields.get("unnamed") == ""]
            self.assertEqual(len(unnamed), 1)
            self.assertNotIn("message", unnamed[0].fields)

    def test_odd_names_are_names_of_domains(self):
        names = [e.name for e in self.load("odd").events if e.fields.get("message") == "in a domain"]
        self.assertEqual(names, ["mark", *(name + ":mark" for name in ODD_NAMES[1:])])

    def test_the_metadata_has_the_names_as_they_were(self):
        with open(os.path.join(self.path_of("odd"), "metadata"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("/* CTF 1.8 */\n"))
        for comment in (r'/* "C:\\tmp\\x" */', '/* "\U0001f600 h\u00e9llo" */', '/* "" */'):
            self.assertIn("; " + comment, text)

    def test_values_keep_every_bit(self):
        (event,) = self.load("values").named("io:push")
        fields = event.fields
        self.assertEqual((fields["min"], fields["max"]), (INT64_MIN, INT64_MAX))
        self.assertEqual((fields["uint"], fields["address"]), (UINT64_MAX, 0xDEADBEEF))
        numbers = {"one": 1.0, "minus_zero": -0.0, "subnormal": 5e-324, "third": 1 / 3}
        for name, value in {**numbers, "huge": sys.float_info.max}.items():
            self.assertEqual(bits(fields[name]), bits(value), name)
        self.assertTrue(math.isnan(fields["nan"]))
        self.assertEqual((fields["inf"], fields["minus_inf"]), (math.inf, -math.inf))
        inner = {"x": 1, "x_2": 0.5, "unnamed": {}}
        self.assertEqual(fields["struct"], inner)
        self.assertEqual(fields["int"], [1, INT64_MIN, INT64_MAX])
        self.assertEqual(fields["mixed"], ["1", "{x=1 x=0.5 =nothing}"])
        self.assertEqual(fields["structs"], [inner, inner])
        items = {"_items_length": 3, "items": [1, INT64_MIN, INT64_MAX]}
        self.assertEqual(fields["arrays"], [items, items])
        self.assertEqual((fields["empty"], fields["nothing"], fields["none"]), ([], {}, {}))
        deep = fields["deep"]
        depth = 0
        while isinstance(deep, dict):
            deep, depth = deep["deep"], depth + 1
        self.assertEqual((deep, depth), ("(nested too deep to show)", 64))
        self.assertEqual((fields["message"], fields["message_2"]), ("values", 8))
        self.assertEqual((fields["color"], fields["color_2"], fields["pair_2"]), (7, 0x8000FF7F, 9))

    def test_an_enumeration_has_number_and_label(self):
        states = [e.fields["state"] for e in self.load("values").events if "state" in e.fields]
        self.assertEqual(
            states,
            [
                (1, ['RUN "it"']),
                (UINT64_MAX, ["STOP"]),
                (1, ['RUN "it"']),
                {"number": 1, "name": "A second name"},
                {"number": UINT64_MAX, "name": "STOP"},
            ],
        )

    def test_what_is_out_of_the_ordinary_is_in_fields(self):
        trace = self.load("values")
        (begin,), (end,) = trace.named("start"), trace.named("end")
        self.assertEqual(
            begin.fields,
            {
                "pair": end.fields["pair"],
                "message": "flags",
                "category_id": 9,
                "range_id": UINT64_MAX,
                "end_is_missing": 1,
                "begin_is_missing": 1,
                "end_before_begin": 1,
                "written_end": INT64_MIN,
                "time_domain": UINT64_MAX,
            },
        )
        self.assertEqual(end.fields["message"], "flags")
        self.assertTrue(begin.stream.endswith(".ticks"))

    def test_samples_keep_their_values(self):
        trace = self.load("counters")
        load = [e.fields["value"] for e in trace.named("counter:load")]
        self.assertEqual([bits(v) for v in load[:4]], [bits(v) for v in (0.25, -0.0, 5e-324, 1e308)])
        self.assertTrue(math.isnan(load[4]))
        self.assertEqual(load[5:], [math.inf, -math.inf])
        depth = [e.fields for e in trace.named("io:counter:depth")]
        self.assertCountEqual(
            [str(f) for f in depth],
            [str(f) for f in ({"value": INT64_MAX}, {"value": INT64_MIN}, {"value": 0})]
            + [str({"no_value_reason": 2}), str({"value": -5, "time_domain": 5})],
        )
        (about,) = [e.fields for e in trace.named("ringscribe:counter") if e.fields["counter"] == 0]
        self.assertEqual((about["unit"], about["description"]), ("orders", "how deep"))

    def test_tracks_have_the_systems_numbers_and_names(self):
        trace = self.load("odd")
        places = {}
        for event in trace.named("push", "crossing_push"):
            if event.fields.get("message") == "parent":
                place = (event.packet["procname"], event.packet["track"])
                places[event.stream] = (*place, event.context["vpid"], event.context["vtid"])
        self.assertEqual(places["track_1"], ("engine", "worker", 4000, 4001))
        self.assertEqual(places["track_10"], ("engine", "late", 4000, 4002))
        self.assertEqual(places["track_2"][:3], ("engine", "second (tid 4001)", 4000))
        self.assertEqual(places["track_3"][:3], ("engine", "worker (io)", 4000))
        self.assertEqual(places["track_8"][0], "other (pid 4000)")
        self.assertEqual(places["track_6"][:2], ("Node[0]", "GPU[1]"))
        self.assertEqual(len({place[2:] for place in places.values()}), 11)
        for number in (2, 3, 5, 6):
            self.assertGreaterEqual(places[f"track_{number}"][3], 2**30)
        announced = [e.fields for e in trace.named("ringscribe:track")]
        self.assertEqual([t["track"] for t in announced], list(range(11)))
        self.assertEqual(announced[1]["thread_number"], 1)
        (problem,) = trace.named("ringscribe:problem")
        self.assertEqual(
            problem.fields, {"message": 'a payload could not be "decoded"', "count": 3}
        )

    def test_the_first_clock_point_makes_times_utc_and_all_are_kept(self):
        trace = self.load("odd")
        points = [tuple(e.fields.values()) for e in trace.named("ringscribe:clock_point")]
        self.assertEqual(points, [(2000, 6000), (3000, 7000), (INT64_MAX, INT64_MIN)])
        self.assertEqual(trace.named("mark")[0].time, 0 + 4000)

    def test_times_are_exact_or_in_a_field(self):
        counts = collections.Counter()
        ends = {}

        def check(event, written):
            nearest = min(max(written, FIRST), LAST)
            self.assertEqual(event.time, nearest)
            self.assertEqual(event.fields.get("exact_time"), written if written != nearest else None)

        last = INT64_MIN
        trace = self.load("times")
        for event in trace.events:
            self.assertGreaterEqual(event.time, last)
            last = event.time
            if "begin" in event.fields:
                counts[event.name] += 1
                check(event, int(event.fields["begin"]))
                if "pair" in event.fields:
                    ends[event.fields["pair"]] = int(event.fields["end"])
        for event in trace.named("end", "crossing_pop"):
            check(event, ends.pop(event.fields["pair"]))
        self.assertEqual(ends, {})
        self.assertEqual(counts["mark"], 17)
        self.assertEqual(counts["start"], 153)
        self.assertEqual(counts["push"] + counts["crossing_push"], 153)
        self.assertGreater(counts["push"], 20)
        self.assertEqual(len(trace.named("pop")), counts["push"])

    def test_ranges_of_many_lots_nest_in_what_the_reader_makes_of_all_files(self):
        for name in ("lots", "forgotten"):
            trace = self.load(name)
            self.assertTrue(any(".late." in e.stream for e in trace.events), name)
            stacks = collections.Counter()
            kinds = collections.Counter()
            for event in trace.events:
                kinds[event.name] += 1
                thread = event.context["vtid"]
                stacks[thread] += {"push": 1, "pop": -1}.get(event.name, 0)
                self.assertGreaterEqual(stacks[thread], 0, f"{name}: a pop before its push")
            self.assertEqual(set(stacks.values()), {0})
            self.assertEqual(kinds["push"], kinds["pop"])
            self.assertEqual(kinds["crossing_push"], kinds["crossing_pop"])
            self.assertGreater(kinds["push"], kinds["crossing_push"])

    def test_a_file_is_in_order(self):
        for name in ("odd", "times", "lots", "forgotten"):
            last = {}
            for event in self.load(name).events:
                self.assertGreaterEqual(event.time, last.get(event.stream, INT64_MIN))
                last[event.stream] = event.time

    def test_lost_events_are_reported(self):
        trace = self.load("losses")
        self.assertEqual(trace.losses, {"track_0": 4 * 7 + 100, "track_notes": 5})
        self.assertEqual(len(trace.named("mark")), 1000)
        text = run_babeltrace(self.path_of("losses")).stderr.decode()
        self.assertEqual(text.count("Tracer discarded 7 events"), 3)
        self.assertEqual(text.count("Tracer discarded 5 events"), 1)
        self.assertNotIn("may have", text)

    def test_every_track_of_300_has_its_events(self):
        path = os.path.join(self.folder.name, "300.ctf")
        subprocess.run([MANY, "--tracks", "300", path], check=True)
        trace = Trace(path)
        events = collections.defaultdict(list)
        for event in trace.named("mark"):
            self.assertEqual(event.stream, f"track_{event.fields['track']}")
            self.assertEqual(event.fields["message"], f"t{event.fields['track']}")
            events[event.fields["track"]].append(event.time)
        self.assertEqual(events, {track: [track, 1000 + track] for track in range(300)})

    def test_20000_tracks_need_a_handful_of_descriptors(self):
        path = os.path.join(self.folder.name, "20000.ctf")
        limited = ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", MANY]
        subprocess.run([*limited, "--tracks", "20000", path], check=True)
        names = [n for n in os.listdir(path) if re.fullmatch(r"track_\d+", n)]
        self.assertEqual(len(names), 20000)
        # The reader has two descriptors for each file: it is given some of them.
        for name in names[200:]:
            os.unlink(os.path.join(path, name))
        self.assertEqual(len(Trace(path).named("mark")), 400)

    def test_a_killed_process_leaves_a_whole_trace(self):
        """Each track numbers its events: none is missing, whenever the kill came."""
        chance = random.Random(5)
        total = large = 0
        for attempt in range(30):
            path = os.path.join(self.folder.name, f"killed{attempt}.ctf")
            process = subprocess.Popen([MANY, "--endless", path])
            time.sleep(chance.uniform(0.003, 0.06))
            process.kill()
            process.wait()
            if not os.path.exists(os.path.join(path, "metadata")):
                continue  # killed before it began
            result = run_babeltrace(path)
            self.assertEqual((result.returncode, result.stderr), (0, b""))
            times = collections.defaultdict(dict)  # by number, by track
            for line in result.stdout.decode().splitlines():
                found = re.search(r"field_\d+ = (\d+), number = (\d+) }$", line)
                if found:
                    moment, number = int(found[1]), int(found[2])
                    times[moment % 3][number] = moment
                    large += moment % 1000 == 0
                    self.assertEqual("xxx" in line, moment % 1000 == 0)
            for track, seen in times.items():
                total += len(seen)
                self.assertEqual(seen, {number: 3 * number + track for number in seen})
                # The large ones of a lot are in a file that is written after this one: of the
                # last lot they may be missing, and nothing else is.
                gaps = [n for n in range(max(seen)) if n not in seen]
                self.assertEqual([n for n in gaps if (3 * n + track) % 1000 != 0], [])
                self.assertLessEqual(len(gaps), 32)
        print(f"{total} events of 30 killed processes were read, {large} large ones")
        self.assertGreater(total, 1000)
        self.assertGreater(large, 10)

    def test_a_session_of_nvtx_writer(self):
        path = os.path.join(self.folder.name, "session.ctf")
        backend = load_backend(LIBRARY)
        with Session("Example", backend=backend, config=f"format=ctf\noutput={path}") as session:
            domain = session.get_domain("My Domain")
            with session.create_stream("My Stream", domain=domain) as stream:
                stream.write_mark(100, message="My Mark")
                stream.write_pushpop(start=200, end=500, message="My Message", color="green")
                counter = domain.get_counter("My Counter", int)
                stream.write_counter_batch(counter, [10, 8, 4], timestamps=[700, 800, 900])
        trace = Trace(path)
        start = trace.named("My Domain:mark")[0].time - 100
        rows = [
            (e.time - start, e.name, e.fields.get("message", e.fields.get("value")))
            for e in trace.events
            if e.name.startswith("My Domain:")
        ]
        self.assertEqual(
            rows,
            [
                (100, "My Domain:mark", "My Mark"),
                (200, "My Domain:push", "My Message"),
                (500, "My Domain:pop", "My Message"),
                (700, "My Domain:counter:My Counter", 10),
                (800, "My Domain:counter:My Counter", 8),
                (900, "My Domain:counter:My Counter", 4),
            ],
        )


if __name__ == "__main__":
    WRITER, MANY, LIBRARY = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
    unittest.main()
