# SPDX-License-Identifier: Apache-2.0
"""Several copies of ringscribe in one process: a program has one, shared or static, and two libraries
that it loads with RTLD_LOCAL have a hidden static one each. Each records a whole session of its own.

two_copies_test.py DIST.tar two_copies_program.cc two_copies_library.cc JOURNAL_DUMP RINGSCRIBE
"""

import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

TAR, PROGRAM, LIBRARY, DUMP, RINGSCRIBE = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:6])
del sys.argv[1:6]
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
LIB = FOLDER / "ringscribe" / "lib"
STATIC = [str(LIB / "libringscribe.a"), "-lz", "-ldl", "-lpthread"]
SHARED = ["-L", str(LIB), "-lringscribe", f"-Wl,-rpath,{LIB}", "-ldl", "-lpthread"]


def compile_it(output, *arguments):
    subprocess.run(["g++", "-std=c++20", "-O1", "-I", str(FOLDER / "ringscribe" / "include"), *arguments, "-o", output],
                   check=True)
    return output


def read_journal(path):
    """Its calls, how many events it has, and of which texts."""
    lines = subprocess.run([DUMP, str(path)], check=True, capture_output=True, text=True).stdout.splitlines()
    calls = [json.loads(line) for line in lines]
    texts = {call["handle"]: call["text"] for call in calls if call["call"] == "string"}
    events, said = 0, set()
    for call in calls:
        if call["call"] != "event_batch":
            continue
        rows = bytes.fromhex(call["hex"])
        events += len(rows) // 24
        said |= {texts.get(int.from_bytes(rows[at + 16:at + 24], "little")) for at in range(0, len(rows), 24)}
    return calls, events, said


class TwoCopiesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tarfile.open(TAR) as archive:
            archive.extractall(FOLDER)
        cls.libraries = []
        for number in (1, 2):
            cls.libraries.append(compile_it(str(FOLDER / f"libcopy{number}.so"), "-shared", "-fPIC", "-fvisibility=hidden",
                                            LIBRARY, "-Wl,--exclude-libs,ALL", *STATIC))

    def check_whole(self, path, expected_events, expected_text):
        calls, events, said = read_journal(path)
        self.assertIs(calls[-1].get("finished"), True, calls[-1])
        self.assertEqual((events, said), (expected_events, {expected_text}))

    def run_with(self, linked):
        program = compile_it(str(FOLDER / "program"), PROGRAM, *linked)
        output = FOLDER / "program.rsj"
        environment = dict(os.environ, RINGSCRIBE_OVERFLOW="block", RINGSCRIBE_BLOCK_TIMEOUT="0")
        run = subprocess.run([program, str(output), *self.libraries], env=environment, timeout=120, capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "")
        self.check_whole(output, 101_000, "of the program")
        for library in self.libraries:
            self.check_whole(library + ".rsj", 100_000, "of a library")

    def test_a_program_with_a_static_copy(self):
        self.run_with(STATIC)

    def recover(self, folder):
        return subprocess.run([RINGSCRIBE, "recover", str(folder), "-o", str(FOLDER / (folder.name + ".rsj"))],
                              capture_output=True, text=True)

    def test_each_copy_has_a_crash_folder_of_its_own_and_keeps_it_while_it_lives(self):
        program = compile_it(str(FOLDER / "program"), PROGRAM, *STATIC)
        for answer in ("\n", "k"):
            self.crash = pathlib.Path(tempfile.mkdtemp(dir=FOLDER))
            environment = dict(os.environ, WAIT="1", RINGSCRIBE_CRASH_DIR=str(self.crash))
            run = subprocess.Popen([program, str(FOLDER / "crash.rsj"), *self.libraries], env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(run.stdout.readline(), "ready\n")
            folders = list(self.crash.iterdir())
            self.assertEqual(len(folders), 3)
            for folder in folders:
                refused = self.recover(folder)
                self.assertNotEqual(refused.returncode, 0, "of a process that lives")
                self.assertIn("still recording", refused.stdout + refused.stderr)
            _, told = run.communicate(answer, timeout=60)
            self.assertNotIn("crash", told)
            if answer == "k":
                for folder in folders:
                    recovered = self.recover(folder)
                    self.assertEqual(recovered.returncode, 0, recovered.stdout + recovered.stderr)
            else:
                self.assertEqual(list(self.crash.iterdir()), [])

    def test_a_program_with_a_static_copy_whose_names_all_may_see(self):
        self.run_with([*STATIC, "-rdynamic"])

    def test_a_program_with_the_shared_library(self):
        self.run_with(SHARED)


if __name__ == "__main__":
    unittest.main()
