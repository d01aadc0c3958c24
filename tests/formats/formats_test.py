# SPDX-License-Identifier: Apache-2.0
"""Random and odd sessions, written to every format and read back, are what the model says.

    formats_test.py RUN_CPP SESSION_ALL WRITE_SESSIONS LIBRARY [--seeds N] [--start S] [--tracks N]
                    [--seed N] [--document FILE]

--seed N and --document FILE run that one alone. README.md says how it works.
"""

import argparse
import copy
import json
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).absolute().parent
for folder in (HERE, HERE.parent / "differential", HERE.parent / "perfetto", HERE.parent / "chrome"):
    sys.path.insert(0, str(folder))

import documents  # noqa: E402: from the folders above, as all below
import generator  # noqa: E402
import odd_session  # noqa: E402
import recording  # noqa: E402
from format_table import ALL  # noqa: E402
from session_files import SessionFiles  # noqa: E402


class FormatsTest(unittest.TestCase):
    options = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.files = SessionFiles(self.options.run_cpp, self.options.session_formats,
                                  self.options.library, folder.name)

    def differences(self, document):
        (journals,) = self.files.record([document])
        return [difference for folder in self.files.convert(journals)
                for difference in self.files.differences(folder)]

    def still_fails(self, document):
        try:
            return bool(self.differences(document))
        except AssertionError:  # it is no session any more
            return False

    def check(self, some):
        """Fails with the smallest document that fails, if any of `some` does."""
        journals = self.files.record(some)
        folders = iter(self.files.convert([j for several in journals for j in several]))
        for document, several in zip(some, journals):
            found = [d for _ in several for d in self.files.differences(next(folders))]
            if not found:
                continue
            smaller = document
            if len(json.dumps(document)) < 1 << 20:
                smaller = documents.shrink(document, lambda candidates: [
                    self.still_fails(candidate) for candidate in candidates])
            self.fail("seed %s: %s\n\nThe smallest document that fails:\n%s\n\nand fails with:\n%s" % (
                document["seed"], "\n".join(found[:5]), json.dumps(smaller)[:20000],
                "\n".join(self.differences(smaller)[:5])))

    def write(self, kind, *arguments):
        """The folder of a session that write_sessions makes."""
        journal = self.files.new_folder() / "session.rsj"
        self.files.run(self.options.write_sessions, kind, journal, *arguments)
        return self.files.convert([journal])[0]

    def test_1_odd_sessions_are_what_the_model_says(self):
        for name, document in odd_session.documents().items():
            with self.subTest(name):
                self.check([document])

    def test_2_random_sessions_are_what_the_model_says(self):
        first = self.options.start
        for start in range(first, first + self.options.seeds, 50):
            last = min(start + 50, first + self.options.seeds)
            self.check([generator.document(seed) for seed in range(start, last)])

    def test_3_texts_of_any_bytes_are_what_the_model_says(self):
        folder = self.write("texts")
        self.assertEqual(self.files.differences(folder), [])
        messages = [call["message"] for call in recording.load(folder / "facts.jsonl").of("event")]
        self.assertIn("\ufffd\ufffd", messages)
        self.assertIn('"' * 65537, messages)

    def test_4_a_loss_is_told_where_and_why(self):
        folder = self.write("losses")
        self.assertEqual(self.files.differences(folder), [])
        truth = recording.load(folder / "facts.jsonl")
        losses = {(loss["lost_stream"], loss["cause"]): loss["events"] for loss in truth.of("loss")}
        self.assertEqual(set(losses), {("small", "ring full"), ("other", "ring full")})
        written = sum(call["domain"] != "ringscribe" for call in truth.of("event"))
        self.assertEqual(sum(losses.values()) + written, 2 * 5000)
        for name, form in ALL.items():
            told = {}
            for event in form.read(folder / f"session{form.EXTENSION}").events:
                fields = {key: value[-1] for key, value in event[-1]}
                if "lost_stream" in fields:
                    told[fields["lost_stream"], fields["lost_cause"]] = fields["lost_events"]
            self.assertEqual(told, losses, name)

    def test_5_many_tracks_and_counters_are_what_the_model_says(self):
        folder = self.write("wide", self.options.tracks)
        self.assertEqual(self.files.differences(folder), [])
        truth = recording.load(folder / "facts.jsonl")
        self.assertGreater(len(truth.of("track")), self.options.tracks)
        self.assertEqual(len(truth.of("counter")), self.options.tracks)

    def test_6_sessions_of_one_name_do_not_mix(self):
        folder = self.files.new_folder()
        first, second = folder / "first.rsj", folder / "second.rsj"
        self.files.run(self.options.write_sessions, "two", first, second)
        for converted, number in zip(self.files.convert([first, second]), (1, 2)):
            self.assertEqual(self.files.differences(converted), [])
            truth = recording.load(converted / "facts.jsonl")
            self.assertEqual(truth.session, "the same")
            messages = {e["message"] for e in truth.of("event") if e["domain"] != "ringscribe"}
            self.assertEqual(messages, {f"of {number}"})
        # What a process has written before is not replaced: docs/formats.md, "Files".
        both = self.files.new_folder()
        self.files.run(self.options.session_formats, ",".join(ALL), first, both, second, both)
        for name, form in ALL.items():
            for path, number in (("session", 1), ("session-2", 2)):
                events = form.read(both / f"{path}{form.EXTENSION}").events
                found = {event[2] for event in events if event[3] != "ringscribe"}
                self.assertEqual(found, {f"of {number}"}, f"{name}: {path}")

    def test_7_whatever_changes_in_a_truth_is_told_apart(self):
        """Each change of one call makes every format differ: the comparison does not pass by itself."""
        (journals,) = self.files.record([odd_session.documents()["nesting"]])
        (folder,) = self.files.convert(journals)
        for name, form in ALL.items():
            path = folder / f"session{form.EXTENSION}"
            for change in CHANGES:
                truth = recording.load(folder / "facts.jsonl")
                change(truth)
                found = recording.differences(*form.matched(form.expected(truth), form.read(path)))
                self.assertTrue(found, f"{name}: {change.__name__} was not noticed")


# --- Changes that no format may hide.


def one_event(truth, is_fit):
    return next(e for e in truth.of("event") if e["domain"] != "ringscribe" and is_fit(e))


def an_event_less(truth):
    truth.calls.remove(one_event(truth, lambda e: True))


def an_event_twice(truth):
    truth.calls.append(copy.deepcopy(one_event(truth, lambda e: True)))


def another_message(truth):
    one_event(truth, lambda e: e["message"])["message"] += "x"


def a_later_mark(truth):
    mark = one_event(truth, lambda e: e["kind"] == "mark")
    mark["begin"] = mark["end"] = mark["end"] + 1


def a_later_end(truth):
    one_event(truth, lambda e: e["kind"] == "push-pop" and e["end"] > e["begin"])["end"] += 1


def another_field(truth):
    event = one_event(truth, lambda e: e["fields"])
    name, value = event["fields"][0]
    event["fields"] = ((name, (value[0], value[1] + 1)), *event["fields"][1:])


def another_flag(truth):
    one_event(truth, lambda e: e["end_is_missing"])["end_is_missing"] = False


def another_sample(truth):
    sample = next(s for s in truth.of("sample") if s["has_value"] and not s["is_floating"])
    sample["value"] = ("i", sample["value"][1] ^ 1)


def a_sample_less(truth):
    truth.calls.remove(truth.of("sample")[0])


def another_track(truth):
    truth.of("track")[-1]["name"] += "x"


def another_nesting(truth):
    """Two equal ranges come in the other order: the other is outside."""
    calls = truth.calls
    places = [i for i, c in enumerate(calls) if c.get("message", "").startswith("equal ")]
    calls[places[0]], calls[places[1]] = calls[places[1]], calls[places[0]]


CHANGES = [an_event_less, an_event_twice, another_message, a_later_mark, a_later_end, another_field,
           another_flag, another_sample, a_sample_less, another_track, another_nesting]


def main():
    parser = argparse.ArgumentParser()
    for name in ("run_cpp", "session_formats", "write_sessions", "library"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--tracks", type=int, default=3000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--document", type=pathlib.Path)
    options = FormatsTest.options = parser.parse_args()
    names = []
    if options.document or options.seed is not None:
        document = json.loads(options.document.read_text()) if options.document \
            else generator.document(options.seed)
        FormatsTest.test_document = lambda self: self.check([document])
        names = ["FormatsTest.test_document"]
    unittest.main(argv=[sys.argv[0], *names])


if __name__ == "__main__":
    main()
