# SPDX-License-Identifier: Apache-2.0
"""What payload_forms.c recorded is what it wrote: payload_forms_test.py PROGRAM LIBRARY PRINT_EVENTS."""

import collections
import os
import pathlib
import sys
import tempfile
import unittest

from events import MARK, PUSH_POP, START_END, Event, events_of, record, samples_of

PROGRAM, LIBRARY, PRINT_EVENTS = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]

NESTED = "one=[x:1 y:2 ] three=[:[x:3 y:4 ] :[x:5 y:6 ] :[x:7 y:8 ] ] numbers=[:-1 :2 :-3 :4 ] text=\"reg\""


def repeated(byte, size, is_signed):
    return int.from_bytes(bytes([byte]) * size, "little", signed=is_signed)


# All bits of each number are those of 0xFE; a single character is shown as its code.
NUMBERS = {name: repeated(0xFE, size, is_signed) for name, size, is_signed in (
    ("char", 1, False), ("uchar", 1, False), ("short", 2, True), ("ushort", 2, False), ("int", 4, True),
    ("uint", 4, False), ("long", 8, True), ("ulong", 8, False), ("longlong", 8, True), ("ulonglong", 8, False),
    ("int8", 1, True), ("uint8", 1, False), ("int16", 2, True), ("uint16", 2, False), ("int32", 4, True),
    ("uint32", 4, False), ("int64", 8, True), ("uint64", 8, False), ("size", 8, False), ("address", 8, False),
    ("byte", 1, False), ("pid32", 4, False), ("pid64", 8, False), ("tid32", 4, False), ("tid64", 8, False))}
MARKS = {
    **{name: f"v={value}" for name, value in NUMBERS.items()},
    **{name: "v=1.500000" for name in ("float", "double", "float16", "float32", "float64", "bf16", "tf32")},
    "type alone": "value=-5",
    "type alone, double": "value=0.500000",
    "text alone": 'value="some text"',
    "text alone, with its size": 'value="some "',
    "registered alone": 'value="a registered one"',
    "nested": NESTED,
    "its size is its schema's": NESTED,
    "too short": "",
    "of no bytes": "",
    "nowhere": "",
    "flags, both": 'access="read|write"',
    "flags, one": 'access="read"',
    "texts": 'local="local" utf8="utf8 ü" utf16="uü😀" utf32="uü😀" fixed="12345678"',
    "texts in a row": 'first="ab" number=7 last="cde"',
    "arrays behind pointers": "count=3 values=[:10 :20 :30 ] points=[:[x:1 y:2 ] :[x:3 y:4 ] ] ended=[:5 :6 ]",
    "array in a row": "count=4 values=[:1 :-2 :3 :-4 ] behind=99",
    "no array in a row": f"count=0 values=[] behind={(-2 << 16) + 1}",
    "table": "size=[:2 :3 ] cells=[:1 :2 :3 :4 :5 :6 ]",
    "array with its length elsewhere": "value=3 values=[:7 :8 :9 ]",
    "offsets": 'from base="abc" from here="def"',
    "scope alone": "",
    "union": "which=1 value=[real:2.500000 ]",
    "two": "a=1 b=2",
    "none of them": "",
    "no array": "",
    "more than a record takes": " ".join(["a=1"] * 62),
}
GREEN = 0xFF00FF00
EXPECTED = [
    *[Event(MARK, name, "", 0, "forms", fields) for name, fields in MARKS.items()],
    # Of two fields of one name the later one is shown: here the end's, of the same value.
    Event(PUSH_POP, "range of two", "", 0, "forms", "a=1 b=2"),
    Event(START_END, "range of two", "", 0, "forms", "a=1 b=2"),
    Event(MARK, "message of the payload", "five", GREEN, "forms", ""),
    Event(PUSH_POP, "message of the payload", "five", GREEN, "forms", ""),
    *[Event(MARK, "", "", 0, "forms", f"row={row}") for row in (1, 2, 2, 3)],
    # Deferred: by one call, and by batches.
    *[Event(kind, "submitted", "", 0, "forms", "value=1 scope=0") for kind in (MARK, PUSH_POP, START_END)],
    *[Event(kind, "batch", "", 0, "forms", f"value={value} scope=0")
      for kind in (MARK, PUSH_POP, START_END) for value in (2, 3, 4)],
    *[Event(MARK, "batch", "", 0, "forms", f"value={value} scope=0") for value in (3, 4)],
    Event(PUSH_POP, "batch", "", 0, "forms", "value=3 scope=0"),  # the row of its scope
    Event(PUSH_POP, "the batch's data", "", 0, "forms", "value=5 scope=0"),
]
MOST = 2**63 - 1  # what a sample is shown as that is more
SAMPLES = {
    **{f"c {name} []": [first, 7, 2] for name, first in (
        ("int8", -2), ("uint8", 2**8 - 2), ("int16", -2), ("uint16", 2**16 - 2), ("int32", -2), ("uint32", 2**32 - 2),
        ("int64", -2), ("uint64", MOST), ("size", MOST))},
    "timed.a []": [1, 2],
    "timed.b []": ["0.500000", "1.500000"],
    "none []": ["none 0", "none 1", "none 2"],
}


def plain(event):
    """Without the field `end` of a mark's row, which is a time."""
    words = event.fields.split(" ")
    return event._replace(fields=" ".join(word for word in words if not word.startswith("end=")))


class PayloadFormsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(folder.cleanup)
        cls.recording = record([PROGRAM], LIBRARY, PRINT_EVENTS, folder.name)

    def test_each_call_is_recorded(self):
        self.assertEqual((self.recording.recorded, self.recording.lost), (int(self.recording.printed), 0))

    def test_events_have_what_their_payloads_have(self):
        shown = collections.Counter(plain(event) for event in events_of(self.recording.lines))
        expected = collections.Counter(EXPECTED)
        self.assertEqual(sorted((expected - shown).elements()), [])
        self.assertEqual(sorted((shown - expected).elements()), [])

    def test_samples_of_each_type(self):
        shown = {name: sorted(values) for name, values in samples_of(self.recording.lines).items()}
        self.assertEqual(shown, {name: sorted(map(str, values)) for name, values in SAMPLES.items()})

    def test_events_are_in_the_rows_of_their_scopes(self):
        def rows(word):
            return {line.split(" | ")[0] for line in self.recording.lines if word in line}

        self.assertIn("copy engine", rows("| batch |"))
        self.assertEqual((rows("| row=1"), rows("| row=2")), ({"machine[0]"}, {"disk"}))
        # The process's, and its only thread's.
        self.assertEqual((rows("| row=3"), rows("| scope alone |")), ({"payload_forms"}, {"payload_forms"}))

    def test_only_what_is_beyond_an_int64_is_a_problem(self):
        problems = [line for line in self.recording.lines if line.startswith("problem")]
        self.assertEqual(sorted(line.split("'")[1] for line in problems), ["c size", "c uint64"])

    def test_payloads_that_were_left_out_are_said(self):
        self.assertIn("a payload is of a schema that its domain does not have, or has fewer bytes", self.recording.said)


if __name__ == "__main__":
    unittest.main()
