# SPDX-License-Identifier: Apache-2.0
"""Reads the #include lines of the tree: a folder includes only what lies below it (README, "Folders").

The first argument is the README, beside which the tree lies.
"""

import pathlib
import re
import sys

# What each folder may include, besides itself. "*": anything.
ALLOWED = {
    "backends/nvtxw": set(),
    "backends/output": {"backends/nvtxw"},
    "backends/null": {"backends/nvtxw"},
    "backends/journal": {"backends/nvtxw", "backends/output"},
    "backends/model": {"backends/nvtxw", "backends/output"},
    "backends/perfetto": {"backends/nvtxw", "backends/output", "backends/model"},
    "backends/chrome": {"backends/nvtxw", "backends/output", "backends/model"},
    "backends/sqlite": {"backends/nvtxw", "backends/output", "backends/model"},
    "backends/ctf": {"backends/nvtxw", "backends/output", "backends/model"},
    "backends": {
        "backends/nvtxw",
        "backends/null",
        "backends/model",
        "backends/journal",
        "backends/perfetto",
        "backends/chrome",
        "backends/sqlite",
        "backends/ctf",
    },
    "runtime": {"backends/nvtxw"},
    "api": {"runtime", "backends/nvtxw"},
    "inject": {"runtime", "backends", "backends/nvtxw", "backends/output"},
    "tools/recording": {"backends/nvtxw", "backends/journal", "backends/model", "backends/perfetto"},
    "tools/run": {"runtime", "backends", "backends/nvtxw", "backends/output"},
    "tools": {
        "runtime",
        "backends",
        "backends/nvtxw",
        "backends/journal",
        "backends/output",
        "tools/recording",
        "tools/run",
    },
    "examples": {"*"},
    "bench": {"*"},
    "tests": {"*"},
}

# Each third-party library is used in exactly one unit (RapidJSON in one a folder, protozero in one to write and three to read); the rest of the tree does not know its name.
ONE_USER = {
    r"mimalloc\.h": "runtime/memory.cc",
    r"concurrentqueue/": "runtime/handoff_queue.cc",
    r"dlfcn\.h": "backends/nvtxw/loader.cc",
    r"xxhash\.h": "backends/journal/checksum.cc",
    r"nvtxw3/": "backends/nvtxw/abi.h",
    # And programs that carry NVTX calls.
    r"nvtx3/": (
        "backends/nvtxw/abi.h",
        "inject/nvtx_abi.h",
        "examples/nvtx/",
        "bench/injected",
        "bench/empty_injection",
    ),
    r"protozero/": (
        "backends/perfetto/trace_packet_writer",
        "backends/perfetto/packet_parts",
        "backends/perfetto/track_event_decoder",
        "backends/perfetto/trace_reader",
    ),
    r"rapidjson/": ("backends/journal/call_printer", "backends/chrome/json_text"),
    # test_database: what tests of the folder read with.
    r"(private_)?sqlite3\.h": ("backends/sqlite/database", "backends/sqlite/test_database"),
    r"CLI/": "tools/command.h",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def folder_of(path, folders):
    """The longest known folder that holds `path`."""
    matches = [f for f in folders if path == f or path.startswith(f + "/")]
    return max(matches, key=len) if matches else None


def folder_of_include(name):
    """The folder of a header of ours as it is included, or None for anybody else's."""
    if not name.startswith("ringscribe/"):
        return None
    rest = name[len("ringscribe/") :]
    return "api" if "/" not in rest else folder_of(rest, ALLOWED)


def check(root):
    problems = []
    files = [p for p in sorted(root.rglob("*")) if p.suffix in (".h", ".cc", ".c")]
    files = [p for p in files if not p.relative_to(root).parts[0].startswith("bazel-")]
    for path in files:
        name = path.relative_to(root).as_posix()
        folder = folder_of(name, ALLOWED)
        if folder is None:
            problems.append(f"{name}: its folder is not in the table of layers")
            continue
        is_test = "_test." in name or folder == "tests"
        for include in INCLUDE.findall(path.read_text()):
            target = folder_of_include(include)
            allowed = ALLOWED[folder] | {folder} | ({"tests"} if is_test else set())
            if target is not None and "*" not in allowed and target not in allowed:
                problems.append(f"{name}: includes {include}, but {folder} may not include {target}")
            for pattern, user in ONE_USER.items():
                if re.match(pattern, include) and not name.startswith(user) and not is_test:
                    problems.append(f"{name}: includes {include}, which only {user} may")
    return len(files), problems


def main():
    count, problems = check(pathlib.Path(sys.argv[1]).resolve().parent)
    for problem in problems:
        print(problem)
    # An empty tree would pass every rule: the test must have seen the code.
    if count < 40:
        problems.append("too few files")
        print(f"only {count} files were found: this test looks at the wrong place")
    print(f"{count} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
