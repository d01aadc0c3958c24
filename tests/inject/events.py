# SPDX-License-Identifier: Apache-2.0
"""The lines of //tests:print_events as values."""

import collections
import re

MARK, PUSH_POP, START_END = 0, 1, 2
EVENT = re.compile(r"(?P<row>.*?) \| kind (?P<kind>\d) \| (?P<begin>-?\d+) to (?P<end>-?\d+) \| (?P<message>.*?) \|"
                   r" category (?P<category>.*?) \| color (?P<color>\d+) \| domain (?P<domain>.*?) \|(?P<fields>.*)")

Event = collections.namedtuple("Event", "kind message category color domain fields")


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
