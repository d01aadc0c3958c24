# SPDX-License-Identifier: Apache-2.0
"""What all_calls.c did is what is in the recording: all_calls_test.py PROGRAM LIBRARY PRINT_EVENTS."""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from events import MARK, PUSH_POP, START_END, Event, events_of, samples_of

PROGRAM, LIBRARY, PRINT_EVENTS = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]
OURS = ("RINGSCRIBE_", "NVTX")


def called(kind, message, category="", color=0, domain="all calls", fields=""):
    return Event(kind, message, category, color, domain, fields)


VALUES = {1: 2**64 - 1, 2: -(2**63), 3: "0.500000", 4: 2**32 - 1, 5: -7, 6: "0.250000"}
OUTER = 'number=-1 inner=[x:3 y:4 ] state="busy" text="deep" count=3 values=[:1 :2 :3 ] fixed="fix"'
EXPECTED = [
    # The default domain.
    called(MARK, "mark a", domain=""),
    called(MARK, "mark ü \U0001F600", domain=""),
    called(MARK, "mark ex", "three", domain=""),
    called(PUSH_POP, "push a", domain=""),
    called(PUSH_POP, "push w", domain=""),
    called(PUSH_POP, "push ex", "vöer", domain=""),
    called(START_END, "start a", domain=""),
    called(START_END, "start w", domain=""),
    called(START_END, "start ex", domain=""),
    called(MARK, "", domain=""),
    called(MARK, "", domain=""),
    # Attributes.
    called(MARK, "registered a"),
    called(MARK, "registered w €", "one", 0xFF102030),
    called(MARK, "unicode é", "two", 0xFF102030),
    called(MARK, "", "", 0xFF102030),
    called(MARK, "colour that is not used"),
    called(MARK, "", domain="öther"),
    called(MARK, "", "one"),
    called(MARK, "large"),
    *[called(kind, f"payload type {number}", fields=f"payload={value}")
      for number, value in VALUES.items() for kind in (MARK, PUSH_POP, START_END)],
    # Payloads.
    called(MARK, "extended", fields=OUTER),
    called(PUSH_POP, "extended", fields=OUTER),
    called(MARK, "by payload", fields="step=8"),
    called(PUSH_POP, "by payload", fields="step=8 " + OUTER),
    called(START_END, "by payload", fields="step=8 " + OUTER),
    called(MARK, "with a payload of an unknown schema"),
    # Deferred.
    *[called(PUSH_POP, "", fields=f"value={value}") for value in (1, 1, 2, 1, 2, 3)],
    called(MARK, "after destroy"),
]
COUNTERS = {
    "int64 [things]": [100, 2],
    "int32 [things]": [100, 2],
    "uint8 [things]": [100, 2],
    "double [things]": ["100.000000", "2.500000"],
    "float [things]": ["100.000000", "2.500000"],
    "batches []": [10, None, 10, 20, 30, 10, 20, 30, 10, 20, 30],
    "memory.used []": [4096],
    "memory.load []": ["0.500000"],
}


class AllCallsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(folder.cleanup)
        cls.report = pathlib.Path(folder.name) / "report"
        cls.report.touch()
        journal = pathlib.Path(folder.name) / "all.rsj"
        env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
        env |= {"NVTX_INJECTION64_PATH": LIBRARY, "RINGSCRIBE_BACKEND": "journal",
                "RINGSCRIBE_OUTPUT": str(journal), "RINGSCRIBE_INJECT_REPORT": str(cls.report)}
        run = subprocess.run([PROGRAM], env=env, capture_output=True, text=True, timeout=120, check=False)
        assert run.returncode == 0, run.stderr
        cls.calls, cls.said = int(run.stdout), run.stderr
        lines = subprocess.run([PRINT_EVENTS, journal], capture_output=True, text=True, check=True).stdout
        cls.lines = lines.splitlines()

    def test_each_call_is_recorded(self):
        _, recorded, lost, _ = self.report.read_text().split("\t")
        self.assertEqual((int(recorded), int(lost)), (self.calls, 0), self.said)

    def test_events_say_what_was_called(self):
        shown = collections.Counter(events_of(self.lines))
        expected = collections.Counter(EXPECTED)
        self.assertEqual(sorted((expected - shown).elements()), [])
        self.assertEqual(sorted((shown - expected).elements()), [])

    def test_samples_say_what_was_called(self):
        shown = samples_of(self.lines)
        expected = {name: sorted(str(0 if v is None else v) for v in values) for name, values in COUNTERS.items()}
        self.assertEqual({name: sorted(values) for name, values in shown.items()}, expected)

    def test_nothing_could_not_be_decoded(self):
        self.assertEqual([line for line in self.lines if line.startswith("problem")], [])

    def test_what_was_refused_is_said(self):
        self.assertIn('schema "wrong": it has no fields', self.said)
        self.assertIn("a payload is of a schema that its domain does not have", self.said)


if __name__ == "__main__":
    unittest.main()
