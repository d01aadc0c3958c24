# SPDX-License-Identifier: Apache-2.0
"""Programs that are built without Bazel against the distribution record what they should.

    dist_test.py TAR PRINT_LINES QUICKSTART_C PROGRAM_CC CMAKE_LISTS INSTALL_SH
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TAR, PRINT_LINES, QUICKSTART, PROGRAM, CMAKE_LISTS, INSTALL = map(os.path.abspath, sys.argv[1:7])
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dist_folder  # noqa: E402: beside this file

C99 = ["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
CXX20 = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]

FROM_C = [
    "mark quickstart/quickstart T 'rejected'",
    "push-pop quickstart/quickstart T to T 'match' category hot category 1073741824 color ff008000",
    "push-pop quickstart/quickstart T to T 'match' category hot category 1073741824 color ff008000",
    "push-pop quickstart/quickstart T to T 'match' category hot category 1073741824 color ff008000",
    "sample order book/depth T = 0",
    "sample order book/depth T = 1",
    "sample order book/depth T = 2",
    "start-end orders 1000 to 1500 'ABC' price=1.25",
    "start-end orders 1200 to 1900 'XYZ' price=2.5",
]
FROM_CXX = [
    "mark items 100 'mark 1' category hot category 1073741824",
    "push-pop program/worker T to T 'match' color 00008000",
    "sample order book/depth in orders T = 17",
    "start-end items 1000 to 1500 'process items' weights=[0.5 1.5] side='sell'",
]


class DistTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.work = cls.temporary.name
        cls.dist = dist_folder.unpack(TAR, cls.work)
        cls.include, cls.lib = (os.path.join(cls.dist, part) for part in ("include", "lib"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_ok(self, command, **more):
        result = subprocess.run(command, capture_output=True, text=True, check=False,
                                env=dist_folder.clean_environment(**more), cwd=self.work)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def record(self, binary, expected):
        """Runs `binary` under its usual name and compares the journal it writes."""
        journal = binary + ".rsj"
        self.run_ok([binary, journal])
        self.assertEqual(dist_folder.lines_of(PRINT_LINES, journal), sorted(expected))

    def build(self, folder, name, command):
        """A folder of its own for each binary: the thread's name in the output is the file's."""
        binary = os.path.join(self.work, folder, name)
        os.makedirs(os.path.dirname(binary))
        self.run_ok(command + ["-o", binary])
        return binary

    def test_each_header_compiles_with_nothing_but_the_include_folder(self):
        headers = sorted(pathlib.Path(self.include).rglob("*.h"))
        self.assertGreater(len(headers), 20)
        source = "".join(f"#include <{h.relative_to(self.include)}>\n" for h in headers)
        path = os.path.join(self.work, "all_headers.cc")
        pathlib.Path(path).write_text(source)
        self.run_ok(CXX20 + ["-fno-exceptions", "-fno-rtti", "-fsyntax-only", "-I", self.include, path])
        alone = os.path.join(self.work, "c_header.c")
        pathlib.Path(alone).write_text("#include <ringscribe/ringscribe_c.h>\nint main(void) { return 0; }\n")
        self.run_ok(C99 + ["-fsyntax-only", "-I", self.include, alone])

    def test_a_c_program_with_the_shared_library(self):
        binary = self.build("c_shared", "quickstart", C99 + [
            QUICKSTART, "-I", self.include, "-L", self.lib, "-lringscribe", "-Wl,-rpath," + self.lib])
        self.record(binary, FROM_C)

    def test_a_program_runs_on_and_records_nothing_where_recording_is_off(self):
        binary = self.build("off", "quickstart", C99 + [
            QUICKSTART, "-I", self.include, "-L", self.lib, "-lringscribe", "-Wl,-rpath," + self.lib])
        self.run_ok([binary, binary + ".rsj"], RINGSCRIBE_ENABLED="0")
        self.assertFalse(os.path.exists(binary + ".rsj"))

    def test_a_c_program_with_the_archive(self):
        # Elsewhere than the libraries: it has to find none.
        binary = self.build("c_static", "quickstart", C99 + [
            QUICKSTART, "-I", self.include, self.lib + "/libringscribe.a", "-lstdc++", "-lm",
            "-lpthread", "-ldl", "-lz"])
        self.assertNotIn("libringscribe", self.run_ok(["ldd", binary]))
        self.record(binary, FROM_C)

    def test_a_cxx_program_with_the_shared_library(self):
        binary = self.build("cxx_shared", "program", CXX20 + [
            PROGRAM, "-I", self.include, "-L", self.lib, "-lringscribe", "-Wl,-rpath," + self.lib])
        self.record(binary, FROM_CXX)

    def test_a_cxx_program_with_the_archive(self):
        binary = self.build("cxx_static", "program", CXX20 + [
            PROGRAM, "-I", self.include, self.lib + "/libringscribe.a", "-lpthread", "-ldl", "-lz"])
        self.record(binary, FROM_CXX)

    def test_a_trace_for_perfetto_comes_from_the_library_beside(self):
        binary = self.build("perfetto", "program", CXX20 + [
            PROGRAM, "-I", self.include, "-L", self.lib, "-lringscribe", "-Wl,-rpath," + self.lib])
        self.run_ok([binary, binary + ".pftrace"])
        trace = pathlib.Path(binary + ".pftrace").read_bytes()
        self.assertEqual(trace[0], 0x0A, "a trace is a list of packets, field 1")
        self.assertIn(b"process items", trace)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing: run ./setup.sh")
    def test_pkg_config_knows_where_the_folder_is(self):
        flags = self.run_ok(["pkg-config", "--cflags", "--libs", "ringscribe"],
                            PKG_CONFIG_PATH=self.lib + "/pkgconfig").split()
        binary = self.build("pkg_config", "quickstart", C99 + [QUICKSTART, "-Wl,-rpath," + self.lib] + flags)
        self.record(binary, FROM_C)

    @unittest.skipUnless(shutil.which("cmake"), "cmake is missing: run ./setup.sh")
    def test_a_cmake_project_with_both_libraries(self):
        project, build = (os.path.join(self.work, name) for name in ("project", "cmake"))
        os.makedirs(project)
        for file in (QUICKSTART, PROGRAM, CMAKE_LISTS):
            shutil.copy(file, project)
        self.run_ok(["cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.dist}"])
        self.run_ok(["cmake", "--build", build])
        for name, expected in (("c_shared", FROM_C), ("c_static", FROM_C),
                               ("cc_shared", FROM_CXX), ("cc_static", FROM_CXX)):
            with self.subTest(name):
                own = [line.replace("quickstart/quickstart", f"{name}/{name}").replace("program/", f"{name}/")
                       for line in expected]
                self.record(os.path.join(build, name), own)

    @unittest.skipUnless(shutil.which("cmake"), "cmake is missing: run ./setup.sh")
    def test_a_cmake_project_in_c_only(self):
        project = os.path.join(self.work, "c_project")
        os.makedirs(project)
        shutil.copy(QUICKSTART, project)
        pathlib.Path(project, "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(p LANGUAGES C)\n"
            "find_package(ringscribe REQUIRED)\nadd_executable(quickstart quickstart.c)\n"
            "target_link_libraries(quickstart PRIVATE ringscribe::ringscribe_static)\n")
        build = os.path.join(self.work, "c_build")
        self.run_ok(["cmake", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.dist}"])
        self.run_ok(["cmake", "--build", build])
        self.record(os.path.join(build, "quickstart"), FROM_C)

    def test_the_installer_unpacks_into_a_folder_relative_to_the_user(self):
        runfiles, user = (os.path.join(self.work, name) for name in ("runfiles", "user"))
        os.makedirs(runfiles + "/dist")
        os.makedirs(user)
        shutil.copy(TAR, runfiles + "/dist")
        subprocess.run(["sh", INSTALL, "rs"], check=True, cwd=runfiles, capture_output=True,
                       env=dist_folder.clean_environment(BUILD_WORKING_DIRECTORY=user))
        self.assertEqual(sorted(os.listdir(user + "/rs")), ["include", "lib", "share"])
        self.assertEqual(os.readlink(user + "/rs/lib/libringscribe.so"), "libringscribe.so.0")
        failed = subprocess.run(["sh", INSTALL], cwd=runfiles, capture_output=True, text=True, check=False)
        self.assertEqual(failed.returncode, 2)
        self.assertIn("usage:", failed.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
