# SPDX-License-Identifier: Apache-2.0
"""What all_calls.c did is what is in the recording: all_calls_test.py PROGRAM LIBRARY PRINT_EVENTS."""

import collections
import os
import pathlib
import sys
import tempfile
import unittest

from events import MARK, PUSH_POP, START_END, Event, events_of, record, samples_of

PROGRAM, LIBRARY, PRINT_EVENTS = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]


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
    "batches []": [10, "none 2", 10, 20, 30, 10, 20, 30, 10, 20, 30],
    "memory.used []": [4096],
    "memory.load []": ["0.500000"],
}


class AllCallsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(folder.cleanup)
        cls.recording = record([PROGRAM], LIBRARY, PRINT_EVENTS, folder.name)
        cls.lines = cls.recording.lines

    def test_each_call_is_recorded(self):
        self.assertEqual((self.recording.recorded, self.recording.lost), (int(self.recording.printed), 0),
                         self.recording.said)

    def test_events_say_what_was_called(self):
        shown = collections.Counter(events_of(self.lines))
        expected = collections.Counter(EXPECTED)
        self.assertEqual(sorted((expected - shown).elements()), [])
        self.assertEqual(sorted((shown - expected).elements()), [])

    def test_samples_say_what_was_called(self):
        shown = samples_of(self.lines)
        expected = {name: sorted(str(v) for v in values) for name, values in COUNTERS.items()}
        self.assertEqual({name: sorted(values) for name, values in shown.items()}, expected)

    def test_nothing_could_not_be_decoded(self):
        self.assertEqual([line for line in self.lines if line.startswith("problem")], [])

    def test_what_was_refused_is_said(self):
        self.assertIn('schema "wrong": it has no fields', self.recording.said)
        self.assertIn("a payload is of a schema that its domain does not have", self.recording.said)


if __name__ == "__main__":
    unittest.main()
