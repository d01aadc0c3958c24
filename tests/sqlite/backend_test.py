# SPDX-License-Identifier: Apache-2.0
"""The library of backends writes databases in a process that has an SQLite of its own.

    backend_test.py LIBRARY     # LIBRARY: //backends:libringscribe_backend.so
"""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from nvtx.writer import Session, WriterError, load_backend

LIBRARY = os.path.abspath(sys.argv.pop(1))
COUNT = "SELECT count(*) FROM events"


class BackendTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.folder = pathlib.Path(folder.name)
        os.chdir(self.folder)
        self.backend = load_backend(LIBRARY)
        self.addCleanup(self.backend.close)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_session_becomes_a_database_that_answers(self):
        with Session("My app", backend=self.backend, config="format=sqlite") as session:
            domain = session.get_domain("My Domain")
            with session.create_stream("My Stream", domain=domain) as stream:
                stream.write_mark(100, message="My Mark")
                stream.write_pushpop(start=200, end=500, message="My Message", color="green")
                counter = domain.get_counter("My Counter", int)
                stream.write_counter_batch(counter, [10, 8, 4], timestamps=[700, 800, 900])
        self.assertEqual(self.files(), ["My app.sqlite"])
        db = sqlite3.connect("My app.sqlite")
        self.assertEqual(
            db.execute("SELECT kind, name, domain, track, begin_ns, end_ns FROM events").fetchall(),
            [
                ("mark", "My Mark", "My Domain", "My Stream", 100, 100),
                ("push_pop", "My Message", "My Domain", "My Stream", 200, 500),
            ],
        )
        self.assertEqual(
            db.execute("SELECT counter, time_ns, value FROM counter_samples").fetchall(),
            [("My Counter", 700, 10), ("My Counter", 800, 8), ("My Counter", 900, 4)],
        )
        self.assertEqual(db.execute("SELECT name, is_complete FROM sessions").fetchall(), [("My app", 1)])
        self.assertEqual(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        self.assertEqual(db.execute("PRAGMA foreign_key_check").fetchall(), [])
        db.close()

    def test_the_same_process_may_read_it_meanwhile_with_its_own_sqlite(self):
        version = sqlite3.sqlite_version
        memory = sqlite3.connect(":memory:")
        config = "output=run.sqlite\nsqlite_indexes=none"
        with Session("s", backend=self.backend, config=config) as session:
            with session.create_stream("t") as stream:
                for i in range(50_000):
                    stream.write_mark(i, message="m")
                # It opens, reads and closes; ours goes on, and other processes see that it does.
                reader = sqlite3.connect("run.sqlite")
                ((first,),) = reader.execute(COUNT)
                self.assertGreater(first, 10_000)
                reader.close()
                program = "import sqlite3; c = sqlite3.connect('run.sqlite'); print(*c.execute(%r))" % COUNT
                subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
                self.assertIn("run.sqlite-wal", self.files())
                for i in range(50_000):
                    stream.write_mark(i, message="m")
        self.assertEqual(self.files(), ["run.sqlite"])
        db = sqlite3.connect("run.sqlite")
        self.assertEqual(db.execute(COUNT).fetchall(), [(100_000,)])
        indexes = "SELECT count(*) FROM sqlite_master WHERE name LIKE 'events_by%'"
        self.assertEqual(db.execute(indexes).fetchall(), [(0,)])
        db.close()
        # The application's own SQLite is as it was.
        self.assertEqual(sqlite3.sqlite_version, version)
        self.assertEqual(memory.execute("SELECT sqlite_version()").fetchall(), [(version,)])
        memory.close()

    def test_a_folder_that_may_not_be_written_is_an_error(self):
        with self.assertRaises(WriterError):
            with Session("s", backend=self.backend, config="format=sqlite\noutput=/proc/x.sqlite"):
                pass


if __name__ == "__main__":
    unittest.main()
