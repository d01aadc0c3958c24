# SPDX-License-Identifier: Apache-2.0
"""A session daemon of LTTng and a tracing session in it, for as long as one program runs.

    with lttng_session.Daemon(folder) as daemon:
        with daemon.session("name") as session:
            subprocess.run(program, env=session.environment)
        session.trace_bytes, session.discarded

Daemon() raises Unavailable with the reason where LTTng's tools are missing or another daemon runs.
For root LTTng knows one place for its sockets, /var/run/lttng; all else is in `folder`.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

# By name, without the event `off`: 2.13's daemon falls over when it lists a pattern with exclusions.
EVENTS = ",".join(
    f"ringscribe_bench:{e}" for e in ("mark", "range_begin", "range_end", "counter", "message", "event40"))
# 32 MiB for each CPU; events that find no room are discarded and counted.
CHANNEL = "--num-subbuf=4 --subbuf-size=8M --discard".split()


class Unavailable(Exception):
    pass


class Daemon:
    def __init__(self, folder):
        for tool in ("lttng", "lttng-sessiond"):
            if shutil.which(tool) is None:
                raise Unavailable(f"{tool} is not installed: apt-get install lttng-tools")
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, LTTNG_HOME=str(self.folder))
        if self.run("lttng", "list", check=False).returncode == 0:
            raise Unavailable("a session daemon runs already that is not this benchmark's: stop it")
        self.process = None

    def run(self, *command, check=True):
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if check and result.returncode != 0:
            raise Unavailable(f"`{' '.join(command)}` failed: {(result.stderr or result.stdout).strip()}")
        return result

    def __enter__(self):
        log = open(self.folder / "sessiond.log", "w")
        self.process = subprocess.Popen(
            ["lttng-sessiond", "--no-kernel"], env=self.environment, stdout=log, stderr=log, close_fds=True)
        for _ in range(100):
            if self.run("lttng", "list", check=False).returncode == 0:
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.__exit__()
        raise Unavailable(f"lttng-sessiond does not start: see {log.name}")

    def __exit__(self, *_):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=30)

    def session(self, name):
        return Session(self, name)


class Session:
    def __init__(self, daemon, name):
        self.daemon, self.name = daemon, name
        self.output = daemon.folder / name
        self.environment = dict(
            daemon.environment, RINGSCRIBE_BENCH_LTTNG_STOP=f"lttng stop {name} >/dev/null 2>&1",
            LTTNG_UST_REGISTER_TIMEOUT="10000")
        self.trace_bytes = self.discarded = 0

    def __enter__(self):
        run = self.daemon.run
        run("lttng", "create", self.name, f"--output={self.output}")
        run("lttng", "enable-channel", "-u", "bench", f"--session={self.name}", *CHANNEL)
        run("lttng", "enable-event", "-u", EVENTS, f"--session={self.name}", "--channel=bench")
        run("lttng", "start", self.name)
        return self

    def __exit__(self, *_):
        run = self.daemon.run
        run("lttng", "stop", self.name, check=False)  # the program may have done so
        listed = run("lttng", "list", self.name).stdout
        self.discarded = sum(int(n) for n in re.findall(r"Discarded events: (\d+)", listed))
        run("lttng", "destroy", self.name)
        files = [f for f in self.output.rglob("*") if f.is_file() and "index" not in f.parts]
        self.trace_bytes = sum(f.stat().st_size for f in files)
        shutil.rmtree(self.output, ignore_errors=True)
