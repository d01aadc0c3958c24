# SPDX-License-Identifier: Apache-2.0
"""python -m nvtx SCRIPT under the injection library: the calls are those that Python's own profilers see.

    profiler_test.py LIBRARY SESSION_FORMATS PROFILED REFERENCE
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import injected

LIBRARY, SESSION_FORMATS, PROFILED, REFERENCE = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:5])
del sys.argv[1:5]
# Real files: the library's own.
FILES = [json.__file__, json.decoder.__file__, json.encoder.__file__]


def pairs_of(events):
    """How often which range is right in which; None: in no other."""
    result, stacks = collections.Counter(), collections.defaultdict(list)
    for event in events:
        stack = stacks[event["tid"]]
        while stack and stack[-1]["end"] < event["begin"]:
            stack.pop()
        result[stack[-1]["message"] if stack else None, event["message"]] += 1
        stack.append(event)
    return result


class ProfilerTest(unittest.TestCase):
    maxDiff = 4000

    def record(self, *options):
        """The run under nvtx's profiler, and what Python's own saw."""
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        report = pathlib.Path(folder.name) / "report.json"
        run = injected.run(LIBRARY, SESSION_FORMATS, folder.name, ["-m", "nvtx", *options, PROFILED, *FILES])
        alone = subprocess.run([sys.executable, "-s", REFERENCE, report, *options, PROFILED, *FILES],
                               env=injected.environment(), capture_output=True, text=True, timeout=240, check=False)
        self.assertEqual((alone.returncode, alone.stderr), (0, ""))
        # The profiler changes nothing of what the script does.
        self.assertEqual(run.printed, alone.stdout)
        self.assertEqual({(event["kind"], event["domain"], event["color"], event["category"], event["fields"])
                          for event in run.events}, {("push-pop", "nvtx.py", 0x0000FF, "", ())})
        seen = json.loads(report.read_text(encoding="utf-8"))
        pairs = collections.Counter({(caller, callee): count for caller, callee, count in seen["pairs"]})
        return run, pairs, seen["totals"]

    def compare(self, run, pairs):
        shown = pairs_of(run.events)
        self.assertEqual((shown - pairs, pairs - shown), (collections.Counter(), collections.Counter()))
        # Both threads, and everything that was begun was ended.
        self.assertEqual(len({event["tid"] for event in run.events}), 2)
        return [event for event in run.events if event["end_is_missing"] or event["begin_is_missing"]]

    def test_functions_of_python(self):
        run, pairs, totals = self.record()
        self.assertEqual(self.compare(run, pairs), [])
        self.assertGreater(len(run.events), 3000)
        # cProfile is another observer. It has each function under the line of its definition, where nvtx names
        # the line of the frame: the same but for a generator that goes on, which each time is a call of both.
        # cProfile has the main thread only.
        (main,) = {event["tid"] for event in run.events
                   if event["message"].startswith("profiled.py:") and event["message"].endswith("(<module>)")}
        shown = collections.Counter()
        for event in [event for event in run.events if event["tid"] == main]:
            place, function = event["message"].split(":", 1)[0], event["message"].split("(", 1)[1][:-1]
            shown[place, function] += 1
        counted = collections.Counter()
        for file, _, function, calls in totals:
            if file in ("profiled.py", "encoder.py", "decoder.py"):
                counted[file, function] += calls
        self.assertEqual({key: shown[key] for key in counted}, dict(counted))
        self.assertGreater(len(counted), 15)

    def test_names_without_lines(self):
        run, pairs, _ = self.record("--no-linenos")
        self.assertEqual(self.compare(run, pairs), [])
        self.assertEqual([event["message"] for event in run.events if ":" in event["message"]], [])

    def test_functions_of_c(self):
        run, pairs, _ = self.record("--annotate-cfuncs")
        self.compare(run, pairs)
        names = collections.Counter(event["message"] for event in run.events)
        # Twice: in the main thread and in the other one. Of decompress one call fails.
        self.assertEqual((names["compress"], names["decompress"]), (2 * len(FILES), 2 * 2 * len(FILES)))


if __name__ == "__main__":
    unittest.main()
