# SPDX-License-Identifier: Apache-2.0
"""Programs with more rights than their user (setuid) take no orders from the user's environment:
elevated_test.py ELEVATED PLANTED_LIBRARY JOURNAL_DUMP. Needs root, who can make such a program."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ELEVATED, PLANTED, DUMP = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:4])
del sys.argv[1:4]
OWNER, USER = 65534, 1

# A value of each knob that is not its default. RINGSCRIBE_OUTPUT, _CRASH_DIR and _BACKEND are set below.
KNOBS = {
    "RINGSCRIBE_ENABLED": "0", "RINGSCRIBE_BUFFER_SIZE": "64KiB", "RINGSCRIBE_MEMORY_LIMIT": "8MiB",
    "RINGSCRIBE_OVERFLOW": "block", "RINGSCRIBE_BLOCK_TIMEOUT": "7ms", "RINGSCRIBE_SNAPSHOT_SIZE": "2MiB",
    "RINGSCRIBE_SNAPSHOT_TIME": "3s", "RINGSCRIBE_SNAPSHOT_SIGNAL": "USR1", "RINGSCRIBE_SNAPSHOT_RANGE": "5s",
    "RINGSCRIBE_FLUSH_INTERVAL": "3ms", "RINGSCRIBE_FLUSH_WATERMARK": "25%", "RINGSCRIBE_BATCH_EVENTS": "17",
    "RINGSCRIBE_FLUSHER_CPU": "0", "RINGSCRIBE_CLOCK": "monotonic", "RINGSCRIBE_HUGE_PAGES": "0",
    "RINGSCRIBE_LOG": "info",
}


class ElevatedTest(unittest.TestCase):
    def setUp(self):
        # Not below TEST_TMPDIR, whose parents not everybody may enter.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="elevated"))
        self.addCleanup(shutil.rmtree, self.folder)
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest(f"{self.folder} is on a disk that is mounted nosuid")
        os.chmod(self.folder, 0o777)
        self.library = str(self.folder / "libnvtxw3.so")  # what NVTXW looks for in the current folder
        shutil.copy(PLANTED, self.library)
        os.chmod(self.library, 0o755)
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        self.program = str(bin_folder / "elevated")
        shutil.copy(ELEVATED, self.program)
        os.chown(self.program, OWNER, OWNER)

    def run_it(self, mode, name, environment):
        os.chmod(self.program, mode)
        output = self.folder / name
        run = subprocess.run([self.program, str(output)], env={**environment, "LC_ALL": "C"}, cwd=self.folder,
                             user=USER, group=USER, extra_groups=[], capture_output=True, text=True, timeout=60)
        return run, output

    def settings_in(self, output):
        dump = subprocess.run([DUMP, str(output)], check=True, capture_output=True, text=True).stdout
        texts = [call["text"] for call in map(json.loads, dump.splitlines()) if call["call"] == "string"]
        return {text for text in texts if text.startswith("RINGSCRIBE_") or text.startswith("clock=")}

    def orders(self):
        return {"RINGSCRIBE_OUTPUT": str(self.folder / "ordered.rsj"),
                "RINGSCRIBE_CRASH_DIR": str(self.folder / "crash"), "RINGSCRIBE_BACKEND": "null"}

    def test_every_knob_is_without_effect(self):
        _, undisturbed = self.run_it(0o4755, "undisturbed.rsj", {})
        expected = self.settings_in(undisturbed)
        self.assertGreater(len(expected), len(KNOBS))
        for environment in ({**KNOBS, **self.orders()}, {name: "nonsense" for name in KNOBS},
                            {"RINGSCRIBE_NO_KNOB": "1"}):
            output = self.folder / "disturbed.rsj"
            output.unlink(missing_ok=True)
            run, _ = self.run_it(0o4755, output.name, environment)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(run.stderr, "", "nor is anything said about them")
            self.assertIn("recorded 1", run.stdout)
            self.assertEqual(output.stat().st_uid, OWNER, "it had the rights")
            self.assertEqual(self.settings_in(output), expected)
            self.assertFalse((self.folder / "ordered.rsj").exists())
            self.assertFalse((self.folder / "crash").exists())

    def test_no_library_is_loaded_that_the_user_names_or_has_where_he_stands(self):
        for environment in ({}, {"NVTXW3_LIBRARY": self.library}, {"RINGSCRIBE_BACKEND": self.library},
                            {"LD_LIBRARY_PATH": str(self.folder)}, {"LD_PRELOAD": self.library}):
            run, output = self.run_it(0o4755, "out.rsj", environment)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertNotIn("PLANTED", run.stdout, environment)
            self.assertGreater(output.stat().st_size, 0)
            output.unlink()

    def test_without_the_rights_all_of_it_has_its_effect(self):
        """Or the tests above would show nothing."""
        knobs = {**KNOBS, "RINGSCRIBE_ENABLED": "1", "RINGSCRIBE_OUTPUT": str(self.folder / "ordered.rsj"),
                 "RINGSCRIBE_OVERFLOW": "block"}
        run, output = self.run_it(0o755, "plain.rsj", knobs)
        self.assertFalse(output.exists(), run.stderr)
        settings = self.settings_in(self.folder / "ordered.rsj")
        for name in ("RINGSCRIBE_BUFFER_SIZE", "RINGSCRIBE_BATCH_EVENTS", "RINGSCRIBE_CLOCK"):
            self.assertIn(f"{name}={knobs[name]}", settings)
        run, output = self.run_it(0o755, "off.rsj", {"RINGSCRIBE_ENABLED": "0"})
        self.assertFalse(output.exists())
        self.assertIn("has no effect", self.run_it(0o755, "unknown.rsj", {"RINGSCRIBE_NO_KNOB": "1"})[0].stderr)
        for environment in ({}, {"NVTXW3_LIBRARY": self.library}, {"RINGSCRIBE_BACKEND": self.library}):
            self.assertIn("PLANTED", self.run_it(0o755, "planted.rsj", environment)[0].stdout, environment)


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("skipped: only root can make a program with more rights than its user")
        sys.exit(0)
    unittest.main()
