# SPDX-License-Identifier: Apache-2.0
"""What RINGSCRIBE_DOMAINS and RINGSCRIBE_CATEGORIES leave of filtered.c's calls: filters_test.py PROGRAM LIBRARY
PRINT_EVENTS."""

import collections
import os
import pathlib
import sys
import tempfile
import unittest

from events import MARK, PUSH_POP, START_END, events_of, record, samples_of

PROGRAM, LIBRARY, PRINT_EVENTS = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]

DOMAINS = ("", "io", "net")  # "": the default one, which filters call `default`
CATEGORIES = ("none", "hot", "cold", "nameless")  # as the messages are; `nameless` has number 3
ROUNDS = 4


class FiltersTest(unittest.TestCase):
    def run_it(self, *arguments, domains=None, categories=None):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            variables = {"RINGSCRIBE_DOMAINS": domains, "RINGSCRIBE_CATEGORIES": categories}
            return record([PROGRAM, *arguments], LIBRARY, PRINT_EVENTS, folder,
                          **{name: value for name, value in variables.items() if value is not None})

    def expect(self, domains_left, categories_left, **filters):
        everything = self.run_it()
        shown = self.run_it(**filters)
        # Levels, ids and handles are what they are without filters.
        self.assertEqual(shown.printed, everything.printed)
        self.assertEqual((shown.said, shown.lost), ("", 0))
        expected = collections.Counter()
        for domain in domains_left:
            for category in categories_left:
                for kind in (MARK, PUSH_POP, START_END):
                    expected[domain, kind, category] = ROUNDS
            if "none" in categories_left:
                expected[domain, PUSH_POP, ""] = 1
        events = collections.Counter((event.domain, event.kind, event.message) for event in events_of(shown.lines))
        self.assertEqual(events, expected)
        # Each begin and end counts; samples have no category.
        ranges = sum(count for (_, kind, _), count in expected.items() if kind != MARK)
        self.assertEqual(shown.recorded, sum(expected.values()) + ranges + len(domains_left))
        self.assertEqual(sum(map(len, samples_of(shown.lines).values())), len(domains_left))

    def test_nothing_is_left_out_without_a_filter(self):
        self.expect(DOMAINS, CATEGORIES)
        self.expect(DOMAINS, CATEGORIES, domains="", categories="")

    def test_domains(self):
        self.expect(("io",), CATEGORIES, domains="io")
        self.expect(("", "net"), CATEGORIES, domains="-io")
        self.expect(("",), CATEGORIES, domains="default")
        self.expect(("io", "net"), CATEGORIES, domains=" net , io ")
        self.expect(("io", "net"), CATEGORIES, domains="-default")
        self.expect((), CATEGORIES, domains="IO")

    def test_categories(self):
        self.expect(DOMAINS, ("hot",), categories="hot")
        self.expect(DOMAINS, ("none", "cold", "nameless"), categories="-hot")
        self.expect(DOMAINS, ("nameless",), categories="3")
        self.expect(DOMAINS, ("cold",), categories="2")  # a named one has its number, too
        self.expect(DOMAINS, ("none", "hot"), categories="-cold,-3")
        self.expect(DOMAINS, ("hot",), categories="hot,cold,-cold")

    def test_both(self):
        self.expect(("net",), ("cold",), domains="net", categories="cold")

    def test_domains_say_whether_they_are_recorded(self):
        self.assertEqual(self.run_it("enabled").printed, "1 1 1\n")
        self.assertEqual(self.run_it("enabled", domains="io").printed, "0 1 0\n")
        self.assertEqual(self.run_it("enabled", categories="hot").printed, "1 1 1\n")


if __name__ == "__main__":
    unittest.main()
