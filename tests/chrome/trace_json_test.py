# SPDX-License-Identifier: Apache-2.0
"""What the Chrome sink writes is JSON to a strict parser, says what was recorded, and stays JSON.

    trace_json_test.py WRITER     # WRITER: //backends/chrome:write_sample_traces
"""

import collections
import decimal
import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from trace_json import check_form, ns, strict  # noqa: E402: from this folder

WRITER = ""
ODD_NAMES = [
    "",
    'operator""_kg',
    "C:\\tmp\\x",
    "a\0b\x01\x1f\x7f\r\n\t",
    "\ufffd\ufffd",
    "\u2028 and \u2029",
    "\U0001f600 h\u00e9llo",
    "</script>",
    ',"args":{"x":1}}',
    '"' * 65537,
]
INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1


def bits(number):
    return struct.pack("<d", float(number))


class TraceJsonTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        subprocess.run([WRITER, cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def bytes_of(self, name):
        with open(os.path.join(self.folder.name, name + ".json"), "rb") as file:
            return file.read()

    def load(self, name):
        trace = strict(self.bytes_of(name).decode("utf-8"))
        self.assertEqual(trace["displayTimeUnit"], "ns")
        check_form(trace["traceEvents"], has_lots=name in ("lots", "forgotten"))
        return trace

    def events(self, name, *phases):
        return [e for e in self.load(name)["traceEvents"] if e["ph"] in phases]

    def test_an_empty_session_is_a_valid_trace(self):
        self.assertEqual({e["ph"] for e in self.load("empty")["traceEvents"]}, {"M"})

    def test_one_event_is_one_line(self):
        for name in ("odd", "lots", "times", "empty"):
            text = self.bytes_of(name).decode("utf-8")
            lines = text.split("\n")
            self.assertEqual(lines[0], '{"traceEvents":[')
            for number, line in enumerate(lines[1:-2]):
                strict(line[1:] if number else line)
            self.assertNotIn("\u2028", text)
            self.assertNotIn("\u2029", text)

    def test_odd_names_come_back_as_names_categories_keys_and_values(self):
        for phase in ("i", ("X", "B"), "b"):
            events = [e for e in self.events("odd", *phase) if e["name"] in ODD_NAMES]
            self.assertEqual([e["name"] for e in events], ODD_NAMES)
            for name, event in zip(ODD_NAMES[:-1], events):
                self.assertEqual(event["cat"], name or "default")
                key = name or "(unnamed)"
                self.assertEqual(list(event["args"]), [key, key + " (2)"])
                self.assertEqual(event["args"][key], name)

    def test_values_keep_every_bit(self):
        (event,) = [e for e in self.events("odd", "X", "B") if e["name"] == "values"]
        args = event["args"]
        self.assertEqual(args["min"], str(INT64_MIN))
        self.assertEqual(args["exact"], 2**53)
        self.assertEqual(args["beyond"], str(2**53 + 1))
        self.assertEqual(args["uint"], str(UINT64_MAX))
        self.assertEqual(args["address"], "0xdeadbeef")
        numbers = {"one": 1.0, "minus zero": -0.0, "subnormal": 5e-324, "third": 1 / 3}
        for name, value in {**numbers, "huge": sys.float_info.max}.items():
            self.assertIsInstance(args[name], decimal.Decimal)
            self.assertEqual(bits(args[name]), bits(value), name)
        self.assertEqual(args["third"], decimal.Decimal(repr(1 / 3)))
        self.assertEqual(
            [args[n] for n in ("nan", "inf", "minus inf")], ["NaN", "Infinity", "-Infinity"]
        )
        inner = {"x": 1, "x (2)": decimal.Decimal("0.5"), "(unnamed)": None}
        self.assertEqual(args["struct"], inner)
        self.assertEqual(args["array"], [1, inner])
        self.assertEqual((args["empty"], args["nothing"]), ([], {}))
        self.assertEqual((args["color"], args["color (2)"]), (7, "#8000FF7F"))
        self.assertEqual(event["cat"], "io")

    def test_flags_are_args(self):
        (event,) = [e for e in self.events("odd", "b") if e["name"] == "flags"]
        self.assertEqual(
            event["args"],
            {
                "category_id": 9,
                "range_id": str(UINT64_MAX),
                "end_is_missing": True,
                "begin_is_missing": True,
                "end_before_begin": True,
                "written_end": str(INT64_MIN),
                "time_domain": str(UINT64_MAX),
            },
        )

    def test_samples_are_numbers_and_what_is_none_is_a_note(self):
        samples = self.events("odd", "C")
        load = [bits(e["args"]["value"]) for e in samples if e["name"] == "load"]
        self.assertEqual(load, [bits(v) for v in (0.25, -0.0, 5e-324, 1e308)])
        depth = [e for e in samples if e["name"] == "depth"]
        self.assertEqual([e["args"]["orders"] for e in depth], [INT64_MAX, -5])
        self.assertEqual([e.get("exact") for e in depth], [str(INT64_MAX), None])
        self.assertEqual([e.get("time_domain") for e in depth], [None, "5"])
        self.assertEqual(len([e for e in samples if e["name"].startswith("load (")]), 1)
        marks = self.events("odd", "i")
        notes = [e["args"] for e in marks if e["name"] == "counter without value"]
        self.assertEqual([n.get("value") for n in notes], ["NaN", "Infinity", "-Infinity", None])
        self.assertEqual(notes[-1], {"counter": "depth", "reason": 2})
        (problem,) = [e for e in marks if e["s"] == "g"]
        self.assertEqual(problem["name"], 'a payload could not be "decoded"')
        self.assertEqual(problem["args"], {"count": 3})

    def test_tracks_are_threads_of_their_processes(self):
        events = self.load("odd")["traceEvents"]
        name_of = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        threads = {
            (name_of[e["pid"]], e["args"]["name"]): (e["pid"], e["tid"])
            for e in events
            if e["name"] == "thread_name"
        }
        self.assertEqual(threads["engine", "worker"], (4000, 4001))
        self.assertEqual(threads["engine", "late"], (4000, 4002))
        self.assertEqual(threads["other (pid 4000)", "far"][1], 4001)
        for name in (
            ("engine", "second (tid 4001)"),
            ("engine", "io"),
            ("engine", "engine"),
            ("other (pid 4000)", "far"),
            ('odd "\u2028 session', "orders"),
            ("Node[0]", "Node[0]"),
            ("Node[0]", "GPU[1]"),
        ):
            self.assertIn(name, threads)
            self.assertGreaterEqual(max(threads[name]), 2**30)
        self.assertEqual(len(set(threads.values())), len(threads))

    def test_clock_points_are_kept(self):
        other = self.load("odd")["otherData"]
        self.assertEqual(other["session"], 'odd "\u2028 session')
        self.assertEqual((other["first_monotonic_ns"], other["first_realtime_ns"]), ("2000", "6000"))
        last = (other["last_monotonic_ns"], other["last_realtime_ns"])
        self.assertEqual(last, (str(INT64_MAX), str(INT64_MIN)))

    def test_times_are_exact(self):
        counts = collections.Counter()
        ends = {}
        open_ends = collections.defaultdict(list)
        for event in self.events("times", "i", "X", "b", "e", "B", "E"):
            counts[event["ph"]] += 1
            time = str(ns(event["ts"]))
            if event["ph"] == "e":
                self.assertEqual(time, ends.pop(event["id"]))
                continue
            if event["ph"] == "E":
                self.assertEqual(time, open_ends[event["tid"]].pop())
                continue
            self.assertEqual(time, event["args"]["begin"])
            if event["ph"] == "X":
                self.assertEqual(str(ns(event["ts"]) + ns(event["dur"])), event["args"]["end"])
            elif event["ph"] == "b":
                ends[event["id"]] = event["args"]["end"]
            elif event["ph"] == "B":
                open_ends[event["tid"]].append(event["args"]["end"])
        self.assertEqual(counts["i"], 14)
        self.assertEqual(counts["B"], counts["E"])
        self.assertEqual(counts["X"] + counts["b"] + counts["B"], 2 * 105)
        self.assertGreater(counts["B"], 20)

    def test_ranges_of_many_lots_nest(self):
        threads = collections.defaultdict(collections.Counter)
        for event in self.events("lots", "X", "B", "b"):
            threads[event["tid"]][event["name"], "b" if event["ph"] == "b" else "X"] += 1
        # All of this thread nest. Where one begins with a child that is in the file already, a viewer
        # that reads in order would cut it: it is async.
        self.assertEqual({name for name, _ in threads[8]}, {"range"})
        self.assertGreater(threads[8]["range", "X"], 50 * threads[8]["range", "b"])
        for tid in (9, 10):
            asyncs = sum(n for (_, phase), n in threads[tid].items() if phase == "b")
            self.assertGreater(threads[tid]["range", "X"], asyncs)
            self.assertGreater(asyncs, 0)

    def test_where_the_past_is_forgotten_ranges_become_async_and_the_rest_nests(self):
        all_of = [len(self.events(name, "X", "B", "b")) for name in ("lots", "forgotten")]
        self.assertEqual(all_of[0], all_of[1])
        self.assertGreater(len(self.events("forgotten", "X", "B")), all_of[0] // 2)

    def test_a_file_cut_anywhere_is_whole_without_its_last_line(self):
        for name in ("odd", "lots", "empty"):
            whole = self.bytes_of(name)
            if name == "lots":
                whole = whole[:60_000]
            last = None
            for size in [*range(97, len(whole), 97), len(whole)]:
                kept = whole[:size].rstrip(b"\n").rpartition(b"\n")[0]
                if kept != last:
                    check_form(strict(kept.decode("utf-8") + "]}")["traceEvents"], is_cut=True, has_lots=name == "lots")
                last = kept

    def test_a_killed_process_leaves_a_whole_file(self):
        path = os.path.join(self.folder.name, "killed.json")
        loaded = 0
        for attempt in range(10):
            process = subprocess.Popen([WRITER, "--endless", path])
            time.sleep(0.02 + 0.013 * attempt)
            process.kill()
            process.wait()
            with open(path, "rb") as file:
                text = file.read()
            if not text:  # killed before its first write
                continue
            # Only whole writes up to here, or the kernel was stopped inside one: docs/formats.md.
            try:
                trace = strict(text.decode("utf-8"))
                loaded += 1
            except ValueError:
                trace = strict(text.rpartition(b"\n")[0].decode("utf-8") + "]}")
            self.assertEqual({e["ph"] for e in trace["traceEvents"]} - {"M", "B", "E"}, {"X"})
        print(f"{loaded} of 10 files were whole to a strict parser")


if __name__ == "__main__":
    WRITER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
