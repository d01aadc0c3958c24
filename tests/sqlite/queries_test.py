# SPDX-License-Identifier: Apache-2.0
"""What the SQLite sink writes is a sound database, and answers what people ask.

    queries_test.py WRITER     # WRITER: //backends/sqlite:write_sample_databases
"""

import math
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

WRITER = ""
ODD_NAMES = [
    "",
    'operator""_kg',
    "'; DROP TABLE event_data; --",
    "a\0b\x01\x1f\x7f\r\n\t",
    "\ufffd\ufffd",
    "\u2028 and \u2029",
    "\U0001f600 h\u00e9llo",
    "%s ?1 :a",
    '"' * 65537,
]
NAMES = ("odd", "times", "nested", "many", "empty")
INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1


def bits(number):
    return struct.pack("<d", number)


class QueriesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        subprocess.run([WRITER, cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ask(self, name, sql, *values):
        connection = sqlite3.connect(os.path.join(self.folder.name, name + ".sqlite"))
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def column(self, name, sql, *values):
        return [row[0] for row in self.ask(name, sql, *values)]

    def test_the_databases_are_sound_and_alone_in_their_folder(self):
        self.assertEqual(
            sorted(os.listdir(self.folder.name)), sorted(name + ".sqlite" for name in NAMES)
        )
        for name in NAMES:
            self.assertEqual(self.ask(name, "PRAGMA integrity_check"), [("ok",)])
            self.assertEqual(self.ask(name, "PRAGMA foreign_key_check"), [])
            self.assertEqual(self.ask(name, "PRAGMA application_id"), [(0x52534442,)])
            self.assertEqual(self.ask(name, "PRAGMA user_version"), [(1,)])
            self.assertEqual(self.ask(name, "PRAGMA journal_mode"), [("delete",)])
            self.assertEqual(self.column(name, "SELECT is_complete FROM sessions"), [1])

    def test_every_view_can_be_read_to_its_end(self):
        views = self.column("odd", "SELECT name FROM sqlite_master WHERE type = 'view'")
        self.assertEqual(len(views), 11)
        for name in ("odd", "times", "nested", "empty"):
            for view in views:
                self.ask(name, f"SELECT * FROM {view}")

    def test_the_database_says_what_it_is(self):
        words = dict(self.ask("empty", "SELECT name, value FROM metadata"))
        self.assertEqual(words["producer"], "Ringscribe")
        self.assertEqual(words["schema_version"], 1)
        (tables,) = self.ask("empty", "SELECT sql FROM sqlite_master WHERE name = 'tracks'")
        self.assertIn("joined by /", tables[0])
        self.assertEqual(self.ask("empty", "SELECT count(*) FROM events"), [(0,)])

    def test_odd_names_come_back_as_names_categories_paths_and_values(self):
        for kind in ("mark", "push_pop", "start_end"):
            rows = self.ask(
                "odd",
                "SELECT name, category, domain, id FROM events WHERE kind = ? AND track = 'orders'"
                " AND time_domain IS NULL AND id <= 27 ORDER BY id",
                kind,
            )
            self.assertEqual([row[0] for row in rows], ODD_NAMES)
            for name, category, domain, event in rows[:-1]:
                self.assertEqual(category, name or None)
                self.assertEqual(domain, "io")
                fields = self.ask("odd", "SELECT path, value FROM fields WHERE event_id = ?", event)
                self.assertEqual([path for path, _ in fields], [name or "(unnamed)"] * 2)
                self.assertEqual(fields[0][1], name)
        for name in ODD_NAMES:
            self.assertEqual(self.ask("odd", "SELECT count(*) FROM events WHERE name = ?", name), [(3,)])
        self.assertEqual(self.column("odd", "SELECT name FROM sessions"), ['odd "\u2028 session'])

    def test_values_keep_every_bit_and_their_type(self):
        rows = self.ask(
            "odd",
            "SELECT path, f.type, value, typeof(value) FROM fields f JOIN events e ON e.id = event_id"
            " WHERE e.name = 'values' ORDER BY position",
        )
        self.assertEqual(
            [row for row in rows if row[1] != "real"],
            [
                ("min", "integer", INT64_MIN, "integer"),
                ("max", "integer", INT64_MAX, "integer"),
                ("beyond", "integer", 2**53 + 1, "integer"),
                ("small", "unsigned", INT64_MAX, "integer"),
                ("uint", "unsigned", str(UINT64_MAX), "text"),
                ("address", "address", "0xdeadbeef", "text"),
                ("struct.x", "integer", 1, "integer"),
                ("struct.(unnamed)", "none", None, "null"),
                ("array[0]", "integer", 1, "integer"),
                ("array[1].x", "integer", 1, "integer"),
                ("array[1].(unnamed)", "none", None, "null"),
                ("empty", "array", None, "null"),
                ("nothing", "struct", None, "null"),
                ("number text", "text", "7", "text"),
            ],
        )
        reals = {row[0]: row[2] for row in rows if row[1] == "real"}
        self.assertIsNone(reals.pop("nan"))
        expected = {
            "one": 1.0,
            "minus zero": -0.0,
            "subnormal": 5e-324,
            "huge": sys.float_info.max,
            "third": 1 / 3,
            "inf": math.inf,
            "minus inf": -math.inf,
            "struct.x": 0.5,
            "array[1].x": 0.5,
        }
        self.assertEqual(set(reals), set(expected))
        for name, value in expected.items():
            self.assertEqual(bits(reals[name]), bits(value), name)

    def test_flags_and_what_is_rare_are_columns(self):
        (row,) = self.ask(
            "odd",
            "SELECT kind, begin_ns, end_ns, end_is_missing, begin_is_missing, end_before_begin,"
            " written_end_ns, range_id, time_domain, category, category_number, stream"
            " FROM ranges WHERE name = 'flags'",
        )
        expected = ("start_end", 6000, 7000, 1, 1, 1, INT64_MIN, str(UINT64_MAX), str(UINT64_MAX))
        self.assertEqual(row, expected + (None, 10, "ticks"))
        (row,) = self.ask(
            "odd",
            "SELECT color, category, category_number, end_is_missing, range_id, time_domain, stream"
            " FROM ranges WHERE name = 'values'",
        )
        self.assertEqual(row, ("#8000FF7F", "late name", 9, 0, None, None, "orders"))
        self.assertEqual(
            self.ask("odd", "SELECT color, stream FROM marks WHERE name LIKE 'of a stream that%'"),
            [(None, None)],
        )
        self.assertEqual(
            self.ask("times", "SELECT begin_ns, end_ns, end_before_begin, written_end_ns, color FROM"
                     " ranges WHERE name = 'row' ORDER BY id"),
            [(10, 20, 0, None, "#FF0000FF"), (20, 20, 1, 5, "#FF0000FF"), (30, 40, 0, None, "#FF0000FF")],
        )

    def test_times_are_exact(self):
        rows = self.ask(
            "times",
            "SELECT begin_ns, end_ns, duration_ns, kind,"
            " (SELECT value FROM fields WHERE event_id = e.id AND path = 'begin'),"
            " (SELECT value FROM fields WHERE event_id = e.id AND path = 'end')"
            " FROM events e WHERE name = 'time'",
        )
        self.assertEqual(len(rows), 10 + 2 * 55)
        for begin, end, duration, kind, begin_text, end_text in rows:
            self.assertEqual((str(begin), str(end)), (begin_text, end_text))
            if end - begin < 2**63:
                self.assertEqual(duration, end - begin)
            else:
                self.assertEqual(duration, float(end - begin))

    def test_samples_are_numbers_and_what_is_none_says_why(self):
        load = self.ask("odd", "SELECT value, missing FROM counter_samples WHERE counter = 'load'")
        values = [0.25, -0.0, 5e-324, 1e308, None, math.inf, -math.inf]
        self.assertEqual(load, [(v, "NaN" if v is None else None) for v in values])
        self.assertEqual(bits(load[1][0]), bits(-0.0))
        depth = self.ask(
            "odd",
            "SELECT value, missing, time_domain, stream, unit, track FROM counter_samples"
            " WHERE counter = 'depth'",
        )
        self.assertEqual(
            depth,
            [
                (INT64_MAX, None, None, "ticks", "orders", "orders"),
                (-5, None, 5, "orders", "orders", "orders"),
                (None, "unavailable", None, "orders", "orders", "orders"),
            ],
        )
        self.assertEqual(
            self.ask("odd", "SELECT value_type, interpolation, minimum, maximum, track_id FROM counters"
                     " WHERE name = 'load'"),
            [("absolute", "linear", None, 1.0, None)],
        )

    def test_what_each_thread_is_called_and_where_it_is(self):
        rows = self.ask("odd", "SELECT path, kind, pid, tid, thread_number FROM tracks ORDER BY id")
        self.assertEqual(
            rows,
            [
                ("engine", "process", 4000, None, None),
                ("engine/worker", "thread", 4000, 4001, 1),
                ("engine/second", "thread", 4000, 4001, 2),
                ("engine/worker", "thread", 4000, 4001, 1),
                ("orders", "stream", None, None, None),
                ("Node[0]", "scope", None, None, None),
                ("Node[0]/GPU[1]", "scope", None, None, None),
                ("engine/late", "thread", 4000, 4002, 3),
            ],
        )
        tree = self.column("odd", "SELECT track FROM thread_tree")
        self.assertEqual(
            tree,
            ["engine", "  worker", "  second", "  worker", "  late", "orders", "Node[0]", "  GPU[1]"],
        )

    def test_where_the_time_went(self):
        expected = self.ask(
            "nested",
            "SELECT name, count(*), sum(end_ns - begin_ns), min(end_ns - begin_ns),"
            " max(end_ns - begin_ns), avg(end_ns - begin_ns) FROM ranges GROUP BY name ORDER BY name",
        )
        rows = self.ask(
            "nested",
            "SELECT name, count, total_ns, min_ns, max_ns, avg_ns FROM range_durations ORDER BY name",
        )
        self.assertEqual(rows, expected)
        self.assertGreater(len(rows), 10)
        # Sums beyond int64 are approximate, and no error.
        ((count, total),) = self.ask(
            "times", "SELECT count, total_ns FROM range_durations WHERE name = 'time'"
        )
        rows = self.ask("times", "SELECT begin_ns, end_ns FROM ranges WHERE name = 'time'")
        self.assertEqual(count, len(rows))
        exact = sum(end - begin for begin, end in rows)
        self.assertLess(abs(total - exact), exact / 1e9 + 1e11)

    def test_depth_and_self_time_are_those_of_the_producer(self):
        rows = self.ask(
            "nested",
            "SELECT depth, self_ns,"
            " (SELECT value FROM fields WHERE event_id = s.id AND path = 'depth'),"
            " (SELECT value FROM fields WHERE event_id = s.id AND path = 'self')"
            " FROM range_self_times s",
        )
        ((count,),) = self.ask("nested", "SELECT count(*) FROM ranges")
        self.assertEqual(len(rows), count)
        self.assertGreater(count, 5000)
        for depth, self_ns, expected_depth, expected_self in rows:
            self.assertEqual((depth, self_ns), (expected_depth, expected_self))
        # The parent holds its child.
        self.assertEqual(
            self.ask(
                "nested",
                "SELECT count(*) FROM range_nesting n JOIN event_data c ON c.id = n.id JOIN event_data p"
                " ON p.id = n.parent_id WHERE NOT (p.begin_ns <= c.begin_ns AND c.end_ns <= p.end_ns"
                " AND p.track_id = c.track_id)",
            ),
            [(0,)],
        )

    def test_when_it_was_in_utc(self):
        base = 1672924880617000000
        rows = dict(self.ask("odd", "SELECT begin_ns, utc_ns FROM events_utc WHERE name <> 'x'"))
        self.assertEqual(rows[0], base)
        self.assertEqual(rows[5000], base + 5500)
        utc = self.column("odd", "SELECT utc FROM events_utc WHERE name = 'values'")
        self.assertEqual(utc, ["2023-01-05T13:21:20.617005500Z"])
        self.assertEqual(self.ask("odd", "SELECT * FROM events_utc WHERE name = 'flags'"), [])
        self.assertEqual(
            self.ask("odd", "SELECT monotonic_ns, realtime_ns - ? FROM clock_points", base),
            [(2000, 2000), (3000, 3500)],
        )

    def test_what_was_lost_and_what_went_wrong(self):
        self.assertEqual(
            self.ask("odd", "SELECT stream, cause, events, time_ns, is_synchronised FROM losses"),
            [("orders", "ring full", 12, 50, 1), ("orders", "ring full", str(UINT64_MAX), 60, 0)],
        )
        self.assertEqual(
            self.ask("odd", "SELECT sentence, count FROM problems"),
            [('a payload could not be "decoded"', 3)],
        )
        self.assertEqual(
            self.ask("odd", "SELECT number, name FROM categories WHERE number IS NOT NULL ORDER BY 1"),
            [(1, "never used"), (9, "late name"), (10, None)],
        )
        self.assertEqual(
            self.ask("odd", "SELECT s.name, d.name FROM streams s JOIN domains d ON d.id = domain_id"),
            [("orders", "io"), ("ticks", "")],
        )

    def test_the_longest_and_those_of_a_span_of_time(self):
        rows = self.ask("nested", "SELECT name, duration_ns FROM ranges ORDER BY duration_ns DESC LIMIT 5")
        spans = self.ask("nested", "SELECT end_ns - begin_ns FROM event_data")
        self.assertEqual([span for _, span in rows], sorted((span for span, in spans), reverse=True)[:5])
        self.assertEqual(rows[0][0], "level 0")
        plans = self.ask(
            "nested",
            "EXPLAIN QUERY PLAN SELECT count(*) FROM ranges WHERE track_id = 1 AND begin_ns < 10",
        )
        self.assertIn("events_by_track (track_id=? AND begin_ns<?)", plans[0][3])
        plans = self.ask("nested", "EXPLAIN QUERY PLAN SELECT * FROM ranges WHERE name = 'level 19'")
        self.assertIn("events_by_name", " ".join(plan[3] for plan in plans))
        plans = self.ask("many", "EXPLAIN QUERY PLAN SELECT value FROM counter_samples WHERE"
                         " counter_id = 7 AND time_ns > 1")
        self.assertIn("samples_by_counter", plans[0][3])

    def test_twenty_thousand_tracks_and_thousands_of_counters(self):
        self.assertEqual(
            self.ask("many", "SELECT count(*), count(DISTINCT track_id) FROM marks"), [(20000, 20000)]
        )
        self.assertEqual(self.ask("many", "SELECT max(length(path)) < 5000 FROM tracks"), [(1,)])
        self.assertEqual(
            self.ask("many", "SELECT counter, sum(value) FROM counter_samples WHERE counter = ?",
                     "counter 4999"),
            [("counter 4999", 3 * 4999)],
        )
        size = os.path.getsize(os.path.join(self.folder.name, "many.sqlite"))
        self.assertLess(size, 150 << 20)


if __name__ == "__main__":
    WRITER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
