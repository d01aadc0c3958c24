# SPDX-License-Identifier: Apache-2.0
"""A database can be read while it is written, and whenever its writer was killed.

    kill_test.py WRITER     # WRITER: //backends/sqlite:write_ranges
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

WRITER = ""


class KillTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.path = os.path.join(self.folder.name, "Gr\u00f6\u00dfe ?%20.sqlite")

    def tearDown(self):
        self.folder.cleanup()

    def check(self, connection):
        """Returns how many ranges there are."""
        self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        self.assertEqual(connection.execute("PRAGMA foreign_key_check").fetchall(), [])
        ((count, last),) = connection.execute("SELECT count(*), max(id) FROM ranges")
        # Each range has its name and its two fields, and none is missing before the last.
        self.assertEqual(count, last or 0)
        ((fields,),) = connection.execute("SELECT count(*) FROM fields WHERE value IS NOT NULL")
        self.assertEqual(fields, 2 * count)
        ((named,),) = connection.execute("SELECT count(*) FROM ranges WHERE name LIKE 'process item %'")
        self.assertEqual(named, count)
        ((complete,),) = connection.execute("SELECT coalesce(max(is_complete), 0) FROM sessions")
        self.assertEqual(complete, 0)
        return count

    def test_thirty_kills_leave_thirty_sound_databases(self):
        chance = random.Random(7)
        counts = []
        for attempt in range(30):
            process = subprocess.Popen([WRITER, "--endless", self.path])
            # From the making of the tables to many checkpoints.
            time.sleep(0.03 * chance.random() if attempt < 8 else 0.02 + 0.5 * chance.random())
            process.kill()
            self.assertEqual(process.wait(), -9)
            if not os.path.exists(self.path):
                continue  # killed before it was made
            connection = sqlite3.connect(self.path)
            ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
            if tables == 0:
                self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            else:
                counts.append(self.check(connection))
            connection.close()
            # The next one finds what this one left, and takes nothing of it for its own.
            if attempt % 2 == 0:
                self.assertEqual(os.listdir(self.folder.name), [os.path.basename(self.path)])
        print("ranges found:", counts)
        self.assertGreater(len(counts), 20)
        self.assertGreater(max(counts), 10_000)

    def test_a_killed_ones_log_is_not_taken_by_the_next(self):
        def has_log_since(began_ns):
            try:
                log = os.stat(self.path + "-wal")
            except FileNotFoundError:
                return False
            return log.st_mtime_ns > began_ns and log.st_size > 10**5

        for _ in range(3):
            # More than the grain of a file's time after the one before was killed.
            time.sleep(0.05)
            began_ns = time.time_ns()
            process = subprocess.Popen([WRITER, "--endless", self.path])
            while not has_log_since(began_ns):
                self.assertIsNone(process.poll())
                time.sleep(0.005)
            process.kill()
            process.wait()
            self.assertTrue(os.path.exists(self.path + "-wal"))
        connection = sqlite3.connect(self.path)
        self.check(connection)
        self.assertEqual(connection.execute("SELECT count(*) FROM sessions").fetchall(), [(1,)])
        connection.close()

    def test_what_was_said_to_be_written_is_there_to_readers_at_once(self):
        process = subprocess.Popen(
            [WRITER, "--step", self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

        def step():
            process.stdin.write("\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        self.assertEqual(step(), "ok")
        reader = sqlite3.connect(self.path, isolation_level=None)
        for count in range(1, 50):
            self.assertEqual(reader.execute("SELECT count(*) FROM ranges").fetchall(), [(count,)])
            self.assertEqual(step(), "ok")
        # A reader that stays in its transaction holds nobody up, and sees one state.
        reader.execute("BEGIN")
        self.assertEqual(reader.execute("SELECT count(*) FROM ranges").fetchall(), [(50,)])
        for _ in range(200):
            began = time.monotonic()
            self.assertEqual(step(), "ok")
            self.assertLess(time.monotonic() - began, 2)
        self.assertEqual(reader.execute("SELECT count(*) FROM ranges").fetchall(), [(50,)])
        process.stdin.close()
        self.assertEqual(process.wait(), 0)
        process.stdout.close()
        reader.execute("COMMIT")
        self.assertEqual(reader.execute("SELECT count(*) FROM ranges").fetchall(), [(250,)])
        reader.close()
        self.assertEqual(os.listdir(self.folder.name), [os.path.basename(self.path)])
        check = sqlite3.connect(self.path)
        self.assertEqual(check.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        self.assertEqual(check.execute("SELECT is_complete FROM sessions").fetchall(), [(1,)])
        check.close()

    def test_a_lock_of_another_writer_is_said(self):
        process = subprocess.Popen(
            [WRITER, "--step", self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline().strip(), "ok")
        other = sqlite3.connect(self.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        process.stdin.write("\n")
        process.stdin.flush()
        sentence = process.stdout.readline()
        self.assertIn("another program holds the database's write lock", sentence)
        self.assertIn(self.path, sentence)
        other.execute("COMMIT")
        process.stdin.close()
        self.assertEqual(process.wait(), 1)
        process.stdout.close()
        self.assertEqual(other.execute("SELECT count(*) FROM ranges").fetchall(), [(1,)])
        other.close()


if __name__ == "__main__":
    WRITER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
