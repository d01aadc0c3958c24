# SPDX-License-Identifier: Apache-2.0
"""The main job, end to end: the quickstart indexes a folder, and its trace is what happened.

Arguments: the quickstart program. What the trace says of each file is computed again here, from the
file system; the trace is decoded with the protos that Perfetto publishes.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "perfetto"))
import trace_checker  # noqa: E402

QUICKSTART = os.path.abspath(sys.argv.pop(1))
MONOTONIC, REALTIME = 3, 1
ONE_MS = 1_000_000


def run(*arguments, cwd, **environment):
    env = {k: v for k, v in os.environ.items() if not k.startswith("RINGSCRIBE_")}
    env.pop("BUILD_WORKING_DIRECTORY", None)
    env.update(environment)
    return subprocess.run([QUICKSTART, *arguments], cwd=cwd, env=env, capture_output=True,
                          text=True, check=False, timeout=120)


def make_folder(base):
    """Files of many kinds: empty, binary, odd names, long lines, nested folders."""
    base.mkdir()
    (base / "empty.txt").write_bytes(b"")
    (base / "no newline").write_bytes(b"one two two")
    (base / "binary.bin").write_bytes(bytes(range(256)) * 50)
    (base / "na\u00efve \U0001F600.txt").write_bytes("caf\u00e9 42\n".encode())
    deep = base / "a" / "b" / "c"
    deep.mkdir(parents=True)
    for i in range(300):
        (deep / f"file{i}.h").write_text("".join(f"word{j} x{j * i}\n" for j in range(i)))
    return base


def facts(path):
    data = path.read_bytes()
    return {"bytes": len(data), "lines": data.count(b"\n"),
            "distinct_words": len(set(re.findall(rb"[0-9A-Za-z]+", data)))}


def regular_files(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


class QuickstartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        base = pathlib.Path(cls.scratch.name)
        cls.folder = make_folder(base / "texts")
        cls.output = base / "out.pftrace"
        cls.before = time.time_ns()
        cls.result = run(str(cls.folder), "--output", str(cls.output), cwd=base)
        cls.after = time.time_ns()
        assert cls.result.returncode == 0, cls.result.stderr
        cls.trace = trace_checker.load(cls.output)
        cls.events = [e for t in cls.trace.tracks if t.name != "ringscribe" for e in t.events]
        cls.files = regular_files(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def to_realtime(self, monotonic):
        clock = self.trace.clocks[0]
        return monotonic - clock[MONOTONIC] + clock[REALTIME]

    def test_it_says_where_the_trace_is_and_that_nothing_was_lost(self):
        last = self.result.stdout.strip().splitlines()[-1]
        self.assertRegex(last, rf"^{re.escape(str(self.output))} \(\d+ events recorded, 0 lost\)")
        self.assertEqual(self.result.stderr, "")
        self.assertIn(f"indexed {len(self.files)} files", self.result.stdout)
        self.assertIn(f"{sum(f.stat().st_size for f in self.files)} bytes", self.result.stdout)

    def test_every_file_has_its_range_with_the_stages_inside(self):
        ranges = {e.name: e for e in self.events if e.category == "file"}
        self.assertEqual(set(ranges), {str(f) for f in self.files})
        for event in self.events:
            if event.category == "stage":
                self.assertEqual(event.depth, 1, event)
                self.assertEqual(event.parent.category, "file")
                self.assertLessEqual(event.parent.begin, event.begin)
                self.assertLessEqual(event.end, event.parent.end)
        stages = [e.name for e in self.events if e.category == "stage"]
        for stage in ("read", "split", "merge"):
            self.assertEqual(stages.count(stage), len(self.files))

    def test_every_file_has_its_event_with_the_right_values(self):
        events = {e.name: e for e in self.events if "distinct_words" in e.args}
        self.assertEqual(len(events), len(self.files))
        for path in self.files:
            args = events[str(path)].args
            for key, value in facts(path).items():
                self.assertEqual(args[key], value, (str(path), key))

    def test_the_last_counter_value_is_the_bytes_indexed(self):
        samples = self.trace.counter("bytes done")
        self.assertEqual(len(samples), len(self.files))
        self.assertEqual(samples[-1][1], sum(f.stat().st_size for f in self.files))
        values = [value for _, value in samples]
        self.assertEqual(values, sorted(values))
        self.assertEqual(self.trace.counter("queue length")[0][1], len(self.files))

    def test_there_is_a_row_a_thread_below_the_process(self):
        workers = [t for t in self.trace.tracks if t.kind == "thread" and t.name.startswith("indexer ")]
        self.assertEqual(len(workers), os.cpu_count())
        for worker in workers:
            self.assertEqual(worker.parent.kind, "process")
            self.assertEqual(worker.pid, worker.parent.pid)

    def test_times_agree_with_the_wall_clock_to_a_millisecond(self):
        begins = [self.to_realtime(e.begin) for e in self.events]
        ends = [self.to_realtime(e.end) for e in self.events if e.end is not None]
        self.assertGreater(min(begins), self.before - ONE_MS)
        self.assertLess(max(ends), self.after + ONE_MS)
        # The clocks were related right: every snapshot says the same as the first, and as now.
        now = time.clock_gettime_ns(time.CLOCK_REALTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        for clock in self.trace.clocks:
            self.assertLess(abs(clock[REALTIME] - clock[MONOTONIC] - now), ONE_MS)

    def test_colours_are_kept(self):
        read = next(e for e in self.events if e.name == "read")
        self.assertEqual(read.args["color"], "#0000FF")

    def test_with_recording_off_it_does_its_work_and_writes_nothing(self):
        base = pathlib.Path(self.scratch.name)
        result = run(str(self.folder), "--output", str(base / "off.pftrace"), cwd=base,
                     RINGSCRIBE_ENABLED="0")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("nothing was recorded", result.stdout)
        self.assertFalse((base / "off.pftrace").exists())

    def test_an_output_folder_that_does_not_exist_is_one_clear_sentence(self):
        result = run(str(self.folder), "--output", "/nowhere/x.pftrace", cwd=self.scratch.name)
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere", result.stderr)
        self.assertIn("No such file or directory", result.stderr)

    def test_an_extension_chooses_the_journal(self):
        base = pathlib.Path(self.scratch.name)
        result = run(str(self.folder), "--output", str(base / "x.rsj"), cwd=base)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater((base / "x.rsj").stat().st_size, 1000)

    def test_a_folder_that_is_none_is_said(self):
        result = run("/nowhere/at/all", cwd=self.scratch.name)
        self.assertEqual(result.returncode, 2)
        self.assertIn("/nowhere/at/all is not a folder", result.stderr)


if __name__ == "__main__":
    unittest.main()
