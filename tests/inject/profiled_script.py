# SPDX-License-Identifier: Apache-2.0
"""Puts files into JSON and squeezes them: profiled_script.py [--profile | --tree] FILE...

With --profile a last line has how often each Python function of these modules was called, as
sys.setprofile tells it, in the words of nvtx.Profile. With --tree it has who called whom how often, as
cProfile tells it: [[FILE(NAME), FILE(NAME), COUNT], ...].
"""

import base64
import collections
import cProfile
import os
import pstats
import sys

MODULES = ("json/__init__.py", "json/encoder.py", "json/decoder.py", "base64.py", "profiled_script.py")


def pack(path):
    with open(path, "rb") as file:
        data = file.read(20_000)
    lines = [base64.b64encode(data[at:at + 57]).decode() for at in range(0, len(data), 57)]
    return zlib.compress(json.dumps({"path": path, "lines": lines}, indent=1).encode(), 6)


def unpack(packed):
    content = json.loads(zlib.decompress(packed))
    return b"".join(base64.b64decode(line) for line in content["lines"])


def work(paths):
    # Here, so that what they do when they are imported is seen, too.
    global json, zlib
    import json
    import zlib
    for path in paths:
        packed = pack(path)
        print(os.path.basename(path), len(unpack(packed)), len(packed) > 0)


def profiled(paths):
    counts = collections.Counter()

    def count(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.endswith(MODULES):
            counts[f"{os.path.basename(code.co_filename)}:{frame.f_lineno}({code.co_name})"] += 1

    sys.setprofile(count)
    work(paths)
    sys.setprofile(None)
    print(json.dumps(counts))


def tree(paths):
    # Without C functions, which nvtx.Profile leaves out, too.
    profile = cProfile.Profile(builtins=False)
    profile.runcall(work, paths)

    def name(function):
        return f"{os.path.basename(function[0])}({function[2]})"

    calls = collections.Counter()
    for function, (_, _, _, _, callers) in pstats.Stats(profile).stats.items():
        for caller, counts in callers.items():
            if caller[0].endswith(MODULES) and function[0].endswith(MODULES):
                calls[name(caller), name(function)] += counts[1]
    print(json.dumps([[*ends, count] for ends, count in calls.items()]))


MODES = {"--profile": profiled, "--tree": tree}
MODES[sys.argv[1]](sys.argv[2:]) if sys.argv[1] in MODES else work(sys.argv[1:])
