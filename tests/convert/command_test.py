# SPDX-License-Identifier: Apache-2.0
"""The command `ringscribe convert`: command_test.py RINGSCRIBE WRITE_SESSIONS."""

import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

RINGSCRIBE, WRITE_SESSIONS = (os.path.abspath(path) for path in sys.argv[1:3])
EVENTS = 20_000
# How much more memory 800,000 events may take than 100,000: 20 bytes for each further one. Sinks
# remember where ranges lay, 16 bytes each, up to a bound (covered_time.h).
MORE_KIB_MAX = 14 * 1024
LINE = re.compile(r"(.+): (\d+) events, (\d+) bytes, (none|\d+ events) lost, \d+\.\d\d s\n")


def write_journal(path, kind, *arguments):
    subprocess.run([WRITE_SESSIONS, kind, str(path), *map(str, arguments)], check=True)


def peak_kib(*arguments):
    """The most memory that a run had."""
    process = subprocess.Popen([RINGSCRIBE, *map(str, arguments)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


class CommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.original = pathlib.Path(cls.kept.name) / "original.rsj"
        write_journal(cls.original, "long", EVENTS)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(dir=self.kept.name)
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.journal = self.folder / "run.rsj"
        self.journal.write_bytes(self.original.read_bytes())

    def convert(self, *arguments, code=0):
        result = subprocess.run([RINGSCRIBE, "convert", *map(str, arguments)], capture_output=True,
                                text=True, cwd=self.folder, timeout=120, check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_the_output_is_the_journals_name_with_the_formats_extension(self):
        for name, extension in (("perfetto", "pftrace"), ("chrome", "json"), ("ctf", "ctf"), ("sqlite", "sqlite")):
            line = LINE.fullmatch(self.convert(self.journal, "--to", name).stdout)
            output = self.folder / f"run.{extension}"
            self.assertEqual(line[1], str(output))
            self.assertEqual((int(line[2]), line[4]), (EVENTS, "none"))
            parts = output.iterdir() if output.is_dir() else [output]
            self.assertEqual(int(line[3]), sum(part.stat().st_size for part in parts))
        self.assertEqual(self.files(), ["run.ctf", "run.json", "run.pftrace", "run.rsj", "run.sqlite"])

    def test_what_is_written_is_what_was_recorded(self):
        self.convert("run.rsj", "-o", "a.sqlite")
        database = sqlite3.connect(self.folder / "a.sqlite")
        (count,) = database.execute(
            "SELECT (SELECT count(*) FROM events WHERE domain = 'long') + (SELECT count(*) FROM counter_samples)"
        ).fetchone()
        database.close()
        self.assertEqual(count, EVENTS)

    def test_the_extension_says_the_format_unless_the_option_does(self):
        self.convert("run.rsj", "-o", "a.json")
        json.loads((self.folder / "a.json").read_text())
        self.convert("run.rsj", "-o", "b.json", "--to", "perfetto")
        self.assertEqual((self.folder / "b.json").read_bytes()[:1], b"\x0a")
        self.convert("run.rsj", "-o", "c.anything")
        self.assertEqual((self.folder / "c.anything").read_bytes()[:1], b"\x0a")

    def test_a_folder_takes_the_outputs_of_several_journals(self):
        (self.folder / "out").mkdir()
        (self.folder / "50%p").write_bytes(self.journal.read_bytes())
        self.convert("run.rsj", "50%p", "--to", "chrome", "-o", "out")
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["50%p.json", "run.json"])
        self.convert("run.rsj", "50%p", "--to", "chrome", "-o", "both.json")
        self.assertIn("both-2.json", self.files())

    def test_keys_reach_the_format(self):
        line = self.convert("run.rsj", "--to", "chrome", "--config", "rotate=5s").stdout
        parts = [name for name in self.files() if name.endswith(".json")]
        self.assertGreater(len(parts), 2)
        self.assertRegex(line, rf"run-0001.json to run-{len(parts):04}.json \({len(parts)} parts\): {EVENTS} events")
        self.assertIn("rotate=often", self.convert("run.rsj", "--config", "rotate=often", code=1).stderr)
        self.assertIn("options", self.convert("run.rsj", "--config", "output=x", code=1).stderr)

    def test_a_journal_becomes_a_journal(self):
        self.convert("run.rsj", "-o", "raw.rsj", "--config", "journal_codec=raw")
        self.assertGreater((self.folder / "raw.rsj").stat().st_size, 2 * self.journal.stat().st_size)
        again = LINE.fullmatch(self.convert("raw.rsj").stdout)
        self.assertEqual(int(again[2]), EVENTS)

    def test_the_journal_is_never_overwritten(self):
        os.link(self.journal, self.folder / "link.json")
        os.symlink(self.journal, self.folder / "symbolic.json")
        os.link(self.journal, self.folder / "run.pftrace.part")
        os.link(self.journal, self.folder / "a-0001.json")
        before = self.files()
        for arguments in (["-o", "run.rsj"], ["--to", "journal"], ["-o", "link.json"], ["-o", "./symbolic.json"], []):
            with self.subTest(arguments):
                self.assertIn("would overwrite", self.convert("run.rsj", *arguments, code=1).stderr)
        named = self.convert("a-0001.json", "-o", "a.json", "--config", "rotate=1MiB", code=1)
        self.assertIn("would overwrite", named.stderr)
        self.assertEqual(self.files(), before)
        self.assertEqual(self.journal.read_bytes(), self.original.read_bytes())

    def test_what_is_no_journal_is_refused_and_nothing_is_written(self):
        whole = self.journal.read_bytes()
        (self.folder / "empty").write_bytes(b"")
        (self.folder / "text").write_text("{}" * 100)
        (self.folder / "header").write_bytes(whole[:10])
        (self.folder / "session").write_bytes(whole[:40])
        before = self.files()
        for name, sentence in (("missing", "No such file"), (".", "folder"), ("empty", "empty"),
                               ("text", "no Ringscribe journal"), ("header", "truncated"), ("session", "truncated")):
            with self.subTest(name):
                error = self.convert(name, "-o", "out.json", code=1).stderr
                self.assertRegex(error, rf'^ringscribe: cannot read "{re.escape(name)}": .*{sentence}')
        self.assertEqual(self.files(), before)

    def test_of_a_journal_that_is_cut_or_damaged_the_whole_frames_are_converted(self):
        whole = self.journal.read_bytes()
        (self.folder / "cut.rsj").write_bytes(whole[:-len(whole) // 3])
        damaged = bytearray(whole)
        damaged[len(whole) // 2] ^= 1
        (self.folder / "damaged.rsj").write_bytes(damaged)
        for name, sentence in (("cut", "did not end, or the file is cut"), ("damaged", "damaged at byte")):
            result = self.convert(f"{name}.rsj", "--to", "chrome", code=1)
            self.assertIn(sentence, result.stderr)
            events = int(LINE.fullmatch(result.stdout)[2])
            self.assertGreater(events, EVENTS // 4)
            self.assertLess(events, EVENTS)
            json.loads((self.folder / f"{name}.json").read_text())

    def test_losses_are_said(self):
        write_journal(self.folder / "lost.rsj", "losses")
        self.assertRegex(self.convert("lost.rsj").stdout, r": \d+ events, \d+ bytes, [1-9]\d* events lost, ")

    def test_command_lines_that_are_wrong(self):
        for arguments in ([], ["run.rsj", "--threads", "3"], ["run.rsj", "--nonsense"]):
            self.convert(*arguments, code=2)
        self.assertIn("use one of perfetto", self.convert("run.rsj", "--to", "gif", code=1).stderr)
        self.assertIn("No such file", self.convert("run.rsj", "-o", "missing/a.json", code=1).stderr)

    def test_the_others_are_converted_when_one_cannot_be(self):
        self.convert("missing.rsj", "run.rsj", "--to", "chrome", code=1)
        self.assertIn("run.json", self.files())

    def test_an_interrupted_conversion_leaves_nothing(self):
        big = self.folder / "big.rsj"
        write_journal(big, "long", 1_000_000)
        older = self.folder / "big.pftrace"
        older.write_bytes(b"of an older run")
        for name in ("perfetto", "chrome", "ctf", "sqlite"):
            for threads in ("1", "2"):
                before = self.files()
                process = subprocess.Popen(
                    [RINGSCRIBE, "convert", "--threads", threads, "--to", name, str(big)],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while self.files() == before and process.poll() is None:
                    time.sleep(0.001)
                process.send_signal(signal.SIGINT)
                _, error = process.communicate()
                with self.subTest(name, threads=threads):
                    self.assertEqual(process.returncode, 1, error)
                    self.assertIn("stopped", error)
                    self.assertEqual(self.files(), before)
        self.assertEqual(older.read_bytes(), b"of an older run")

    def test_memory_does_not_grow_with_the_journal(self):
        few, many = self.folder / "few.rsj", self.folder / "many.rsj"
        write_journal(few, "long", 100_000)
        write_journal(many, "long", 800_000)
        for name in ("perfetto", "chrome", "ctf", "sqlite"):
            with self.subTest(name):
                less, more = (peak_kib("convert", path, "--to", name) for path in (few, many))
                print(f"{name}: {less} KiB for 100,000 events, {more} KiB for 800,000", flush=True)
                self.assertLess(more - less, MORE_KIB_MAX)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
