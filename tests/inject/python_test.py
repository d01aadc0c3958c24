# SPDX-License-Identifier: Apache-2.0
"""PyPI nvtx under the injection library: what python_calls.py called is what is in the recording.

    python_test.py LIBRARY PRINT_EVENTS PYTHON_CALLS PROFILED_SCRIPT
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy
import nvtx

from events import EVENT, MARK, PUSH_POP, START_END, Event, events_of, record, samples_of

LIBRARY, PRINT_EVENTS, CALLS, SCRIPT = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:5])
del sys.argv[1:5]

ORANGE, GREEN, BLUE, RED = 0xFFA500, 0x008000, 0x0000FF, 0xFF0000


def ours(kind, message, domain, category="", color=BLUE, fields=""):
    return Event(kind, message, category, color, domain, fields)


DECORATED = ours(PUSH_POP, "decorated", "work", "cpu", ORANGE, "payload=7")
ATTRIBUTES = {"domain": "direct", "category": "net", "color": RED}
EVENTS = [
    *[DECORATED] * (3 + 4 * 3),
    ours(PUSH_POP, "by name", "", color=0x123456),
    ours(PUSH_POP, "context", "work", "io", GREEN, "payload=2.500000"),
    ours(MARK, "in context", "work", color=BLUE),
    ours(PUSH_POP, "pushed", "work", fields="payload=-3"),
    ours(START_END, "first", "work"),
    ours(START_END, "second", "work", "io", fields="payload=1"),
    ours(MARK, "default domain", ""),
    ours(MARK, "ünïcode 😀", "dömain"),
    ours(MARK, "attributes", **ATTRIBUTES, fields="payload=5"),
    *[ours(kind, "changed", **ATTRIBUTES, fields="payload=6") for kind in (MARK, PUSH_POP, START_END)],
    ours(MARK, "registered", "direct", "disk"),
    ours(MARK, "payload int", "payloads", fields=f"payload={2**40}"),
    ours(MARK, "payload float", "payloads", fields="payload=0.500000"),
    # With no attributes, and in the default domain.
    ours(MARK, "", ""),
    ours(MARK, "default", ""),
    # Methods with each way of giving attributes.
    ours(PUSH_POP, "again", "forms", fields="size=2 data=[:1 :2 ]"),
    ours(START_END, "started", "forms", color=RED, fields="payload=2.500000"),
    ours(PUSH_POP, "pushed", "forms", color=0x010203),
    ours(MARK, "", "forms", "named", RED),
    # What can be changed is read at each call.
    *[ours(PUSH_POP, "changing", "forms", fields=f"size=3 data=[:{first} :2 :3 ]") for first in (1, 0)],
    *[ours(PUSH_POP, "failing", "forms", fields="size=3 data=[:0 :2 :3 ]")] * 2,
    *[ours(MARK, message, "forms", fields=fields) for message, fields in {
        "list": "size=2 data=[:1 :-2 ]",
        "floats": "size=2 data=[:1.500000 :2.500000 ]",
        "tuple": "size=3 data=[:7 :8 :9 ]",
        "range": "size=4 data=[:0 :1 :2 :3 ]",
        "bytes": 'bytes40="0x68656c6c6f"',
        "no bytes": 'bytes8="0x00"',
        "no list": "",
        "list of bytes": 'size=2 data=[:"0x0000000000" :"0x68656c6c6f" ]',
        "list of bool": "size=2 data=[:1.000000 :2.000000 ]",
        "pairs": "size=2 data=[:[a:1 b:0.500000 ] :[a:2 b:1.500000 ] ]",
        "every other": "size=3 data=[:0 :2 :4 ]",
        "grid": "size=6 data=[:0 :1 :2 :3 :4 :5 ]",
        "text": 'str96="ünï"',
        "texts": 'size=2 data=[:"a" :"bc" ]',
        "float16": "size=2 data=[:0.500000 :1.500000 ]",
        "uint8": "size=2 data=[:255 :0 ]",
    }.items()],
    # NumPy's numbers as attributes. Its message is none, and is shown as a number.
    ours(MARK, "special", "forms", color=0xFF00FF00, fields="message=0"),
]
# Of NumPy values nvtx.py chooses the names of fields: the values are compared.
NUMPY = {
    "payload int8": ["-8"],
    "payload uint64": [str(2**64 - 1)],
    "payload float32": ["0.250000"],
    "payload int32": ["3", "1", "2", "3"],  # their number first
    "payload float64": ["2", "1.500000", "2.500000"],
    "struct": ["0.500000", "1", "2", "3", "4", "5"],
}
NO_VALUES = ["none 0", "none 1", "none 2"]
SAMPLES = {
    "depth [objects]": ["3", "-4", "none 2", "1", "2"],
    "depth (2) []": ["1.500000"],
    "load []": ["0.500000", "0.250000", "0.750000"],
    "memory.used []": ["4096"],
    "memory.load []": ["0.500000"],
    **{f"of {dtype} []": ["3", "1", "2"] for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64")},
    **{f"of {dtype} []": ["3.000000", "1.000000", "2.000000"] for dtype in ("float16", "float32")},
    "group.objects [objects]": ["5", "6", "7", "8", *NO_VALUES],
    # In hundredths of its unit.
    "group.load [%]": ["0.005000", "0.002500", "0.007500", "0.010000", *NO_VALUES],
    "monotonic []": ["1"],
    "tool []": ["1"],
}


def values_of(fields):
    """The numbers in the text of fields, in their order."""
    words = fields.replace("=", " ").replace(":", " ").replace("[", " ").replace("]", " ").split()
    return [word for word in words if word.lstrip("-").replace(".", "").isdigit()]


def run_alone(mode):
    """What the script prints without us, and what it says in its last line."""
    run = subprocess.run([sys.executable, SCRIPT, mode, sys.executable, CALLS, SCRIPT], capture_output=True, text=True,
                         timeout=240, check=True)
    *printed, last = run.stdout.splitlines()
    return printed, json.loads(last)


def calls_in_trace(lines, names):
    """How often each of `names` lies right in each other one: nvtx.Profile's ranges, without the numbers of lines."""
    ranges = [EVENT.fullmatch(line) for line in lines if "| domain nvtx.py |" in line]
    ranges = [(int(m["begin"]), -int(m["end"]), re.sub(r":\d+\(", "(", m["message"])) for m in ranges]
    calls, around = collections.Counter(), []
    for begin, end, name in sorted(ranges):
        while around and around[-1][0] <= begin:
            around.pop()
        if around and around[-1][1] in names and name in names:
            calls[around[-1][1], name] += 1
        around.append((-end, name))
    return calls


class PythonTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def record(self, *words):
        """Runs Python with these words; the lines of its recording, and what it printed."""
        packages = str(pathlib.Path(nvtx.__file__).parent.parent)
        recording = record([sys.executable, *words], LIBRARY, PRINT_EVENTS, self.folder, PYTHONPATH=packages,
                           RINGSCRIBE_BUFFER_SIZE="64MiB")
        self.assertEqual((recording.said, recording.lost), ("", 0))
        self.assertEqual([line for line in recording.lines if line.startswith("problem")], [])
        return recording.lines, recording.printed

    def test_each_function_of_the_package(self):
        lines, _ = self.record(CALLS)
        shown = [event for event in events_of(lines) if event.domain != "nvtx.py"]
        numbers = collections.Counter(event for event in shown
                                      if event.message not in NUMPY and "dtype" not in event.message
                                      and "[(" not in event.message)
        expected = collections.Counter(EVENTS)
        self.assertEqual(sorted((expected - numbers).elements()), [])
        self.assertEqual(sorted((numbers - expected).elements()), [])
        for message, values in NUMPY.items():
            with self.subTest(message):
                (event,) = [event for event in shown if event.message == message]
                self.assertEqual(values_of(event.fields), values)
        (point,) = [event for event in shown if "[(" in event.message]
        self.assertEqual(values_of(point.fields), ["3.500000", "7", "8", "9", "-1", "-2"])
        self.assertEqual({name: sorted(values) for name, values in samples_of(lines).items()},
                         {name: sorted(values) for name, values in SAMPLES.items()})
        # Times of another clock, of the same moment.
        times = {line.split()[1]: int(line.split(" | ")[1].split(" = ")[0]) for line in lines
                 if line.startswith(("counter monotonic ", "counter tool "))}
        self.assertLess(abs(times["monotonic"] - times["tool"]), 60 * 10**9)
        profiled = collections.Counter(event.message for event in events_of(lines) if event.domain == "nvtx.py")
        self.assertEqual((profiled["inner"], profiled["len"]), (3, 1))

    def test_the_profiler_sees_what_pythons_own_sees(self):
        lines, printed = self.record("-m", "nvtx", SCRIPT, sys.executable, CALLS, SCRIPT)
        said, wanted = run_alone("--profile")
        self.assertEqual(printed.splitlines(), said)
        shown = collections.Counter(event.message for event in events_of(lines) if event.domain == "nvtx.py")
        self.assertGreater(sum(wanted.values()), 100)
        self.maxDiff = None
        self.assertEqual({name: shown[name] for name in wanted}, wanted)

        # Who calls whom is where ranges lie in one another.
        _, calls = run_alone("--tree")
        wanted = {(caller, callee): count for caller, callee, count in calls}
        self.assertGreater(len(wanted), 15)
        names = {name for ends in wanted for name in ends}
        self.assertEqual(calls_in_trace(lines, names), wanted)


if __name__ == "__main__":
    assert numpy is not None
    unittest.main()
