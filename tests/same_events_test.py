# SPDX-License-Identifier: Apache-2.0
"""The seed's example from Python's nvtx.writer and from C++: both journals replay to equal events.

    same_events_test.py LIBRARY SEED_EXAMPLE PRINT_EVENTS SEED_EXAMPLE_PY
"""

import os
import subprocess
import sys
import tempfile
import unittest

from nvtx.writer import load_backend

LIBRARY, EXAMPLE, PRINT_EVENTS, PYTHON_EXAMPLE = (os.path.abspath(p) for p in sys.argv[1:5])
sys.path.insert(0, os.path.dirname(PYTHON_EXAMPLE))
import seed_example  # noqa: E402: from tests/python


def events_of(journal):
    return subprocess.run([PRINT_EVENTS, journal], capture_output=True, text=True,
                          check=True).stdout.splitlines()


class SameEventsTest(unittest.TestCase):
    def test_both_clients_write_the_same_events(self):
        with tempfile.TemporaryDirectory() as folder:
            from_python = os.path.join(folder, "python.rsj")
            from_cpp = os.path.join(folder, "cpp.rsj")
            backend = load_backend(LIBRARY)
            seed_example.write_session(backend, f"format=journal|output={from_python}")
            backend.close()
            subprocess.run([EXAMPLE, from_cpp], check=True)
            expected = events_of(from_python)
            self.assertEqual(len(expected), 7, expected)
            self.assertFalse([line for line in expected if line.startswith("problem")])
            self.assertEqual(events_of(from_cpp), expected)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
