# SPDX-License-Identifier: Apache-2.0
"""What users meet when they compile: the headers alone, under strict flags, and wrong declarations.

Arguments: the README, beside which the tree lies. Compilers: g++, and clang++-19 where it is installed.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve().parent
STRICT = "-std=c++20 -fsyntax-only -fno-exceptions -fno-rtti -Wall -Wextra -Wconversion -Wshadow -Werror".split()
PROLOGUE = """
#include <ringscribe/ringscribe.h>
namespace rs = ringscribe;
"""

# A wrong declaration, and words that the compiler's message has to have.
WRONG = {
    "a role that does not exist": (
        "struct A { int64_t t; }; RINGSCRIBE_SCHEMA(A, BEGIN(t));",
        "RINGSCRIBE_ROLE_BEGIN|undeclared identifier",
    ),
    "a member that does not exist": (
        "struct A { int64_t t; }; RINGSCRIBE_SCHEMA(A, MARK(time));",
        "time",
    ),
    "a time that is no int64_t": (
        "struct A { double t; }; RINGSCRIBE_SCHEMA(A, MARK(t));",
        "RANGE_BEGIN, RANGE_END, MARK and TIMESTAMP take a field of type int64_t",
    ),
    "a message that is no text": (
        "struct A { int64_t t; int m; }; RINGSCRIBE_SCHEMA(A, MARK(t), MESSAGE(m));",
        "MESSAGE takes a FixedString, an array of char, a Text or a RegisteredString",
    ),
    "a field that cannot be recorded": (
        "struct B { int x; }; struct A { int64_t t; B b; }; RINGSCRIBE_SCHEMA(A, MARK(t), FIELD(b));",
        "a field of this type cannot be recorded",
    ),
    "a counter that is no number": (
        "struct A { rs::Text t; }; RINGSCRIBE_SCHEMA(A, COUNTER(t));",
        "COUNTER takes a number",
    ),
    "a counter in an event": (
        "struct A { int64_t t; int n; }; RINGSCRIBE_SCHEMA(A, MARK(t), COUNTER(n));",
        "COUNTER and TIMESTAMP do not go with the roles of events",
    ),
    "an array of elements of variable length": (
        "struct B { rs::Text t; }; RINGSCRIBE_SCHEMA(B, FIELD(t)); struct A { rs::Array<B> b; };"
        "RINGSCRIBE_SCHEMA(A, FIELD(b));",
        "elements of an Array have a fixed length",
    ),
    "a counter group with a text of variable length": (
        "struct A { int n; rs::Text t; }; RINGSCRIBE_SCHEMA(A, COUNTER(n), FIELD(t));"
        "auto f(rs::Domain d) { return d.get_counter<A>(\"a\"); }",
        "a counter group has no fields of variable length",
    ),
    "a struct that is not trivially copyable": (
        "struct A { int64_t t; A(const A&); }; RINGSCRIBE_SCHEMA(A, MARK(t));",
        "trivially copyable",
    ),
    "two fields in one role": (
        "struct A { int64_t t, u; }; RINGSCRIBE_SCHEMA(A, MARK(t), MARK(u));",
        "may be given once",
    ),
    "a mark that is a range": (
        "struct A { int64_t t, u; }; RINGSCRIBE_SCHEMA(A, MARK(t), RANGE_BEGIN(u));",
        "a MARK or a range, not both",
    ),
    "a kind that needs other roles": (
        "struct A { int64_t t; }; RINGSCRIBE_SCHEMA(A, MARK(t));"
        "auto f(rs::Domain d) { return d.get_schema<A>(rs::EventKind::kRangePushPop); }",
        "this_kind_needs_RANGE_BEGIN_and_RANGE_END",
    ),
    "a start without a range id": (
        "struct A { int64_t t; }; RINGSCRIBE_SCHEMA(A, RANGE_BEGIN(t));"
        "auto f(rs::Domain d) { return d.get_schema<A>(rs::EventKind::kRangeStart); }",
        "this_kind_needs_exactly_one_field_of_type_RangeId",
    ),
    "a literal that is too long for its field": (
        "rs::FixedString<4> text = \"hello\";",
        "longer than the FixedString",
    ),
    "a row of another struct": (
        "struct A { int64_t t; }; RINGSCRIBE_SCHEMA(A, MARK(t)); struct B { int64_t t; };"
        "bool f(rs::Stream s, rs::Schema<A> a) { return s.write_event(a, B{1}); }",
        "no matching",
    ),
}

# What has to compile although it looks odd.
RIGHT = {
    "macros of the user's with the names of our roles": """
        #define FIELD broken broken
        #define MARK(x) also broken
        namespace mine {
        struct A { int64_t t; int n; };
        RINGSCRIBE_SCHEMA(A, MARK(t), FIELD(n));
        }
        """,
    "every type that a field may have": """
        enum class Color3 : uint8_t { kRed };
        struct A { int64_t t; bool b; char c; unsigned char d; short e; long f; unsigned long long g;
          float h; double i; Color3 j; char name[8]; rs::FixedString<5> k; int l[3];
          std::array<double, 2> m; rs::Color n; rs::CategoryId o; };
        RINGSCRIBE_SCHEMA(A, MARK(t), FIELD(b), FIELD(c), FIELD(d), FIELD(e), FIELD(f), FIELD(g),
          FIELD(h), FIELD(i), FIELD(j), MESSAGE(name), FIELD(k), FIELD(l), FIELD(m), FIELD(n),
          FIELD(o));
        """,
    "every type that only some programs need": """
        enum class Side : uint8_t { buy, sell };
        RINGSCRIBE_ENUM(Side, buy, sell);
        struct Point { float x, y; };
        RINGSCRIBE_SCHEMA(Point, FIELD(x), FIELD(y));
        struct A { int64_t t; Side side; Point p; Point list[2]; std::array<Side, 2> sides;
          rs::Text text; rs::Array<Point> points; rs::RegisteredString name; rs::Float16 half;
          rs::ScopeId scope; rs::ProcessId pid; rs::ThreadId64 tid; const void* address;
          __int128 big; std::byte raw[4]; char16_t wide[4]; long double l; };
        RINGSCRIBE_SCHEMA(A, MARK(t), FIELD(side), FIELD(p, .description = "d", .hide = true),
          FIELD(list), FIELD(sides), MESSAGE(text), FIELD(points), FIELD(name), FIELD(half),
          FIELD(scope), FIELD(pid), FIELD(tid), FIELD(address), FIELD(big), FIELD(raw), FIELD(wide),
          FIELD(l));
        void f(rs::Domain d, rs::Stream s, const std::vector<Point>& points) {
          A a{}; a.points = points; a.text = std::string("x");
          s.write_event(d.get_schema<A>(rs::EventKind::kMark), a);
        }
        """,
    "the macros in odd places": """
        void f(const rs::Stream& s, rs::Counter c) {
          if (c.ok()) RINGSCRIBE_MARK(s, "a", {.color = rs::color::red, .category = "x"});
          else RINGSCRIBE_MARK(s, "b");
          RINGSCRIBE_RANGE(s, "outer"); RINGSCRIBE_SAMPLE(s, c, 1.5f);
          { RINGSCRIBE_RANGE(s, "inner", {.category = "y"}); }
        }
        """,
}


def make_include_tree(folder):
    """The headers as users include them: <ringscribe/name.h> from api/, the rest below its folder."""
    base = folder / "ringscribe"
    base.mkdir()
    for header in (ROOT / "api").glob("*.h"):
        shutil.copy(header, base)
    for part in ("runtime", "backends/nvtxw"):
        (base / part).mkdir(parents=True)
        for header in (ROOT / part).glob("*.h"):
            shutil.copy(header, base / part)


class HeadersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        make_include_tree(pathlib.Path(cls.folder.name))
        cls.compilers = [c for c in ("g++", "clang++-19") if shutil.which(c)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def compile_all(self, sources):
        """(compiler, name, result) of each of `sources`, a dictionary, with each compiler."""
        jobs = [(compiler, name) for compiler in self.compilers for name in sources]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda job: self.compile(job[0], sources[job[1]]), jobs)
            return [(*job, result) for job, result in zip(jobs, results)]

    def compile(self, compiler, source):
        return subprocess.run(
            [compiler, *STRICT, "-I", self.folder.name, "-x", "c++", "-"],
            input=source, capture_output=True, text=True, check=False)

    def test_each_public_header_compiles_alone_under_strict_flags(self):
        headers = sorted((ROOT / "api").glob("*.h"))
        self.assertGreater(len(headers), 5)
        sources = {header.name: f"#include <ringscribe/{header.name}>\n" for header in headers}
        for compiler, header, result in self.compile_all(sources):
            with self.subTest(compiler=compiler, header=header):
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_wrong_declaration_is_a_compile_error_that_says_why(self):
        sources = {what: PROLOGUE + source for what, (source, _) in WRONG.items()}
        for compiler, what, result in self.compile_all(sources):
            with self.subTest(compiler=compiler, what=what):
                self.assertNotEqual(result.returncode, 0, "this compiles: " + sources[what])
                self.assertRegex(result.stderr, WRONG[what][1])

    def test_what_looks_odd_but_is_right_compiles(self):
        sources = {what: PROLOGUE + source for what, source in RIGHT.items()}
        for compiler, what, result in self.compile_all(sources):
            with self.subTest(compiler=compiler, what=what):
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
