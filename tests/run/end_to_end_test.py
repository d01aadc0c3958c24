# SPDX-License-Identifier: Apache-2.0
"""A program with NVTX calls, `ringscribe run` and the injection library, as they are built:
end_to_end_test.py RINGSCRIBE PROGRAM JOURNAL_DUMP. The library is found near the tool."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RINGSCRIBE, PROGRAM, DUMP = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]
RANGES = 1000
OURS = ("RINGSCRIBE_", "NVTX", "BUILD_WORKING_DIRECTORY")


class EndToEndTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *words):
        """What it says, without "ringscribe: "; the program itself ran as ever."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
        run = subprocess.run([RINGSCRIBE, "run", *words], cwd=self.folder, env=env, capture_output=True, text=True,
                             timeout=120, check=False)
        self.assertEqual((run.returncode, run.stdout), (5, f"{RANGES} ranges\n"), run.stderr)
        return re.findall("^ringscribe: (.*)\n", run.stderr, re.MULTILINE)

    def texts(self, name):
        """How often each of the program's texts stands in the journal's dump."""
        dump = subprocess.run([DUMP, name], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        for line in dump.splitlines():
            json.loads(line)
        return {text: text in dump for text in ("begin", "work", "read")}

    def test_a_trace_with_all_events(self):
        said = self.run_it("--", PROGRAM, str(RANGES))
        # A push and a pop may count as two.
        self.assertEqual(len(said), 1)
        events = int(re.fullmatch(r"traced_program\.pftrace: (\d+) events, 0 lost", said[0])[1])
        self.assertIn(events, (RANGES + 2, 2 * RANGES + 2))
        self.assertEqual([p.name for p in self.folder.iterdir()], ["traced_program.pftrace"])
        self.assertGreater((self.folder / "traced_program.pftrace").stat().st_size, RANGES)

    def test_a_journal_of_one_domain(self):
        said = self.run_it("--format", "journal", "-o", "x-%p.rsj", "--overflow", "block", "--", PROGRAM, str(RANGES))
        name = re.fullmatch(r"(x-\d+\.rsj): \d+ events, 0 lost", said[0])[1]
        self.assertEqual(self.texts(name), {"begin": True, "work": True, "read": True})
        self.assertEqual(self.run_it("--domains", "io", "-o", "io.rsj", "--", PROGRAM, str(RANGES)),
                         ["io.rsj: 1 event, 0 lost"])
        self.assertEqual(self.texts("io.rsj"), {"begin": False, "work": False, "read": True})

    def test_processes_that_are_started_are_recorded_if_they_should_be(self):
        script = f"{PROGRAM} {RANGES}; exit $?"
        said = self.run_it("--", "sh", "-c", script)
        self.assertRegex(said[0], "^no events: sh never called NVTX.*--follow-forks$")
        said = self.run_it("--follow-forks", "--", "sh", "-c", script)
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], r"^sh-\d+\.pftrace: \d+ events, 0 lost$")


if __name__ == "__main__":
    unittest.main()
