# SPDX-License-Identifier: Apache-2.0
"""What the rules of several formats (docs/formats.md) have alike.

    rules.numbered("worker", "tid", 41)          # "worker (tid 41)"
    rules.row_names(tracks, number)              # (names of the root, ..., names of the track)
"""


def pairs(columns):
    """Columns beside an event or sample, as its fields are."""
    return [(name, ("column", value)) for name, value in columns]


def shown_as(category, domain):
    """Where other formats have a category, which is the domain if there is none."""
    return category or domain or "default"


def numbered(name, what, number):
    return f"{name} ({what} {number})" if name else f"({what} {number})"


def row_names(tracks, number):
    """Of each track from the root down to this one what is behind its parent's number in `tracks`."""
    names = []
    while number is not None and number >= 0:
        parent, *rest = tracks[number]
        names.append(tuple(rest))
        number = parent
    return tuple(reversed(names))
