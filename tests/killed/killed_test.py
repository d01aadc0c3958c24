# SPDX-License-Identifier: Apache-2.0
"""A process that is killed at a random moment leaves files that open (docs/formats.md):
killed_test.py WRITER. KILLS (8) is how often, each format; KILL_SEED the first of the seeds."""

import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "perfetto"))
import trace_checker  # noqa: E402: from tests/perfetto

WRITER = os.path.abspath(sys.argv[1])
KILLS = int(os.environ.get("KILLS", "8"))
SEED = int(os.environ.get("KILL_SEED", "1"))


def killed_after(folder, format_name, seconds):
    """The output folder's files, by name, of a writer that was killed so long after it was ready."""
    output = folder / "output"
    environment = {**os.environ, "RINGSCRIBE_OVERFLOW": "block"}
    process = subprocess.Popen([WRITER, format_name, str(output)], stdout=subprocess.PIPE, env=environment)
    try:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(seconds)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    return {path.name: path for path in folder.iterdir()}


class KilledTest(unittest.TestCase):
    def check_counts(self, samples):
        """Samples of each counter: from 0 up, none missing, none twice, none torn."""
        for name, values in samples.items():
            self.assertIn(name, ("count of one", "count of two"))
            self.assertEqual(values, list(range(len(values))), name)

    def kill_often(self, format_name, check):
        """Calls check(files); it returns how many samples it found."""
        rng = random.Random(SEED)
        found = []
        for _ in range(KILLS):
            with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
                seconds = rng.uniform(0, 1.2)
                with self.subTest(format=format_name, seconds=seconds):
                    found.append(check(killed_after(pathlib.Path(folder), format_name, seconds)))
        # A test of empty files would see nothing.
        self.assertGreater(max(found), 100)
        print(f"{format_name}: {KILLS} kills, {min(found)} to {max(found)} samples on disk")

    def test_perfetto(self):
        """PATH.part has all packets that were written; the last one may be cut."""

        def check(files):
            self.assertEqual(list(files), ["output.part"])
            trace = trace_checker.load_killed(files["output.part"])
            self.check_counts({t.name: [value for _, value in t.samples] for t in trace.tracks if t.samples
                               and t.name.startswith("count")})
            for event in trace.events():
                self.assertIn(event.name, ("outer", "inner", "mark") if event.category != "ringscribe" else
                              (event.name,))
            return sum(len(t.samples) for t in trace.tracks)

        self.kill_often("perfetto", check)

    def test_chrome(self):
        """The file is JSON, but for a kill within a write: then it is without its last, partial line."""
        repaired = []

        def check(files):
            self.assertEqual(list(files), ["output"])
            text = files["output"].read_text()
            if not text:
                return 0  # nothing was worth a write yet
            try:
                trace = json.loads(text)
            except json.JSONDecodeError:
                repaired.append(files)
                trace = json.loads(text[: text.rindex("\n")] + "]}")
            samples = collections.defaultdict(list)
            names = collections.Counter()
            for event in trace["traceEvents"]:
                if event["ph"] == "C" and event["name"].startswith("count"):
                    samples[event["name"]].append(event["args"]["value"])
                names[event["ph"]] += 1
            self.check_counts(samples)
            return sum(map(len, samples.values()))

        self.kill_often("chrome", check)
        print(f"chrome: {len(repaired)} of them inside a write")


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
