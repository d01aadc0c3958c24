# SPDX-License-Identifier: Apache-2.0
"""Runs programs under the injection, and has the lines of //tests:print_events as values."""

import collections
import os
import pathlib
import re
import subprocess

MARK, PUSH_POP, START_END = 0, 1, 2
EVENT = re.compile(r"(?P<row>.*?) \| kind (?P<kind>\d) \| (?P<begin>-?\d+) to (?P<end>-?\d+) \| (?P<message>.*?) \|"
                   r" category (?P<category>.*?) \| color (?P<color>\d+) \| domain (?P<domain>.*?) \|(?P<fields>.*)")

Event = collections.namedtuple("Event", "kind message category color domain fields")


Recording = collections.namedtuple("Recording", "printed said recorded lost lines journal")


def record(command, library, print_events, folder, **variables):
    """Runs `command` with a journal in `folder`; what it printed, said on stderr, and recorded."""
    journal, report = pathlib.Path(folder) / "recording.rsj", pathlib.Path(folder) / "report"
    report.write_text("")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("RINGSCRIBE_", "NVTX"))}
    env |= {"NVTX_INJECTION64_PATH": library, "RINGSCRIBE_BACKEND": "journal", "RINGSCRIBE_OUTPUT": str(journal),
            "RINGSCRIBE_INJECT_REPORT": str(report), **variables}
    run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=240, check=False)
    assert run.returncode == 0, run.stderr
    _, recorded, lost, output = report.read_text().rstrip("\n").split("\t")
    assert output == str(journal), output
    lines = subprocess.run([print_events, journal], capture_output=True, text=True, check=True).stdout.splitlines()
    return Recording(run.stdout, run.stderr, int(recorded), int(lost), lines, journal)


def events_of(lines):
    found = [EVENT.fullmatch(line) for line in lines if " | kind " in line]
    return [Event(int(m["kind"]), m["message"], m["category"], int(m["color"]), m["domain"], m["fields"].strip())
            for m in found]


def samples_of(lines):
    """The values of each counter, as texts."""
    result = collections.defaultdict(list)
    for line in lines:
        if line.startswith("counter "):
            name, rest = line.removeprefix("counter ").split(" | ")
            result[name].append(rest.split(" = ")[1])
    return result
