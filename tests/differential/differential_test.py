# SPDX-License-Identifier: Apache-2.0
"""The same random calls through PyPI's nvtx.writer and through our C++ API record the same.

    differential_test.py LIBRARY RUN_CPP JOURNAL_FACTS [--seeds N] [--start S] [--seed N]
                         [--document FILE]

--seed N and --document FILE run that one alone. README.md says how it works.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np  # noqa: E402

import documents  # noqa: E402: from this folder, as the next two
import generator  # noqa: E402
from comparison import Comparison  # noqa: E402

from nvtx.writer import Session, load_backend  # noqa: E402

# Documents that one process of each program runs.
CHUNK = 100
# With the second, batches are cut small and the flusher comes by in the middle of everything.
SETTINGS = [{}, {"RINGSCRIBE_BATCH_EVENTS": "3", "RINGSCRIBE_FLUSH_INTERVAL": "100us",
                 "RINGSCRIBE_BUFFER_SIZE": "64K"}]


def is_failing(differences):
    """Whether a smaller document still shows a fault: not if it has become invalid, which Python says."""
    return bool(differences) and not any(d.startswith("Python refused") for d in differences)


class DifferentialTest(unittest.TestCase):
    options = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.comparisons = []
        for i, environment in enumerate(SETTINGS):
            path = os.path.join(folder.name, str(i))
            os.mkdir(path)
            self.comparisons.append(Comparison(self.options.library, self.options.run_cpp,
                                               self.options.journal_facts, path, environment))

    def check(self, some, comparison):
        """Fails with the smallest document that fails, if any of `some` does."""
        for document, differences in zip(some, comparison.differences(some)):
            if not differences:
                continue
            smaller = documents.shrink(document, lambda several: [
                is_failing(d) for d in comparison.differences(several)])
            self.fail("seed %s: %s\n\nThe smallest document that fails (keep it in regressions/):\n%s"
                      "\n\nand fails with:\n%s" % (
                          document["seed"], "\n".join(differences[:5]), json.dumps(smaller),
                          "\n".join(comparison.differences([smaller])[0][:5])))

    def test_1_documents_that_failed_once_do_not_fail_again(self):
        kept = [json.loads(path.read_text())
                for path in sorted(pathlib.Path(HERE, "regressions").glob("*.json"))]
        for comparison in self.comparisons:
            self.check(kept, comparison)

    def test_2_random_calls_record_the_same_through_both_clients(self):
        first = self.options.start
        seeds = range(first, first + self.options.seeds)
        print(f"seeds {seeds.start} to {seeds.stop - 1}", flush=True)
        for start in range(seeds.start, seeds.stop, CHUNK):
            some = [generator.document(seed)
                    for seed in range(start, min(start + CHUNK, seeds.stop))]
            self.check(some, self.comparisons[start // CHUNK % len(self.comparisons)])

    def test_3_a_document_that_says_something_else_is_told_apart(self):
        rng = random.Random(self.options.start)
        originals = [generator.document(seed) for seed in range(CHUNK)]
        mutants = [documents.mutant(rng, document) for document in originals]
        for document, (name, mutant), differences in zip(
                originals, mutants,
                self.comparisons[0].differences(originals, [mutant for _, mutant in mutants])):
            self.assertTrue(differences, f"seed {document['seed']}: {name} was not noticed: "
                            f"{json.dumps(documents.changes(document, mutant))}")

    def test_4_the_client_still_refuses_the_types_that_the_generator_leaves_out(self):
        path = os.path.join(self.comparisons[0].folder, "refused.rsj")
        backend = load_backend(self.options.library)
        self.addCleanup(backend.close)
        with Session("refused", backend=backend, config=f"format=journal\noutput={path}") as session:
            for kind in (np.bool_, np.complex128, np.longdouble, np.datetime64):
                with self.assertRaises(Exception, msg=str(kind)):
                    session.get_domain().get_schema(np.dtype([("x", kind)]))


def main():
    parser = argparse.ArgumentParser()
    for name in ("library", "run_cpp", "journal_facts"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--document", type=os.path.abspath)
    options = parser.parse_args()
    DifferentialTest.options = options
    names = []
    if options.document:
        document = json.loads(pathlib.Path(options.document).read_text())

        def test_document(self):
            for comparison in self.comparisons:
                self.check([document], comparison)

        DifferentialTest.test_document = test_document
        names = ["DifferentialTest.test_document"]
    elif options.seed is not None:
        options.start, options.seeds = options.seed, 1
        names = ["DifferentialTest.test_2_random_calls_record_the_same_through_both_clients"]
    unittest.main(argv=[sys.argv[0], *names])


if __name__ == "__main__":
    main()
