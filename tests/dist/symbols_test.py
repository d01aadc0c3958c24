# SPDX-License-Identifier: Apache-2.0
"""What our libraries show to the linker is what we promise, and nothing that could collide.

    symbols_test.py SHARED ARCHIVE BACKEND EXPORTED_SYMBOLS C_API_CALLS C_HEADER
"""

import re
import subprocess
import sys
import unittest

SHARED, ARCHIVE, BACKEND, EXPORTED, CALLS, HEADER = sys.argv[1:7]

# Mangled names of namespace ringscribe: functions, variables, and what belongs to its classes.
OURS_IN_CXX = re.compile(r"_Z(N|NK|T[A-Z]N|ZN|ZNK|GVN|GVZN|GVZNK)10ringscribe")


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def listed():
    return [line for line in text_of(EXPORTED).splitlines() if line and not line.startswith("#")]


def defined_symbols(library, *flags):
    """Global names that the library defines. Lower case letters are local, but for u, v and w."""
    output = subprocess.run(["nm", "--defined-only", "--format=posix", *flags, library],
                            capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in output.splitlines())
    return [row[0] for row in rows if len(row) > 1 and (row[1].isupper() or row[1] in "uvw")]


class SymbolsTest(unittest.TestCase):
    def test_the_list_is_sorted_and_is_what_the_header_declares(self):
        self.assertEqual(listed(), sorted(set(listed())))
        code = re.sub(r"//.*", "", text_of(HEADER))
        self.assertEqual(listed(), sorted(set(re.findall(r"\b(ringscribe_[a-z0-9_]+)\(", code))))

    def test_the_shared_library_exports_the_c_functions_of_the_list(self):
        exported = {name for name in defined_symbols(SHARED, "--dynamic") if not name.startswith("_Z")}
        missing, added = sorted(set(listed()) - exported), sorted(exported - set(listed()))
        self.assertFalse(missing, f"{missing} are in {EXPORTED} and not in the library: programs that "
                         "were linked to an older one would not start; bring them back, or raise "
                         "SOVERSION in dist/version.bzl and remove the lines")
        self.assertFalse(added, f"{added} are in the library and not in {EXPORTED}: if they are meant "
                         "to be used, add the lines and raise RINGSCRIBE_C_API_VERSION, else hide them "
                         "(dist/visible_names.txt)")

    def test_of_cxx_the_shared_library_exports_namespace_ringscribe_only(self):
        exported = [name for name in defined_symbols(SHARED, "--dynamic") if name.startswith("_Z")]
        self.assertEqual([name for name in exported if not OURS_IN_CXX.match(name)], [])
        # What the inline hot path calls.
        for part in ("7Session5begin", "7runtime8tls_ring", "7runtime9make_room", "6Domain"):
            self.assertTrue([name for name in exported if part in name], part)

    def test_the_backend_library_exports_the_two_functions_of_nvtxw(self):
        self.assertEqual(sorted(defined_symbols(BACKEND, "--dynamic")), ["nvtxwFinalize", "nvtxwGetInterface"])

    def test_no_global_name_of_the_archive_can_collide_with_the_programs(self):
        names = defined_symbols(ARCHIVE)
        self.assertGreater(len(names), len(listed()))
        strange = [n for n in names if not n.startswith("ringscribe_") and not OURS_IN_CXX.match(n)]
        self.assertEqual(strange, [], "malloc, operator new, mi_* and the C++ library's templates "
                         "have to be local: see dist/visible_names.txt")
        self.assertLessEqual(set(listed()), set(names))

    def test_the_shared_library_has_its_soname_and_stays_loaded(self):
        output = subprocess.run(["readelf", "-dW", SHARED], capture_output=True, text=True, check=True).stdout
        self.assertIn("[libringscribe.so.0]", output)
        self.assertIn("NODELETE", output)
        self.assertNotIn("TEXTREL", output)

    def test_the_library_needs_little_of_the_memory_for_threads_variables(self):
        # It is loaded late by interpreters: glibc keeps 512 bytes for all such libraries.
        output = subprocess.run(["readelf", "-lW", SHARED], capture_output=True, text=True, check=True).stdout
        sizes = [int(line.split()[5], 16) for line in output.splitlines() if line.strip().startswith("TLS")]
        self.assertEqual(len(sizes), 1)
        self.assertLessEqual(sizes[0], 256)

    def test_the_c_program_of_the_test_uses_each_function(self):
        code = text_of(CALLS)
        unused = [name for name in listed() if not re.search(rf"\b{name}\b", code)]
        self.assertEqual(unused, [], "call them in api/c_api_calls.c and expect it in tests/dist/c_api_test.cc")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
