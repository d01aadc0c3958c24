# SPDX-License-Identifier: Apache-2.0
"""nvtx.writer's own example comes out of each backend of ours as it was written.

    seed_example_test.py LIBRARY JOURNAL_DUMP TRACE_CHECKER

LIBRARY is //backends:libringscribe_backend.so, JOURNAL_DUMP //backends/journal:journal_dump,
TRACE_CHECKER tests/perfetto/trace_checker.py.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from nvtx.colors import color_to_hex
from nvtx.writer import Session, WriterError, load_backend

LIBRARY, JOURNAL_DUMP, TRACE_CHECKER = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(TRACE_CHECKER)]

import seed_example  # noqa: E402: beside this file
import trace_checker  # noqa: E402: from tests/perfetto

INVALID_ARGUMENT = 2


class BackendTest(unittest.TestCase):
    """A folder of its own for each test, which is the current one too."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = pathlib.Path(folder.name)
        os.chdir(self.folder)
        self.backend = load_backend(LIBRARY)
        self.addCleanup(self.backend.close)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


class NullTest(BackendTest):
    def test_the_example_is_accepted_and_leaves_nothing(self):
        seed_example.write_session(self.backend, "format=null")
        self.assertEqual(self.files(), [])

    def test_an_unknown_format_is_an_invalid_argument(self):
        with self.assertRaises(WriterError) as raised:
            seed_example.write_session(self.backend, "format=nonsense")
        self.assertEqual(raised.exception.result_code, INVALID_ARGUMENT)

    def test_a_backend_can_be_loaded_again_after_it_was_closed(self):
        self.backend.close()
        again = load_backend(LIBRARY)
        seed_example.write_session(again, "format=null")
        again.close()

    def test_a_stream_can_be_opened_again_but_not_twice_at_once(self):
        with Session("s", backend=self.backend, config="format=null") as session:
            stream = session.create_stream("same name")
            with stream:
                with self.assertRaises(WriterError) as raised:
                    session.create_stream("same name").open()
                self.assertEqual(raised.exception.result_code, INVALID_ARGUMENT)
            with session.create_stream("same name") as second:
                second.write_mark(1, message="m")


class PerfettoTest(BackendTest):
    def setUp(self):
        super().setUp()
        seed_example.write_session(self.backend, None)
        self.trace = trace_checker.load("Example Writer.pftrace")
        self.stream = self.trace.track("My Stream")

    def event(self, name):
        found = [event for event in self.stream.events if event.name == name]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def test_the_default_format_writes_the_session_by_its_name(self):
        self.assertEqual(self.files(), ["Example Writer.pftrace"])

    def test_nothing_is_added_to_the_stream(self):
        names = [event.name for event in self.stream.events]
        self.assertEqual(names, ["My Mark", "My Message", "process items"])

    def test_the_mark(self):
        mark = self.event("My Mark")
        self.assertTrue(mark.instant)
        self.assertEqual(mark.begin, 100)
        self.assertEqual(mark.category, "My Domain")
        self.assertNotIn("color", mark.args)

    def test_the_push_pop_range_with_its_colour(self):
        event = self.event("My Message")
        self.assertFalse(event.instant)
        self.assertEqual((event.begin, event.end), (200, 500))
        self.assertEqual(event.args["color"], "#%06X" % color_to_hex("green"))

    def test_the_generic_event_with_its_fields(self):
        event = self.event("process items")
        self.assertEqual((event.begin, event.end), (1000, 1500))
        self.assertEqual(event.args["items"], 64)
        self.assertEqual(event.args["input_bytes"], 16384)

    def test_the_counter_with_its_samples(self):
        counter = self.trace.track("My Counter")
        self.assertEqual(counter.kind, "counter")
        self.assertEqual(counter.samples, [(600, 12), (700, 10), (800, 8), (900, 4)])


class JournalTest(BackendTest):
    def dump(self, name, expected_code=0):
        result = subprocess.run([JOURNAL_DUMP, name], capture_output=True, text=True)
        self.assertEqual(result.returncode, expected_code, result.stderr)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def calls(self, lines, name):
        return [line for line in lines if line["call"] == name]

    def setUp(self):
        super().setUp()
        seed_example.write_session(self.backend, "format=journal\noutput=seed.rsj")
        self.lines = self.dump("seed.rsj")

    def test_the_session_and_its_domain_and_stream(self):
        self.assertEqual(self.calls(self.lines, "session")[0]["name"], "Example Writer")
        self.assertEqual([c["name"] for c in self.calls(self.lines, "domain")], ["My Domain"])
        streams = self.calls(self.lines, "stream_open")
        self.assertEqual([c["name"] for c in streams], ["My Stream"])
        self.assertEqual(len(self.calls(self.lines, "stream_close")), 1)

    def test_each_event_has_the_bytes_that_were_written(self):
        events = self.calls(self.lines, "event")
        payloads = [[bytes.fromhex(p["hex"]) for p in event["payloads"]] for event in events]
        green = color_to_hex("green")
        row = struct.pack("<qq128sqq", 1000, 1500, "process items".encode("utf-32-le"), 64, 16384)
        self.assertEqual(
            payloads,
            [
                [struct.pack("<qII", 100, 0, 0), b"My Mark"],
                [struct.pack("<qqII", 200, 500, green, 0), b"My Message"],
                [row],
            ],
        )

    def test_the_counter_has_its_samples(self):
        self.assertEqual([c["name"] for c in self.calls(self.lines, "counter")], ["My Counter"])
        samples = self.calls(self.lines, "counter_sample")
        self.assertEqual([(s["timestamp"], s["hex"]) for s in samples],
                         [(600, struct.pack("<q", 12).hex())])
        batch = self.calls(self.lines, "counter_batch")[0]
        self.assertEqual(batch["hex"], struct.pack("<3q", 10, 8, 4).hex())
        self.assertEqual(batch["timestamps"], struct.pack("<3q", 700, 800, 900).hex())


class InterruptedTest(BackendTest):
    """A session that is left by an exception is finished; so is one that nobody ends."""

    class Interruption(Exception):
        pass

    def test_a_session_left_by_an_exception_is_finished(self):
        for config, name in (("", "s.pftrace"), ("format=journal", "s.rsj")):
            with self.assertRaises(self.Interruption):
                with Session("s", backend=self.backend, config=config) as session:
                    with session.create_stream("before") as stream:
                        stream.write_mark(1, message="written before")
                        raise self.Interruption
            self.assertIn(name, self.files())
        trace = trace_checker.load("s.pftrace")
        self.assertEqual([e.name for e in trace.track("before").events], ["written before"])
        dump = subprocess.run([JOURNAL_DUMP, "s.rsj"], capture_output=True)
        self.assertEqual(dump.returncode, 0, dump.stderr)

    def run_child(self, code):
        prologue = (
            "import os, sys\n"
            "from nvtx.writer import Session, load_backend\n"
            f"backend = load_backend({LIBRARY!r})\n"
            "session = Session('s', backend=backend); session.begin()\n"
            "stream = session.create_stream('left'); stream.open()\n"
            "stream.write_mark(1, message='written before')\n"
        )
        subprocess.run([sys.executable, "-s", "-c", prologue + code], check=True)
        trace = trace_checker.load("s.pftrace")
        return [e.name for e in trace.track("left").events]

    def test_a_process_that_exits_without_ending_its_session_keeps_its_output(self):
        self.assertEqual(self.run_child("sys.exit(0)\n"), ["written before"])

    def test_a_forked_child_neither_writes_into_nor_finishes_the_session_of_its_parent(self):
        code = (
            "from nvtx.writer import WriterError\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    try:\n"
            "        stream.write_mark(2, message='from the child')\n"
            "    except WriterError as error:\n"
            "        sys.exit(error.result_code)\n"
            "    sys.exit(0)\n"
            "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2\n"
            "assert not os.path.exists('s.pftrace'), 'the child finished the file'\n"
            "stream.write_mark(3, message='after the child')\n"
        )
        self.assertEqual(self.run_child(code), ["written before", "after the child"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
