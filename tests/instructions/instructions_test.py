# SPDX-License-Identifier: Apache-2.0
"""What events cost in instructions: a guard that a noisy machine cannot fool.

Runs count_events (the first argument) under callgrind with two numbers of events; the difference,
divided by the difference of the numbers, is what one event takes, its loop included. Exact, and the
same on every machine with the same compiler; so the limits are close. Who makes something cheaper
lowers its limit; who has a reason to make it dearer says so in the commit that raises it.

Skipped, with a message, where valgrind is missing. Says all figures on stdout.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
FEW, MANY = 2_000, 22_000

# (what, phase): (measured with g++ 12 -O2, limit). "flush": the flusher's work for one event, from the
# ring to the return of the backend's batch call.
LIMITS = {
    ("live_mark", "record"): (46.0, 48),
    ("live_range", "record"): (88.0, 91),
    ("explicit_mark", "record"): (46.0, 48),
    ("counter", "record"): (52.0, 54),
    ("event40", "record"): (45.0, 47),
    ("live_mark", "flush"): (22.3, 24),
    ("event40", "flush"): (32.7, 35),
    ("mixed", "flush"): (319.0, 335),
}


def instructions(what, count, phase):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             PROGRAM, what, str(count), phase],
            capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(f"count_events {what} {count} {phase} failed: {result.stderr[-2000:]}")
        total = re.search(r"^(?:summary|totals): (\d+)", (pathlib.Path(folder) / "out").read_text(), re.M)
        return int(total.group(1))


def per_event(what, phase):
    """Instructions of one more event in the program."""
    return (instructions(what, MANY, phase) - instructions(what, FEW, phase)) / (MANY - FEW)


@unittest.skipIf(shutil.which("valgrind") is None, "valgrind is not installed: apt-get install valgrind")
class InstructionsTest(unittest.TestCase):
    recorded = {}

    def measure(self, what, phase):
        if what not in self.recorded:
            self.recorded[what] = per_event(what, "record")
        if phase == "record":
            return self.recorded[what]
        return per_event(what, phase) - self.recorded[what]

    def test_an_event_takes_no_more_instructions_than_its_limit(self):
        for (what, phase), (measured, limit) in LIMITS.items():
            with self.subTest(what=what, phase=phase):
                found = self.measure(what, phase)
                print(f"{what} {phase}: {found:.2f} instructions an event (limit {limit}, was {measured})",
                      flush=True)
                self.assertLessEqual(
                    found, limit,
                    f"{what} ({phase}) takes {found:.2f} instructions, more than {limit}: find out why "
                    "(callgrind_annotate; objdump of //bench:hot_path), or raise the limit and say why")
                # A figure of next to nothing would mean that the events were not recorded at all.
                self.assertGreater(found, 5)


if __name__ == "__main__":
    unittest.main()
