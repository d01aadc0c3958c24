# SPDX-License-Identifier: Apache-2.0
"""However a program ends, and whatever is wrong around it: it does as it would alone, and nothing that was recorded is
lost for no reason.

    surroundings_test.py ENDINGS ENDINGS_STATIC LIBRARY PRINT_EVENTS RINGSCRIBE
"""

import collections
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from events import PUSH_POP, events_of

ENDINGS, ENDINGS_STATIC, LIBRARY, PRINT_EVENTS, RINGSCRIBE = (
    str(pathlib.Path(p).absolute()) for p in sys.argv[1:6])
del sys.argv[1:6]
OURS = ("RINGSCRIBE_", "NVTX")
RANGES = 1000


class SurroundingsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.journal = self.folder / "endings.rsj"

    def run_it(self, how, program=ENDINGS, **variables):
        """Its exit code and what it said; NVTX's loader is told of the library unless `variables` say otherwise."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
        env |= {"NVTX_INJECTION64_PATH": LIBRARY, "RINGSCRIBE_BACKEND": "journal",
                "RINGSCRIBE_OUTPUT": str(self.journal), **variables}
        run = subprocess.run([program, how], cwd=self.folder, env=env, capture_output=True, text=True, timeout=120,
                             check=False)
        return run.returncode, run.stderr

    def ranges(self, journal=None):
        lines = subprocess.run([PRINT_EVENTS, journal or self.journal], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        return collections.Counter(event.message for event in events_of(lines) if event.kind == PUSH_POP)

    def test_it_returns(self):
        self.assertEqual(self.run_it(""), (0, ""))
        self.assertEqual(self.ranges(), {"open": 1, "inner": RANGES})

    def test_it_closes_what_it_did_not_open(self):
        self.assertEqual(self.run_it("close"), (0, ""))
        self.assertEqual(self.ranges(), {"open": 1, "inner": RANGES})

    def test_what_it_prints_into_closed_streams_is_in_no_recording(self):
        for extension in ("rsj", "pftrace", "json", "sqlite", "ctf"):
            with self.subTest(extension):
                output = self.folder / f"closed.{extension}"
                env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
                env |= {"NVTX_INJECTION64_PATH": LIBRARY, "RINGSCRIBE_OUTPUT": str(output),
                        "RINGSCRIBE_CRASH_DIR": str(self.folder / "crash")}
                run = subprocess.run(["sh", "-c", '"$0" print <&- >&- 2>&-', ENDINGS], env=env, timeout=120, check=False)
                # 3: there is no such stream. While a thread of ours makes a file, its number may be that for a moment.
                self.assertIn(run.returncode, range(4))
                files = [output] if output.is_file() else list(output.iterdir())
                self.assertNotEqual(files, [])
                self.assertEqual([file for file in files if b"printed" in file.read_bytes()], [])
                if extension == "rsj":
                    self.assertEqual(self.ranges(output), {"open": 1, "inner": RANGES})

    def test_files_of_one_that_closes_all_descriptors_are_left_alone(self):
        for crash in ({}, {"RINGSCRIBE_CRASH_DIR": str(self.folder / "crash")}):
            with self.subTest(crash):
                code, said = self.run_it("close all", RINGSCRIBE_LOG="error", **crash)
                self.assertEqual(code, 0)
                self.assertIn("the program closed it", said)
                own = sorted(self.folder.glob("own-*.txt"))
                self.assertEqual({path.read_bytes() for path in own}, {b"mine"})
                self.assertEqual(len(own), 20)
                for path in own:
                    path.unlink()

    def test_a_forked_child_records_nothing_and_harms_nothing(self):
        self.assertEqual(self.run_it("fork"), (7, ""))
        self.assertEqual(self.ranges(), {"open": 1, "inner": RANGES})

    def test_what_it_did_not_end_is_recovered(self):
        for how, code in (("_exit", 3), ("kill", -signal.SIGKILL), ("abort", -signal.SIGABRT)):
            with self.subTest(how):
                crash, recovered = self.folder / f"crash-{how}", self.folder / f"{how}.rsj"
                self.assertEqual(self.run_it(how, RINGSCRIBE_CRASH_DIR=str(crash))[0], code)
                subprocess.run([RINGSCRIBE, "recover", crash, "-o", recovered], check=True, capture_output=True)
                self.assertEqual(self.ranges(recovered), {"open": 1, "inner": RANGES})

    def test_it_is_linked_in(self):
        # The variable goes first, as NVTX has it: there is one recording.
        for path in (None, LIBRARY):
            with self.subTest(path):
                env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
                env |= {"RINGSCRIBE_OUTPUT": str(self.journal)} | ({"NVTX_INJECTION64_PATH": path} if path else {})
                run = subprocess.run([ENDINGS_STATIC, ""], cwd=self.folder, env=env, capture_output=True, text=True,
                                     timeout=120, check=False)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertEqual(self.ranges(), {"open": 1, "inner": RANGES})
                self.assertEqual([path.name for path in self.folder.glob("*.rsj")], ["endings.rsj"])
        self.assertEqual(self.run_it("fork", ENDINGS_STATIC)[0], 7)

    def test_no_library(self):
        no_library = self.folder / "text.so"
        no_library.write_text("no library")
        for path in ("/nowhere/library.so", str(no_library), str(self.folder), "", "./."):
            with self.subTest(path):
                self.assertEqual(self.run_it("fork", NVTX_INJECTION64_PATH=path)[0], 7)
                self.assertFalse(self.journal.exists())

    def test_an_output_that_cannot_be_made(self):
        code, said = self.run_it("fork", RINGSCRIBE_OUTPUT="/nowhere/a.rsj")
        self.assertEqual(code, 7)
        self.assertIn("/nowhere/a.rsj", said)
        self.assertIn("NVTX calls of \"endings\" are not recorded", said)

    def test_knobs_of_no_use(self):
        code, said = self.run_it("fork", RINGSCRIBE_BUFFER_SIZE="much", RINGSCRIBE_BACKEND="/nowhere/backend.so")
        self.assertEqual(code, 7)
        self.assertIn('RINGSCRIBE_BUFFER_SIZE="much" cannot be used', said)
        self.assertIn("/nowhere/backend.so", said)
        self.assertEqual(self.run_it("", RINGSCRIBE_ENABLED="0"), (0, ""))
        self.assertFalse(self.journal.exists())

    def test_domains_that_are_left_out(self):
        self.assertEqual(self.run_it("", RINGSCRIBE_DOMAINS="io"), (0, ""))
        self.assertEqual(self.ranges(), {})
        self.assertEqual(self.run_it("", RINGSCRIBE_DOMAINS="-io"), (0, ""))
        self.assertEqual(self.ranges(), {"open": 1, "inner": RANGES})
        self.assertEqual(self.run_it("", RINGSCRIBE_CATEGORIES="hot"), (0, ""))
        self.assertEqual(self.ranges(), {})


if __name__ == "__main__":
    unittest.main()
