# SPDX-License-Identifier: Apache-2.0
"""doc_test README HEADER...

docs/nvtxw.md has every public name of NVTX Writer that a producer or backend meets: macros, struct
fields and functions of the headers, and classes, methods with their arguments and enum values of
nvtx.writer, each in the first column of a table. And the tests that it names exist, as do the names
of our C API in its column C, which has an entry wherever the column of C++ has one.
"""

import enum
import inspect
import os
import re
import sys

import nvtx
from nvtx import writer

HEADERS = (
    "nvtxw3.h",
    "nvtxw3_loader.h",
    "nvToolsExtPayload.h",
    "nvToolsExtCounters.h",
    "nvToolsExtSemanticsCounters.h",
    "nvToolsExtSemanticsCorrelation.h",
    "nvToolsExtSemanticsScope.h",
    "nvToolsExtSemanticsTime.h",
)
MACRO = re.compile(
    r"^#define\s+((?:NVTX_(?:TYPE_)?(?:PAYLOAD|SCOPE|TIMESTAMP_TYPE|TIME|TIMER|COUNTER|BATCH"
    r"|SEMANTIC|CORRELATION)|NVTXW)_\w+)",
    re.M,
)
# Include guards and what belongs to the compiler.
NOT_FOR_USE = re.compile(
    r"_(V1|API)$|^NVTX_(SEMANTIC_ID_\w+_V1|PAYLOAD_VERSIONED\w+)$|^NVTXW_DECLSPEC$"
)
STRUCT = re.compile(r"typedef\s+(?:struct|union)\s*\w*\s*\{(.*?)\}\s*(\w+);", re.S)
FIELD = re.compile(r"\(\*(\w+)\)\s*\(|(\w+)(?:\[\w+\])?;")
# The enums and classes that methods of nvtx.writer take.
TAKEN = (
    "BatchOrdering CounterInterpolation CounterNoValueReason CounterSemantics CounterValueType "
    "EntryKind EventKind PayloadEntryType TimestampType"
).split()
LISTED_ELSEWHERE = ("TimestampType",)  # its values are the macros NVTX_TIMESTAMP_TYPE_*


def header_names(text):
    names = {
        name
        for name in MACRO.findall(text)
        if not NOT_FOR_USE.search(name) or name.startswith("NVTX_SEMANTIC_ID_")
    }
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    for body, struct in STRUCT.findall(code):
        # A function's parameters are no fields.
        body = re.sub(r"(\(\*\w+(?:\[\d+\])?\))\s*\([^;]*?\);", lambda m: m[1] + "(", body)
        body = re.sub(r"\(\*(\w+)\[\d+\]\)", r"(*\1)", body)
        names.update(f"{struct}.{a or b}" for a, b in FIELD.findall(body))
    return names


def python_names(module, exported):
    names = set()
    for name in exported:
        thing = getattr(module, name)
        if not isinstance(thing, type):
            names.add(f"{name}({', '.join(inspect.signature(thing).parameters)})")
            continue
        names.add(name)
        if name in LISTED_ELSEWHERE:
            continue
        if issubclass(thing, enum.Enum):
            names.update(f"{name}.{value.name}" for value in thing)
            continue
        for member in (m for m in dir(thing) if not m.startswith("_")):
            try:
                parameters = list(inspect.signature(getattr(thing, member)).parameters)
                names.add(f"{name}.{member}({', '.join(parameters[1:])})")
            except (TypeError, ValueError):  # an attribute, or a method of Python's own
                names.add(f"{name}.{member}")
    return names


def c_api_names(text):
    """Functions, types, their members and the constants of ringscribe_c.h; and the functions."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    functions = set(re.findall(r"\b(ringscribe_\w+)\(", code))
    names = functions | set(re.findall(r"\btypedef [^;{]*\b(ringscribe_\w+);", code))
    for body in re.findall(r"\benum \{(.*?)\}", code, re.S):
        names.update(re.findall(r"\b(RINGSCRIBE_\w+) =", body))
    for body, struct in re.findall(
        r"typedef struct ringscribe_\w+ \{(.*?)\} (ringscribe_\w+);", code, re.S
    ):
        names.add(struct)
        names.update(f"{struct}.{member}" for member in re.findall(r"(\w+)(?:\[\w+\])?;", body))
    return names, functions


def c_column_failures(tree, rows):
    with open(os.path.join(tree, "api", "ringscribe_c.h"), encoding="utf-8") as header:
        names, functions = c_api_names(header.read())
    for known in ("ringscribe_write_mark", "ringscribe_field.hide", "RINGSCRIBE_TYPE_INT64"):
        assert known in names, known
    with open(os.path.join(tree, "api", "c_api_calls.c"), encoding="utf-8") as calls:
        called = set(re.findall(r"\b(ringscribe_\w+)\(", calls.read()))
    for row in rows:
        if len(row) != 5:
            yield f"docs/nvtxw.md has a row of {len(row)} columns:{row[0]}"
            continue
        if row[2].strip().startswith("-") != (row[3].strip() == "-"):
            yield f"docs/nvtxw.md has a counterpart in one of C++ and C only:{row[0]}"
        for name in re.findall(r"`([^`]+)`", row[3]):
            is_there = name in names
            if name.endswith("_*"):
                is_there = any(one.startswith(name[:-1]) for one in names)
            if not is_there:
                yield f"docs/nvtxw.md names {name}, which api/ringscribe_c.h does not have"
            elif name in functions and name not in called:
                yield f"docs/nvtxw.md names {name}, which api/c_api_calls.c does not call"


def main(readme, *headers):
    tree = os.path.dirname(os.path.realpath(readme))
    with open(os.path.join(tree, "docs", "nvtxw.md"), encoding="utf-8") as doc:
        rows = [line.strip().strip("|").split("|") for line in doc if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`([^`]+)`", row[0])}
    wanted = set()
    for path in headers:
        if os.path.basename(path) in HEADERS:
            # Repositories lie beside the main one in the runfiles.
            with open(re.sub("^external/", "../", path), encoding="utf-8") as header:
                wanted |= header_names(header.read())
    # A pattern that finds nothing would prove nothing.
    for known in ("NVTXW_RESULT_FAILED", "nvtxwInterface_v2_t.EventWrite", "nvtxSyncPoint_t.dst"):
        assert known in wanted, known
    wanted |= python_names(writer, writer.__all__) | python_names(nvtx, TAKEN)
    failures = [f"docs/nvtxw.md has no row for {name}" for name in sorted(wanted - listed)]
    failures += [
        f"docs/nvtxw.md has {name}, which neither the headers nor nvtx.writer have"
        for name in sorted(listed - wanted)
        if not hasattr(nvtx.CounterSemantics, name.partition(".")[2])
        and name.partition(".")[2] not in nvtx.CounterSemantics.__dataclass_fields__
    ]
    failures += c_column_failures(tree, rows)
    for row in rows:
        for test in re.findall(r"`([^`]+)`", row[-1]):
            if not os.path.isfile(os.path.join(tree, test)):
                failures.append(f"docs/nvtxw.md names {test}, which is not in the tree")
    print("\n".join(failures) or f"{len(wanted)} names")
    return 1 if failures else 0


sys.exit(main(*sys.argv[1:]))
