# SPDX-License-Identifier: Apache-2.0
"""Asks the same questions of Ringscribe and of every peer that a package registry has.

    bazel run -c opt //bench:compare -- [--json FILE] [--quick] [--runs N] [--only SYSTEM[,SYSTEM]]

The programs (bench/peers, all on bench/harness.cc) are run in turn: each group of questions of each
system, then the whole again, so that a noisy minute hits all alike. Minimum and median over the runs.
A system that is not there is named as skipped, with the reason.

Arguments before the user's: the folder of the programs.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import lttng_session

CALLS = ["calls", "single"]
LIVE = ["sustained_live_1", "sustained_live_2", "sustained_range"]
THREADS = ["first_event", "thread_churn", "idle"]
OURS = ["sustained_explicit_1", "sustained_perfetto", "sustained_perfetto_range"]

# System: (program, groups).
SYSTEMS = {
    "ringscribe": ("hot_path", CALLS + LIVE + OURS + THREADS),
    "lttng-ust": ("peer_lttng_ust", CALLS + LIVE + THREADS),
    "spdlog": ("peer_spdlog_async", CALLS + LIVE + THREADS),
    "tracy": ("peer_tracy", CALLS + LIVE + THREADS),
    "perfetto-sdk": ("peer_perfetto_sdk", CALLS + LIVE + OURS[1:] + THREADS),
    "concurrentqueue": ("peer_concurrentqueue", CALLS),
    "boost-spsc": ("peer_boost_spsc", CALLS),
    "nvtxw-direct": ("peer_nvtxw_direct", CALLS),
}
# In no registry that this benchmark knows of; PEERS of the project's notes have their figures.
NOT_TO_BE_HAD = {name: "in no package registry" for name in ("binlog", "quill", "nanolog", "fmtlog")}

# Knobs of ours: nothing is to be lost where all is to be in the file, and no system call is to be
# among the single calls. What these leave out has figures beside it (suffix, knobs).
KNOBS = {
    "sustained": {"RINGSCRIBE_OVERFLOW": "block", "RINGSCRIBE_BLOCK_TIMEOUT": "0"},
    "single": {"RINGSCRIBE_FLUSH_WATERMARK": "0", "RINGSCRIBE_BUFFER_SIZE": "16MiB"},
}
SUFFIXED = {"single": [("_with_wake_up", {})]}

# Events of the sustained groups, where not 10 million: slower systems take as long with fewer.
EVENTS = {"spdlog": 1_000_000, "perfetto-sdk": 3_000_000}

# The names that DESIGN.md fixes.
RENAMED = {
    "sustained_live_1_size": "journal_mark_size",
    "sustained_range_size": "journal_range_size",
    "sustained_perfetto": "perfetto_rate",
    "sustained_perfetto_range_size": "perfetto_range_size",
}


def knobs_of(group):
    return next((knobs for prefix, knobs in KNOBS.items() if group.startswith(prefix)), {})


class Comparison:
    def __init__(self, programs, quick, folder):
        self.programs, self.quick, self.folder = programs, quick, folder
        self.values = collections.defaultdict(list)  # (question, system, unit): values
        self.lost = collections.Counter()
        self.skipped = dict(NOT_TO_BE_HAD)
        self.failures = {}
        self.lttng = None
        self.lttng_sessions = 0

    def command(self, system, group, suffix):
        program, _ = SYSTEMS[system]
        command = [str(self.programs / program), group, "--folder", str(self.folder)]
        if group.startswith("sustained"):
            events = EVENTS.get(system, 10_000_000)
            command += ["--events", str(events // 10 if self.quick else events)]
        elif self.quick:
            few = {"calls": ["--bursts", "5", "--rounds", "1"], "single": ["--events", "100000"],
                   "first_event": ["--events", "16"], "thread_churn": ["--events", "1000"],
                   "idle": ["--events", "1"]}
            command += few[group]
        return command + (["--suffix", suffix] if suffix else [])

    def run_program(self, command, environment):
        try:
            result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return None, "took more than 300 s"
        return result.stdout, f"exit code {result.returncode}" if result.returncode else None

    def ask(self, system, group, suffix="", knobs=None):
        command = self.command(system, group, suffix)
        environment = dict(os.environ, **(knobs_of(group) if knobs is None else knobs))
        session = None
        if system == "lttng-ust":
            self.lttng_sessions += 1
            with self.lttng.session(f"bench{self.lttng_sessions}") as session:
                environment.update(session.environment)
                output, failure = self.run_program(command, environment)
        else:
            output, failure = self.run_program(command, environment)
        self.keep(system, group, output or "", session, failure)
        for left in self.folder.glob("bench.*"):
            left.unlink()

    def keep(self, system, group, output, session, failure):
        """Takes over the figures of one program."""
        figures = [line.split("\t") for line in output.splitlines()]
        if figures and figures[0][0] == "skipped":
            self.skipped[system] = figures[0][1]
            return
        if failure:
            self.failures[f"{system} {group}"] = failure
        events = EVENTS.get(system, 10_000_000) // (10 if self.quick else 1)
        if session is not None and group.startswith("sustained"):
            per_event = 2 if group == "sustained_range" else 1
            figures.append([f"{group}_size", "bytes", session.trace_bytes / events, 0])
            self.lost[f"{group}", system] += session.discarded // per_event
        for question, unit, value, lost in figures:
            question = RENAMED.get(question, question)
            self.lost[question, system] += int(lost)
            if unit != "events":
                self.values[question, system, unit].append(float(value))

    def run(self, systems, runs):
        groups = CALLS + LIVE + OURS + THREADS
        for number in range(runs):
            for group in groups:
                for system in systems:
                    if system in self.skipped or group not in SYSTEMS[system][1]:
                        continue
                    print(f"run {number + 1}/{runs}: {group} {system}", file=sys.stderr, flush=True)
                    self.ask(system, group)
                    if system == "ringscribe":
                        for suffix, knobs in SUFFIXED.get(group, []):
                            self.ask(system, group, suffix, knobs)

    def library_text(self):
        """The functions of a program with one mark and no backend, without mimalloc's."""
        listed = subprocess.run(["nm", "-S", "--defined-only", str(self.programs / "api_only")],
                                capture_output=True, text=True).stdout
        functions = [line.split() for line in listed.splitlines()]
        total = sum(int(f[1], 16) for f in functions
                    if len(f) == 4 and f[2] in "tTwW" and not f[3].lstrip("_").startswith("mi_"))
        if total:
            self.values["library_text", "ringscribe", "bytes"].append(total)

    def results(self):
        for (question, system, unit), values in self.values.items():
            best = max(values) if unit == "events/s" else min(values)
            yield {"question": question, "system": system, "unit": unit, "min": min(values),
                   "median": statistics.median(values), "max": max(values), "best": best,
                   "runs": len(values), "lost": self.lost[question, system]}


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0].strip()
    except OSError:
        return ""


def machine():
    info = pathlib.Path("/proc/cpuinfo").read_text()
    field = lambda name: next((l.split(":", 1)[1].strip() for l in info.splitlines() if l.startswith(name)), "")
    read = lambda path: pathlib.Path(path).read_text().strip() if pathlib.Path(path).exists() else ""
    source = os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")
    changed = first_line("git", "-C", source, "status", "--porcelain", "--untracked-files=no")
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "cpu": field("model name"), "cpu_family": field("cpu family"), "cpus": os.cpu_count(),
        "kernel": platform.release(),
        "clock_source": read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "huge_pages": read("/sys/kernel/mm/transparent_hugepage/enabled"),
        "load_at_start": os.getloadavg()[0],
        "compiler": first_line("c++", "--version"),
        "flags": "bazel -c opt (-O2 -DNDEBUG), .bazelrc",
        "commit": first_line("git", "-C", source, "rev-parse", "HEAD") + (" and changes" if changed else ""),
        "knobs": {group + "*": knobs for group, knobs in KNOBS.items()},
    }


def print_table(results, skipped, failures):
    print(f"{'question':34} {'system':16} {'unit':9} {'min':>13} {'median':>13} {'runs':>5} {'lost':>9}")
    for row in sorted(results, key=lambda r: (r["question"], list(SYSTEMS).index(r["system"]))):
        digits = 2 if row["median"] < 1000 else 0
        print(f"{row['question']:34} {row['system']:16} {row['unit']:9} {row['min']:13.{digits}f} "
              f"{row['median']:13.{digits}f} {row['runs']:5} {row['lost']:9}")
    for system, reason in skipped.items():
        print(f"skipped: {system}: {reason}")
    for what, reason in failures.items():
        print(f"failed: {what}: {reason}")


def main():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.split("\n")[0])
    parser.add_argument("programs", help=argparse.SUPPRESS, type=pathlib.Path)
    parser.add_argument("--json", help="also write the results to this file")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, two runs")
    parser.add_argument("--runs", type=int, help="default 5")
    parser.add_argument("--only", help="systems, separated by commas: " + ", ".join(SYSTEMS))
    options = parser.parse_args()
    systems = options.only.split(",") if options.only else list(SYSTEMS)
    unknown = [s for s in systems if s not in SYSTEMS]
    if unknown:
        parser.error(f"--only: no system {unknown[0]}; there are {', '.join(SYSTEMS)}")
    about = machine()
    with tempfile.TemporaryDirectory(prefix="ringscribe_bench.") as folder:
        comparison = Comparison(options.programs.resolve(), options.quick, pathlib.Path(folder))
        runs = options.runs or (2 if options.quick else 5)
        daemon = None
        try:
            if "lttng-ust" in systems:
                daemon = comparison.lttng = lttng_session.Daemon(folder).__enter__()
        except lttng_session.Unavailable as reason:
            comparison.skipped["lttng-ust"] = str(reason)
        try:
            comparison.run(systems, runs)
        finally:
            if daemon is not None:
                daemon.__exit__()
        if "ringscribe" in systems:
            comparison.library_text()
    results = list(comparison.results())
    print_table(results, comparison.skipped, comparison.failures)
    if options.json:
        target = pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / options.json
        target.write_text(json.dumps({"machine": about, "results": results, "skipped": comparison.skipped,
                                      "failed": comparison.failures}, indent=1) + "\n")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
