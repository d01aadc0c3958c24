# SPDX-License-Identifier: Apache-2.0
"""The names that named_objects.c gives are in the recording: named_objects_test.py PROGRAM LIBRARY PRINT_EVENTS
JOURNAL_DUMP."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from events import record

PROGRAM, LIBRARY, PRINT_EVENTS, JOURNAL_DUMP = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:5])
del sys.argv[1:5]

# Classes of resources, and the first number of each: both forms of a name follow one another.
GENERIC, CUDA, CUDART, OPENCL = 1, 4, 5, 6
OBJECTS = [
    (CUDA, 1, 1, "CUdevice"), (CUDA, 2, 3, "CUcontext"), (CUDA, 3, 5, "CUstream"), (CUDA, 4, 7, "CUevent"),
    (CUDART, 0, 9, "cuda device"), (CUDART, 1, 11, "cudaStream_t"), (CUDART, 2, 13, "cudaEvent_t"),
    (OPENCL, 1, 15, "cl_device_id"), (OPENCL, 2, 17, "cl_context"), (OPENCL, 3, 19, "cl_command_queue"),
    (OPENCL, 4, 21, "cl_mem"), (OPENCL, 5, 23, "cl_sampler"), (OPENCL, 6, 25, "cl_program"),
    (OPENCL, 7, 27, "cl_event"), (GENERIC, 3, 105, "os thread"),
]
EXPECTED = {(api << 16 | index, number + step, name + " ü" * step, "")
            for api, index, number, name in OBJECTS for step in (0, 1)}
EXPECTED |= {(GENERIC << 16 | 3, 107, "", ""), (GENERIC << 16 | 1, 101, "pointer", "objects"),
             (GENERIC << 16 | 2, 102, "handle ü", "objects"), (GENERIC << 16 | 4, 103, "registered", "objects"),
             (GENERIC << 16 | 4, 104, "", "objects")}


class NamedObjectsTest(unittest.TestCase):
    def test_names_are_in_the_journal_and_the_rest_does_nothing(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            recording = record([PROGRAM], LIBRARY, PRINT_EVENTS, folder)
            dump = subprocess.run([JOURNAL_DUMP, recording.journal], capture_output=True, text=True, check=True)
        self.assertEqual((recording.recorded, recording.lost, recording.said), (0, 0, ""))
        calls = [json.loads(line) for line in dump.stdout.splitlines() if line.startswith("{")]
        domains = {call["domain"]: call["name"] for call in calls if call["call"] == "domain"}
        shown = [(call["identifierType"], call["identifier"], call["message"], domains[call["domain"]])
                 for call in calls if call["call"] == "resource"]
        self.assertEqual(len(shown), len(set(shown)))
        self.assertEqual(set(shown), EXPECTED)


if __name__ == "__main__":
    unittest.main()
