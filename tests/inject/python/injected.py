# SPDX-License-Identifier: Apache-2.0
"""Runs Python under the injection library, and says what is in the journal.

    run = injected.run(LIBRARY, SESSION_FORMATS, folder, ["program.py", "argument"])
    run.events      # facts of tests/differential/fact_sink.h, each thread's in the order of their begins
"""

import collections
import dataclasses
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "formats"))

import recording  # noqa: E402: from the folder above

OURS = ("RINGSCRIBE_", "NVTX")
OWN_DOMAIN = "ringscribe"


def environment(**more):
    return {k: v for k, v in os.environ.items() if not k.startswith(OURS)} | more


@dataclasses.dataclass
class Run:
    printed: str
    truth: recording.Truth
    events: list
    samples: list

    def counters(self):
        """What is told of each counter, by domain and name; of equal ones once."""
        result = collections.defaultdict(list)
        for counter in self.truth.of("counter"):
            told = {k: v for k, v in counter.items() if k not in ("fact", "id", "parent")}
            if told not in result[counter["domain"], counter["name"]]:
                result[counter["domain"], counter["name"]].append(told)
        return result

    def depths(self):
        """For each event how many ranges of push and pop of its thread and domain are around it."""
        result, open_ranges = [], collections.defaultdict(list)
        for event in self.events:
            around = open_ranges[event["tid"], event["domain"]]
            while around and around[-1]["end"] < event["begin"]:
                around.pop()
            result.append(len(around))
            if event["kind"] == "push-pop":
                around.append(event)
        return result


def run(library, session_formats, folder, words, **knobs):
    folder = pathlib.Path(folder)
    journal = folder / "python.rsj"
    env = environment(NVTX_INJECTION64_PATH=library, RINGSCRIBE_BACKEND="journal", RINGSCRIBE_OUTPUT=str(journal),
                      RINGSCRIBE_OVERFLOW="block", RINGSCRIBE_BLOCK_TIMEOUT="60s", **knobs)
    done = subprocess.run([sys.executable, "-s", *words], env=env, capture_output=True, text=True, timeout=240,
                          check=False)
    # What is lost or invalid would be said.
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"exit code {done.returncode}:\n{done.stderr}")
    told = folder / "told"
    told.mkdir(exist_ok=True)
    subprocess.run([session_formats, "journal", journal, told], check=True, timeout=240)
    truth = recording.load(told / "facts.jsonl")
    for fact in ("problem", "loss"):
        if truth.of(fact):
            raise AssertionError(truth.of(fact))
    tids = {track["id"]: track["tid"] for track in truth.of("track")}
    events = [event | {"tid": tids[event["track_id"]]} for event in truth.of("event") if event["domain"] != OWN_DOMAIN]
    events.sort(key=lambda event: (event["tid"], event["begin"], -event["end"]))
    samples = [sample for sample in truth.of("sample") if sample["domain"] != OWN_DOMAIN]
    return Run(done.stdout, truth, events, samples)
