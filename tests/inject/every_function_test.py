# SPDX-License-Identifier: Apache-2.0
"""Each function that NVTX's headers declare is called by a program of this folder, so that a new version of NVTX shows
what is missing: every_function_test.py HEADER... -- PROGRAM..."""

import pathlib
import re
import sys
import unittest

SPLIT = sys.argv.index("--")
HEADERS = [pathlib.Path(name) for name in sys.argv[1:SPLIT]]
PROGRAMS = [pathlib.Path(name) for name in sys.argv[SPLIT + 1:]]
del sys.argv[1:]
DECLARED = re.compile(r"^NVTX_DECLSPEC\b[^;{]*?\bNVTX_API\s+(nvtx\w+)\s*\(", re.MULTILINE)
MACROS = {"nvtxPayloadMark", "nvtxPayloadRangePush"}


class EveryFunctionTest(unittest.TestCase):
    def test_each_is_called(self):
        declared = {name: set(DECLARED.findall(name.read_text(encoding="utf-8"))) for name in HEADERS}
        for header in ("nvToolsExt.h", "nvToolsExtPayload.h", "nvToolsExtCounters.h", "nvToolsExtMem.h",
                       "nvToolsExtMemCudaRt.h", "nvToolsExtSync.h", "nvToolsExtCuda.h", "nvToolsExtCudaRt.h",
                       "nvToolsExtOpenCL.h"):
            self.assertTrue(any(name.name == header and found for name, found in declared.items()), header)
        functions = set().union(*declared.values()) | MACROS
        self.assertGreater(len(functions), 100)
        text = "\n".join(program.read_text(encoding="utf-8") for program in PROGRAMS)
        self.assertEqual(sorted(name for name in functions if not re.search(rf"\b{name}\(", text)), [])


if __name__ == "__main__":
    unittest.main()
