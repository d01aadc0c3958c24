# SPDX-License-Identifier: Apache-2.0
"""What the Perfetto sink writes is what a reader of the published format finds.

    trace_decode_test.py WRITER     # WRITER: //backends/perfetto:write_sample_traces
"""

import collections
import math
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import trace_checker  # noqa: E402: beside this file

WRITER = ""
MONOTONIC, REALTIME, BOOTTIME = 3, 1, 6


class TraceDecodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        subprocess.run([WRITER, cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name + ".pftrace")

    def load(self, name):
        return trace_checker.load(self.path(name))

    def shape(self, track):
        return [(e.name, e.begin, e.end, e.depth) for e in track.events]

    def test_nothing_is_left_beside_the_finished_files(self):
        self.assertEqual(
            sorted(os.listdir(self.folder.name)),
            ["compressed.pftrace", "empty.pftrace", "lots.pftrace", "sample.pftrace", "shifted.pftrace"],
        )

    def test_an_empty_session_is_a_valid_trace(self):
        trace = self.load("empty")
        self.assertEqual(trace.tracks, [])
        self.assertEqual(len(trace.clocks), 1)

    def test_clock_points_are_written_when_the_offset_changes(self):
        self.assertEqual(
            self.load("sample").clocks,
            # The time since boot is known because the first point fits the clocks of now.
            [
                {MONOTONIC: 2000, REALTIME: 6000, BOOTTIME: 4000},
                {MONOTONIC: 3000, REALTIME: 7001},
            ],
        )

    def test_a_process_is_one_track_and_carries_the_session_name(self):
        trace = self.load("sample")
        process = trace.track("engine")
        self.assertEqual((process.kind, process.pid), ("process", 4000))
        self.assertEqual(process.labels, ["matching engine"])
        self.assertEqual([e.begin for e in process.events], [1, 3])
        self.assertEqual(trace.track("other (pid 4000)").kind, "plain")

    def test_a_thread_that_comes_first_has_the_system_id_and_others_are_plain(self):
        trace = self.load("sample")
        threads = {t.name: t for t in trace.tracks if t.kind == "thread"}
        self.assertEqual(sorted(threads), ["third", "worker"])
        self.assertEqual((threads["worker"].pid, threads["worker"].tid), (4000, 4001))
        self.assertEqual(threads["third"].parent.name, "engine")
        self.assertEqual(trace.track("second (tid 4001)").parent.name, "engine")
        self.assertEqual(trace.track("io").parent, threads["worker"])
        self.assertEqual(trace.track("far (tid 4001)").parent.name, "other (pid 4000)")
        for name in ("second (tid 4001)", "io", "far (tid 4001)", "third"):
            self.assertEqual(
                self.shape(trace.track(name)), [("parent", 10, 40, 0), ("child", 20, 30, 1)]
            )

    def test_values_keep_their_types(self):
        event = self.load("sample").track("orders").events[0]
        self.assertEqual((event.name, event.category), ("values", "hot"))
        self.assertEqual(event.flows, [2**64 - 1, 5])
        self.assertEqual(
            event.args,
            {
                "int": -(2**63),
                "uint": 2**64 - 1,
                "address": 0xDEADBEEF,
                "double": -1.25,
                "text": "h\u00e9llo",
                "struct": {"x": 1, "y": 0.5},
                "array": [1, {"x": 1, "y": 0.5}],
                "empty": "[]",
                "(unnamed)": 7,
                "none": "(none)",
                "color": "#00FF7F",
            },
        )

    def test_what_has_no_name_or_category_gets_one(self):
        event = self.load("sample").track("orders").events[1]
        self.assertTrue(event.instant)
        self.assertEqual((event.name, event.category), ("(no message)", "io"))
        self.assertEqual(event.args, {"color": "#8000FF7F", "category_id": 9})

    def test_flags_are_annotations(self):
        event = self.load("sample").track("orders").events[2]
        self.assertEqual(event.category, "default")
        self.assertEqual(
            event.args,
            {
                "range_id": 77,
                "end_is_missing": True,
                "begin_is_missing": True,
                "end_before_begin": True,
                "written_end": -3,
            },
        )

    def test_a_long_name_is_whole(self):
        self.assertEqual(self.load("sample").track("orders").events[3].name, "n" * 5000)

    def test_ranges_that_cut_each_other_go_to_lanes(self):
        trace = self.load("sample")
        main, overlap = trace.named("child")
        self.assertEqual(
            self.shape(main), [("a", 0, 50, 0), ("c", 60, 90, 0), ("first", 100, 110, 0)]
        )
        self.assertEqual(self.shape(overlap), [("cuts", 105, 115, 0)])
        self.assertEqual(overlap.parent, main.parent)
        self.assertEqual(overlap.merge_key, main.uuid)
        lane = trace.track("child (async)")
        self.assertEqual(self.shape(lane), [("b", 25, 75, 0)])
        self.assertEqual(lane.parent, main)
        # A thread has no sibling that is a plain track.
        thread, below = trace.named("worker")
        self.assertEqual(self.shape(below), [("cuts", 35, 45, 0)])
        self.assertEqual(below.parent, thread)

    def test_counters_have_unit_parent_and_all_values(self):
        trace = self.load("sample")
        depth = trace.track("depth")
        self.assertEqual((depth.kind, depth.unit, depth.parent.name), ("counter", "orders", "orders"))
        self.assertEqual(depth.description, "how deep; domain: io")
        self.assertEqual(depth.samples, [(90, 2**63 - 1), (100, -5)])
        values = [value for _, value in trace.counter("load")]
        self.assertEqual(values[0], 1.5)
        self.assertTrue(math.isnan(values[1]))
        self.assertEqual(values[2], math.inf)

    def test_notes_tell_what_is_out_of_the_ordinary(self):
        notes = self.load("sample").track("ringscribe.notes").events
        self.assertEqual(
            [(e.name, e.begin, e.args) for e in notes],
            [
                ("counter without value", 110, {"counter": "depth", "reason": 2}),
                ("a payload could not be decoded", 800, {"count": 3}),
                ("clock points before time 0 were left out", 800, {"count": 1}),
            ],
        )

    def test_negative_times_are_shifted_by_time_domain(self):
        trace = self.load("shifted")
        found = {e.name: e for track in trace.named("ticks") for e in track.events}
        self.assertEqual((found["negative"].begin, found["negative"].end), (0, 50))
        self.assertEqual(found["negative"].args, {"time_domain": 5})
        self.assertEqual((found["positive"].begin, found["positive"].args), (10, {"time_domain": 7}))
        everything = found["all of time"]
        self.assertEqual((everything.begin, everything.end), (0, 2**63 - 1))
        self.assertEqual(everything.args["original_end_timestamp"], 2**63 - 1)
        shifts = {e.args["time_domain"]: e.args for e in trace.track("ringscribe.notes").events}
        self.assertEqual(sorted(shifts), [5, 6])
        self.assertEqual(shifts[5]["ringscribe.time_shift"], 100)
        self.assertEqual(shifts[6]["ringscribe.time_shift"], 2**63)

    def test_what_is_still_negative_later_is_put_at_0(self):
        trace = self.load("shifted")
        found = {e.name: e for track in trace.named("ticks") for e in track.events}
        self.assertEqual((found["too early"].begin, found["too early"].end), (0, 10))
        self.assertEqual(found["too early"].args["original_timestamp"], -300)
        self.assertEqual(found["too early in 7"].args["original_timestamp"], -7)
        self.assertEqual(trace.counter("count"), [(0, 2), (80, 1)])

    def test_nesting_and_interned_texts_survive_the_bounds_of_lots_and_tables(self):
        trace = self.load("lots")
        self.assertGreater(trace.generations, 5)
        thread = trace.track("t")
        self.assertEqual(len(trace.tracks), 2)  # no range had to leave its lane
        wrong = [
            e
            for e in thread.events
            if (e.begin, e.begin if e.instant else e.end, e.depth)
            != (e.args["begin"], e.args["end"], e.args["depth"])
        ]
        self.assertEqual(wrong, [])
        names = collections.Counter(e.name.split()[0] for e in thread.events)
        self.assertGreater(names["range"], 5000)
        self.assertGreater(names["mark"], 3000)

    def test_compressed_packets_say_the_same_in_less_room(self):
        plain, compressed = self.load("lots"), self.load("compressed")
        self.assertGreater(compressed.compressed, 5)
        self.assertEqual(compressed.packets, plain.packets)
        for track, other in zip(plain.tracks, compressed.tracks):
            self.assertEqual(self.shape(other), self.shape(track))
        size = os.path.getsize
        self.assertLess(size(self.path("compressed")), size(self.path("lots")) / 2)

    def test_a_compressed_file_that_is_cut_is_readable_up_to_the_last_whole_packet(self):
        with open(self.path("compressed"), "rb") as file:
            data = file.read()
        packets = trace_checker.protos.Trace.FromString(data).packet
        whole = trace_checker.protos.Trace(packet=packets[: len(packets) // 2])
        length = whole.ByteSize()
        self.assertEqual(whole.SerializeToString(), data[:length])
        path = self.path("cut")
        with open(path, "wb") as file:
            file.write(data[:length])
        found = trace_checker.load(path, check=False).events()
        os.remove(path)
        everything = {(e.name, e.begin, e.end) for e in self.load("compressed").events()}
        complete = {(e.name, e.begin, e.end) for e in found if e.end is not None}
        self.assertGreater(len(complete), 1000)
        self.assertLessEqual(complete, everything)

    def test_the_checker_sees_wrong_clocks_and_defaults(self):
        def first_start(packets):
            return next(p for p in packets if p.trace_packet_defaults.timestamp_clock_id == 64)

        def no_clock(packets):
            first_start(packets).ClearField("clock_snapshot")

        def no_track(packets):
            first_start(packets).trace_packet_defaults.ClearField("track_event_defaults")

        def absolute(packets):
            first_start(packets).clock_snapshot.clocks[1].is_incremental = False

        def other_time(packets):
            first_start(packets).clock_snapshot.clocks[1].timestamp += 1

        def back(packets):
            starts = [p for p in packets if p.trace_packet_defaults.timestamp_clock_id == 64]
            for clock in starts[-1].clock_snapshot.clocks:
                clock.timestamp = 0

        for change, what in (
            (no_clock, "in no snapshot of its sequence"),
            (no_track, "on track 0, which was not described"),
            (absolute, "does not count ns up"),
            (other_time, "is not CLOCK_MONOTONIC"),
            (back, "goes back"),
        ):
            with open(self.path("lots"), "rb") as file:
                trace = trace_checker.protos.Trace.FromString(file.read())
            change(trace.packet)
            path = self.path("wrong")
            with open(path, "wb") as file:
                file.write(trace.SerializeToString())
            with self.assertRaisesRegex(trace_checker.TraceError, what):
                trace_checker.load(path)
            os.remove(path)

    def test_the_checker_sees_a_trace_that_was_cut(self):
        with open(self.path("sample"), "rb") as file:
            packets = trace_checker.protos.Trace.FromString(file.read()).packet
        for wrong, what in (
            (packets[1:], "cleared"),
            ([p for p in packets if not p.HasField("interned_data")], "before it is defined"),
            ([p for p in packets if not p.HasField("clock_snapshot")], "clock snapshots"),
            ([p for p in packets if not p.HasField("track_descriptor")], "not described"),
            ([p for p in packets if p.track_event.type != 2], "never ends"),
            ([p for p in packets if p.track_event.type != 1], "meets no begin"),
        ):
            path = self.path("cut")
            with open(path, "wb") as file:
                file.write(trace_checker.protos.Trace(packet=wrong).SerializeToString())
            with self.assertRaisesRegex(trace_checker.TraceError, what):
                trace_checker.load(path)
            os.remove(path)


if __name__ == "__main__":
    WRITER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
