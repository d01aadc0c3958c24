# SPDX-License-Identifier: Apache-2.0
"""A disk that is full, or broken, under a session: failing_disk_test.py SHIM WRITER JOURNAL_DUMP."""

import errno
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SHIM, WRITER, DUMP = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:4])
del sys.argv[1:4]
EVENTS = 100_000


class FailingDiskTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))

    def write(self, backend, output, path, after, error, **more):
        environment = dict(os.environ, LD_PRELOAD=SHIM, FAIL_PATH=path, FAIL_AFTER=str(after),
                           FAIL_ERRNO=str(error), RINGSCRIBE_OVERFLOW="block", RINGSCRIBE_BLOCK_TIMEOUT="0", **more)
        run = subprocess.run([WRITER, backend, str(output)], env=environment, capture_output=True, text=True,
                             timeout=60)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        numbers = re.search(r"failures (\d+) ended (\d+) recorded (\d+) lost (\d+)", run.stdout)
        return run, [int(n) for n in numbers.groups()]

    def test_a_disk_that_gets_full_costs_what_came_after_and_is_told(self):
        for error in (errno.ENOSPC, errno.EIO):
            for backend, extension in (("journal", "rsj"), ("perfetto", "pftrace")):
                with self.subTest(error=error, backend=backend):
                    output = self.folder / f"{backend}{error}.{extension}"
                    run, (failures, ended, recorded, lost) = self.write(backend, output, output.name, 500_000, error)
                    self.assertGreater(failures, 0)
                    self.assertEqual(ended, 0)
                    self.assertEqual(recorded + lost, EVENTS)
                    self.assertIn(os.strerror(error), run.stderr)
                    self.assertIn(output.name, run.stderr)
                    if backend == "perfetto":  # never half a trace under its name
                        self.assertFalse(output.exists())
                        self.assertEqual((self.folder / (output.name + ".part")).stat().st_size, 500_000)
                    else:
                        self.check_prefix(output)

    def check_prefix(self, journal):
        # It ends with a failure, as the journal is cut, and prints all that there is.
        dump = subprocess.run([DUMP, str(journal)], check=False, capture_output=True, text=True)
        calls = [json.loads(line) for line in dump.stdout.splitlines()]
        self.assertTrue(calls[-1]["truncated"], calls[-1])
        self.assertFalse(calls[-1]["damaged"], calls[-1])
        self.assertTrue(any(call["call"] == "event_batch" for call in calls))

    def test_a_crash_folder_without_room_is_given_up_and_the_output_is_whole(self):
        for after in (0, 50_000, 400_000):  # nothing at all, no ring, no more journal
            with self.subTest(after=after):
                crash = self.folder / "crash"
                output = self.folder / f"whole{after}.rsj"
                run, numbers = self.write("journal", output, "/crash/", after, errno.ENOSPC,
                                          RINGSCRIBE_CRASH_DIR=str(crash), RINGSCRIBE_BUFFER_SIZE="64KiB")
                self.assertEqual(numbers, [0, 1, EVENTS, 0], run.stderr)
                self.assertTrue("crash" in run.stderr, run.stderr)
                self.assertEqual(list(crash.iterdir()), [], "what was made is removed")

    def test_a_folder_that_may_not_be_written_is_an_error_when_the_session_begins(self):
        run = subprocess.run([WRITER, "journal", "/proc/no/such.rsj"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 3)
        self.assertIn("/proc/no/such.rsj", run.stdout)


if __name__ == "__main__":
    unittest.main()
