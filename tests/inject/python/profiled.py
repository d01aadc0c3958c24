# SPDX-License-Identifier: Apache-2.0
"""Puts files into JSON, squeezes that with zlib, and back, in all ways that calls can be made: profiled.py FILE..."""

import functools
import json
import sys
import threading
import zlib


class Packer(json.JSONEncoder):
    level = 6

    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)

    def pack(self, content):
        return zlib.compress(self.encode(content).encode(), self.level)


def traced(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number == 300:
                return  # a generator that ends early
            yield line.rstrip("\n")


@traced
def nested(lines, levels):
    return {"level": levels, "lines": lines, "words": {word for line in lines for word in line.split()},
            "below": nested(lines[:len(lines) // 2], levels - 1) if levels > 0 else None}


def broken(packed):
    """Exceptions of Python's and of C's code, through several frames."""
    try:
        json.loads('{"a": [1, 2,, 3]}')
    except json.JSONDecodeError as error:
        position = error.pos
    try:
        zlib.decompress(packed[:-5])
    except zlib.error:
        position += 1
    try:
        json.dumps({"a": {object()}}, cls=Packer)
    except TypeError:
        position += 1
    return position


def work(path):
    content = nested(list(lines_of(path)), 3)
    packed = Packer(indent=2, sort_keys=True).pack(content)
    text = zlib.decompress(packed).decode()
    read = json.loads(text, object_hook=lambda pairs: dict(sorted(pairs.items())))
    streamed = "".join(json.JSONEncoder(indent=1).iterencode(read))
    checked = sum(map(lambda line: zlib.crc32(line.encode()), read["lines"]))
    first = next(lines_of(path))  # a generator that is never finished
    return len(read["lines"]), checked, zlib.crc32(streamed.encode()), broken(packed), first


def work_of_thread(paths, results):
    results.extend(work(path) for path in paths)


results = [work(path) for path in sys.argv[1:]]
in_thread = []
thread = threading.Thread(target=work_of_thread, args=(sys.argv[1:], in_thread))
thread.start()
thread.join()
assert results == in_thread
print(json.dumps(results))
