# SPDX-License-Identifier: Apache-2.0
"""Builds corners_program and its library with what //:dist installs, and looks for what they record.

corners_test.py DIST.tar corners_program.cc unloaded_library.cc JOURNAL_DUMP
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

EXPECTED_ONCE = [
    "before main",
    "of a thread that goes on recording when it ends",
    "in the destructor of a thread_local object",
    "in the destructor of a thread's key",
    "text of an unloaded library",
    "in a handler of atexit",
]


def main():
    tar, program_source, library_source, dump = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:5])
    folder = pathlib.Path(os.environ.get("TEST_TMPDIR", tempfile.mkdtemp()))
    output = folder / "corners.rsj"
    with tarfile.open(tar) as archive:
        archive.extractall(folder)
    installed = folder / "ringscribe"
    program, library = str(folder / "corners_program"), str(folder / "libunloaded.so")
    compiler = ["g++", "-std=c++20", "-O2", "-I", str(installed / "include")]
    ours = ["-L", str(installed / "lib"), "-lringscribe", f"-Wl,-rpath,{installed / 'lib'}"]
    subprocess.run([*compiler, program_source, *ours, "-ldl", "-lpthread", "-o", program], check=True)
    subprocess.run([*compiler, "-shared", "-fPIC", "-fvisibility=hidden", library_source, *ours, "-o", library],
                   check=True)
    # Nothing dropped: what is missing would be a fault.
    environment = dict(os.environ, OUT=str(output), RINGSCRIBE_OVERFLOW="block", RINGSCRIBE_BLOCK_TIMEOUT="0")
    run = subprocess.run([program, library], env=environment, timeout=120)
    if run.returncode != 0:
        sys.exit(f"the program ended with {run.returncode}")
    calls = [json.loads(line) for line in
             subprocess.run([dump, str(output)], check=True, capture_output=True, text=True).stdout.splitlines()]
    texts = {call["handle"]: call["text"] for call in calls if call["call"] == "string"}
    events = collections.Counter()
    threads = set()
    for call in calls:
        if call["call"] != "event_batch":
            continue
        rows = bytes.fromhex(call["hex"])
        size = 32 if "range" in schema_name(calls, call) else 24
        for at in range(0, len(rows), size):
            text = texts.get(int.from_bytes(rows[at + size - 8:at + size], "little"))
            events[text] += 1
            if text == "short":
                threads.add(call["scope"])
    problems = [f"{text!r}: {events[text]} events instead of 1" for text in EXPECTED_ONCE if events[text] != 1]
    if events["short"] != 2000 or len(threads) != 2000:
        problems.append(f"{events['short']} events of {len(threads)} short threads instead of 2000 of 2000")
    if events["beside a hook"] != 20:
        problems.append(f"'beside a hook': {events['beside a hook']} events instead of 20")
    for text in ("of a cancelled thread", "while the process exits", "in operator new"):
        if events[text] == 0:
            problems.append(f"{text!r}: none")
    if "category of an unloaded library" not in json.dumps(calls):
        problems.append("the category of the unloaded library is missing")
    if calls[-1].get("finished") is not True:
        problems.append(f"the journal is not finished: {calls[-1]}")
    for problem in problems:
        print(problem)
    print(f"{sum(events.values())} events")
    sys.exit(1 if problems else 0)


def schema_name(calls, batch):
    for call in calls:
        if call["call"] == "schema" and call["schemaId"] == batch["eventSchemaId"]:
            return call["name"]
    return ""


main()
