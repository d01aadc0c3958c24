# SPDX-License-Identifier: Apache-2.0
"""Changing documents: smaller ones that are still valid (shrink), and ones that say something else
(mutations), by which the test shows that it would notice."""

import copy

# Members whose value is the id of an earlier call.
REFERENCES = ("session", "domain", "stream", "schema", "counter", "layout", "scope", "string",
              "category", "of")
DATA_CALLS = ("mark", "push", "pop", "start", "end", "pushpop", "startend", "event", "event_batch",
              "sample", "sample_batch", "no_value")


def references(value, is_top=True):
    """The ids that a call refers to."""
    if isinstance(value, list):
        for one in value:
            yield from references(one, False)
    elif isinstance(value, dict):
        for key, one in value.items():
            # {"category": 7} of an event is a number of its own; {"category": {"category": 7}} an id.
            if isinstance(one, int) and key in REFERENCES and not (is_top and key == "category"):
                yield one
            elif isinstance(one, (dict, list)):
                yield from references(one, False)


def valid(calls):
    """`calls` without those that refer to what is not there."""
    known, result = set(), []
    for call in calls:
        if all(one in known for one in references(call)):
            result.append(call)
            known.add(call.get("id"))
    return result


def shrink(document, fails_of):
    """A smaller document that still fails. `fails_of` takes documents and says of each if it fails."""
    calls, size = document["calls"], len(document["calls"]) // 2
    while size >= 1:
        candidates = [valid(calls[:i] + calls[i + size :]) for i in range(0, len(calls), size)]
        candidates = [c for c in candidates if c and len(c) < len(calls)]
        fails = fails_of([dict(document, calls=c) for c in candidates])
        smaller = [c for c, is_failing in zip(candidates, fails) if is_failing]
        if smaller:
            calls = min(smaller, key=len)
            size = min(size, max(1, len(calls) // 2))
        else:
            size //= 2
    return dict(document, calls=calls)


# --- Mutations: each changes one thing of one call, or returns False if it does not fit the call.
# None may change a thing that nobody sees, such as a counter without samples.

# A message, colour or category of the end of a range goes before those of its begin.
COMPLETE = ("mark", "pushpop", "startend")


def _later_time(rng, call):
    keys = [key for key in ("time", "begin", "end") if key in call]
    if not keys:
        return False
    key = rng.choice(keys)
    call[key] += 1 if call[key] < 0 else -1
    return True


def _other_message(rng, call):
    message = call.get("message")
    if call["do"] not in COMPLETE or message is None or "text" not in message:
        return False
    message["text"] = "x" + message["text"]
    return True


def _other_color(rng, call):
    if call["do"] not in COMPLETE or not isinstance(call.get("color"), int):
        return False
    call["color"] ^= 1
    return True


def _other_category(rng, call):
    category = call.get("category")
    if call["do"] not in COMPLETE:
        return False
    if isinstance(category, int):
        call["category"] = 99 if category == 0 else category ^ 2
        return True
    if isinstance(category, dict) and "name" in category:
        category["name"] += "x"
        return True
    return False


def _other_kind(rng, call):
    other = {"pushpop": "startend", "startend": "pushpop"}.get(call["do"])
    if other:
        call["do"] = other
    return other is not None


def _flip(hex_digits, at):
    data = bytearray.fromhex(hex_digits)
    data[at] ^= 1
    return data.hex()


def _other_sample(rng, call):
    if call["do"] not in ("sample", "sample_batch"):
        return False
    call["hex"] = _flip(call["hex"], 0)
    return True


def _other_sample_time(rng, call):
    if not call.get("times"):
        return False
    at = rng.randrange(len(call["times"]))
    call["times"][at] += 1 if call["times"][at] < 0 else -1
    return True


def _other_reason(rng, call):
    if call["do"] != "no_value":
        return False
    call["reason"] = {"ZERO": "UNCHANGED", "UNCHANGED": "UNAVAILABLE", "UNAVAILABLE": "ZERO"}[
        call["reason"]]
    return True


def _fewer_rows(rng, call):
    if len(call.get("rows", [])) < 2:
        return False
    del call["rows"][rng.randrange(len(call["rows"]))]
    return True


def _other_stream(rng, call):
    if call["do"] != "stream":
        return False
    key, value = rng.choice([("name", "another"), ("time_domain", "CPU_CLOCK_GETTIME_BOOTTIME"),
                             ("skid_amount", 7)])
    if key == "time_domain":
        value = "CPU_TSC" if call["time_domain"] != "CPU_TSC" else "GPU_GLOBALTIMER"
    call[key] = value
    return True


MUTATIONS = [_later_time, _other_message, _other_color, _other_category, _other_kind, _other_sample,
             _other_sample_time, _other_reason, _fewer_rows, _other_stream]


def _shift_row_time(rng, document):
    """Another time in one row of a user's event."""
    events = [c for c in document["calls"] if c["do"] in ("event", "event_batch")]
    if not events:
        return False
    call = rng.choice(events)
    schemas = {c["id"]: c for c in document["calls"] if c["do"] == "schema"}
    layouts = {c["id"]: c for c in document["calls"] if c["do"] == "layout"}
    fields = layouts[schemas[call["schema"]]["layout"]]["fields"]
    time = [f for f in fields if f.get("role") in ("MARK", "RANGE_BEGIN", "RANGE_END")][0]
    row = call["row"] if call["do"] == "event" else rng.choice(call["rows"])
    row["hex"] = _flip(row["hex"], time["offset"])
    return True


def _rename_used(rng, document):
    """Another name, field name or description of a counter or schema that is used."""
    used = {c[key] for c in document["calls"] for key in ("counter", "schema") if key in c
            and c["do"] in DATA_CALLS}
    chosen = [c for c in document["calls"] if c.get("id") in used]
    if not chosen:
        return False
    call = rng.choice(chosen)
    layouts = {c["id"]: c for c in document["calls"] if c["do"] == "layout"}
    if call["do"] == "schema":
        field = rng.choice(layouts[call["layout"]]["fields"])
        field["name"] += "x"
        return True
    for one in document["calls"]:  # the same counter may have been asked for twice
        if one["do"] == "counter" and one["name"] == call["name"]:
            one["description"] = "another"
    return True


def mutant(rng, document):
    """(name of the mutation, a copy of the document that says something else)."""
    while True:
        changed = copy.deepcopy(document)
        chance = rng.random()
        if chance < 0.1:
            if _shift_row_time(rng, changed):
                return "_shift_row_time", changed
        elif chance < 0.2:
            if _rename_used(rng, changed):
                return "_rename_used", changed
        elif chance < 0.3:
            places = [i for i, c in enumerate(changed["calls"]) if c["do"] in DATA_CALLS]
            if places:
                del changed["calls"][rng.choice(places)]
                return "a call less", changed
        else:
            mutate = rng.choice(MUTATIONS)
            calls = changed["calls"][:]
            rng.shuffle(calls)
            if any(mutate(rng, call) for call in calls):
                return mutate.__name__, changed


def changes(document, mutant):
    """The calls of `mutant` that `document` does not have, for a message."""
    return [call for call in mutant["calls"] if call not in document["calls"]] or "a call less"
