# SPDX-License-Identifier: Apache-2.0
"""A session that is rotated by size and by time is whole in its parts, each of which stands alone.

    rotation_test.py RUN_CPP SESSION_FORMATS WRITE_SESSIONS LIBRARY
"""

import collections
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).absolute().parent
for folder in (HERE, HERE.parent / "perfetto", HERE.parent / "chrome"):
    sys.path.insert(0, str(folder))

import recording  # noqa: E402: from the folders above, as all below
from format_table import FORMATS  # noqa: E402
from session_files import SessionFiles  # noqa: E402

PROGRAMS = []
EVENTS = 120_000  # 1 ms apart
KIB = 1024
# Bounds by format, a sixth to an eighth of the whole, and what a sink may gather beyond them.
SIZES = {"perfetto": (512 * KIB, 1024 * KIB), "chrome": (3072 * KIB, 3072 * KIB), "ctf": (768 * KIB, 3072 * KIB)}
SECONDS = 19
TIMED = ("event", "sample")


def size_of(path):
    """Of a folder it is that of its files."""
    return sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size


def events_of(shown):
    """Events and samples; on which lane a range lies depends on what else is in its file, and so does
    the name of a counter that is not the only one of its name."""
    result = collections.Counter()
    for (row, _, *rest), count in shown.samples.items():
        result[row, *rest] += count
    for (row, kind, *rest), count in shown.events.items():
        result[row, "mark" if kind == "mark" else "range", *rest] += count
    return result


def end_of(call):
    return call["end"] if call["fact"] == "event" else call["time"]


class Part:
    """A truth that announces what its events need, in the order in which they need it."""

    def __init__(self, truth):
        self.truth = recording.Truth([], truth.session, truth.clock)
        self.known = {what: truth.of(what) for what in ("track", "counter", "stream")}
        self.numbers = {what: {} for what in self.known}

    def place(self, what, number):
        """The number here; negative for none."""
        numbers = self.numbers[what]
        if number >= 0 and number not in numbers:
            call = dict(self.known[what][number])
            if "parent" in call:
                call["parent"] = self.place("track", call["parent"])
            call["id"] = numbers[number] = len(numbers)
            self.truth.calls.append(call)
        return numbers.get(number, number)

    def add(self, call):
        what = "track" if call["fact"] == "event" else "counter"
        placed = {f"{name}_id": self.place(name, call[f"{name}_id"]) for name in (what, "stream")}
        self.truth.calls.append({**call, **placed})


def parts_by_time(truth, ns):
    """What the rules of "Parts" in docs/formats.md make of a session, as a truth for each part."""
    parts, first = [], None
    for call in truth.calls:
        if call["fact"] not in TIMED:
            continue
        is_late = first is not None and call["synchronised"] and end_of(call) - first >= ns
        if not parts or is_late:
            parts.append(Part(truth))
            first = None
        if first is None and call["synchronised"]:
            first = end_of(call)
        parts[-1].add(call)
    parts[-1].truth.calls += truth.of("problem")
    return [part.truth for part in parts]


class RotationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        run_cpp, session_formats, write_sessions, library = PROGRAMS
        cls.files = SessionFiles(run_cpp, session_formats, library, cls.folder.name)
        cls.journal = cls.files.new_folder() / "long.rsj"
        cls.files.run(write_sessions, "long", cls.journal, EVENTS)
        (cls.whole,) = cls.files.convert([cls.journal], tuple(FORMATS))
        cls.truth = recording.load(cls.whole / "facts.jsonl")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def rotated(self, name, bounds):
        """The files of the parts, in their order; they are numbered from 1 without a gap."""
        (folder,) = self.files.convert([self.journal], [name], bounds)
        extension = FORMATS[name].EXTENSION
        parts = sorted(folder.glob(f"session*{extension}*"))
        self.assertEqual([part.name for part in parts],
                         [f"session-{at:04}{extension}" for at in range(1, len(parts) + 1)])
        return parts

    def test_the_session_is_as_large_as_it_says(self):
        timed = [call for call in self.truth.calls if call["fact"] in TIMED]
        self.assertEqual(sum(call["domain"] == "long" for call in timed), EVENTS)

    def test_parts_by_size_have_together_what_the_whole_has(self):
        for name, (size, gathered) in SIZES.items():
            with self.subTest(name):
                form = FORMATS[name]
                whole = self.whole / f"session{form.EXTENSION}"
                parts = self.rotated(name, f"{size // KIB}KiB")
                sizes = [size_of(part) for part in parts]
                print(f"{name}: {size_of(whole)} bytes in parts of {sizes}", flush=True)
                self.assertGreater(len(parts), 2)
                self.assertGreaterEqual(min(sizes[:-1]), size)
                self.assertLessEqual(max(sizes), size + gathered)
                union = collections.Counter()
                for part in parts:  # read() checks what the format's checker checks
                    union.update(events_of(form.read(part)))
                self.assertEqual(union, events_of(form.read(whole)))

    def test_parts_by_time_have_what_is_of_their_time(self):
        for name, form in FORMATS.items():
            with self.subTest(name):
                paths = self.rotated(name, f"{SECONDS}s")
                parts = parts_by_time(self.truth, SECONDS * 10**9)
                print(f"{name}: {len(paths)} parts", flush=True)
                self.assertGreater(len(parts), 5)
                self.assertEqual(len(paths), len(parts))
                for path, part in zip(paths, parts):
                    expected, shown = form.matched(form.expected(part), form.read(path))
                    expected.clocks = shown.clocks = []  # each part has those that it needs
                    self.assertEqual(recording.differences(expected, shown), [], path.name)


if __name__ == "__main__":
    PROGRAMS = [os.path.abspath(path) for path in sys.argv[1:5]]
    unittest.main(argv=sys.argv[:1])
