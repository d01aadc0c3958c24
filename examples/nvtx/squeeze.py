# SPDX-License-Identifier: Apache-2.0
"""A Python program with PyPI nvtx that knows of no tool: how well files compress.

    ringscribe run -- python3 squeeze.py FILE...
    ringscribe run -- python3 -m nvtx squeeze.py FILE...      # each function call, too
"""

import concurrent.futures
import sys
import zlib

import nvtx


@nvtx.annotate(color="orange", domain="squeeze", category="cpu")
def compressed_size(data, level):
    return len(zlib.compress(data, level))


@nvtx.annotate("file", color="blue", domain="squeeze")
def squeeze(path):
    with nvtx.annotate("read", domain="squeeze", category="disk"):
        with open(path, "rb") as file:
            data = file.read()
    nvtx.mark("read", domain="squeeze", payload=len(data))
    return path, len(data), {level: compressed_size(data, level) for level in (1, 6, 9)}


def main():
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for path, size, sizes in pool.map(squeeze, sys.argv[1:]):
            print(f"{path}: {size} bytes; " + ", ".join(f"level {k}: {v}" for k, v in sizes.items()))


if __name__ == "__main__":
    main()
