# SPDX-License-Identifier: Apache-2.0
"""What Python itself sees of a script's calls.

    reference.py REPORT [--no-linenos] [--annotate-cfuncs] SCRIPT ARGUMENT...

REPORT is one JSON: "pairs" as sys.setprofile tells them, [caller or null, callee, count]; "totals" as
cProfile does, [file's name, line, function, count]. The names in "pairs" are nvtx.Profile's.
"""

# What python -m nvtx has imported when the script begins, and no more: imports are calls, too.
import collections
import os
import sys
import threading
from optparse import OptionParser
from runpy import run_path

import nvtx

assert nvtx and OptionParser
report, words = sys.argv[1], sys.argv[2:]
with_lines, with_c = "--no-linenos" not in words, "--annotate-cfuncs" in words
words = [word for word in words if not word.startswith("--")]
pairs = collections.Counter()
of_thread = threading.local()


def profile(frame, event, argument):
    stack = of_thread.__dict__.setdefault("stack", [])
    if event == "call":
        code = frame.f_code
        name = code.co_name
        if with_lines:
            name = f"{os.path.basename(code.co_filename)}:{frame.f_lineno}({name})"
    elif event == "c_call" and with_c:
        name = argument.__name__
    else:
        # A return from what was called before the profiler was there ends nothing.
        if stack and (with_c or event == "return"):
            stack.pop()
        return
    pairs[stack[-1] if stack else None, name] += 1
    stack.append(name)


sys.argv = words
threading.setprofile(profile)
sys.setprofile(profile)
try:
    run_path(words[0], run_name="__main__")
finally:
    sys.setprofile(None)
    threading.setprofile(None)

# The end of the profiler is a call of this script's, not of the other one's.
pairs.pop((None, "setprofile"), None)

import contextlib
import cProfile
import io
import json
import pstats

# Imported by the script as the first time: what a module does then is counted.
for name in [name for name in sys.modules if name.split(".")[0] == "json"]:
    del sys.modules[name]
profiler = cProfile.Profile(builtins=False)
with contextlib.redirect_stdout(io.StringIO()):
    profiler.runcall(run_path, words[0], run_name="__main__")
totals = [[os.path.basename(file), line, name, calls]
          for (file, line, name), (_, calls, *_) in pstats.Stats(profiler).stats.items()]
with open(report, "w", encoding="utf-8") as file:
    json.dump({"pairs": [[*pair, count] for pair, count in pairs.items()], "totals": totals}, file)
