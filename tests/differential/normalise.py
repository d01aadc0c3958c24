# SPDX-License-Identifier: Apache-2.0
"""What two recordings of one document have to have in common.

    recording = Recording(lines)  # of JOURNAL.facts, see journal_facts.cc
    differences(python, cpp)      # sentences; none if the recordings are equal

Each difference between the clients that is right is taken out here and nowhere else, in a function
or line marked "Rule", with its reason.
"""

import json

from layouts import ROLE_NAME

OWN_STREAM = "ringscribe"
FIXED_ARRAY = 1 << 4
TIMESTAMP = 2 << 10
TIME_ROLES = 7 << 12
LIMIT_MIN, LIMIT_MAX = 1 << 2, 1 << 3
# NVTX's number of UNKNOWN and of SCOPE.
ORDERING_UNKNOWN, INTERLEAVING_SCOPE = 0, 1
COUNTER_GROUP = 1 << 3
# Of NVTX's types of numbers: int8 to uint64, float16 to float64.
NUMBER_BYTES = {11: 1, 12: 1, 13: 2, 14: 2, 15: 4, 16: 4, 17: 8, 18: 8, 42: 2, 43: 4, 44: 8}


class Definitions:
    """What numbers stand for, from the calls that defined them.

    Rule: numbers of domains, streams, scopes, schemas, counters and strings are each client's own;
    what they stand for is compared. Rule: what is defined and never used is not compared, for the C++
    client registers a thing when it is first used.
    """

    def __init__(self):
        self.domains, self.scopes, self.schemas, self.counters = {}, {}, {}, {}
        self.streams = {}

    def scope(self, domain, number):
        """The path of a scope, from its outermost parent."""
        if (domain, number) not in self.scopes:
            return "scope %d" % number if number else ""
        call = self.scopes[domain, number]
        return self.scope(domain, call["parentScope"]) + " / " + (call["path"] or "")

    def type(self, domain, number, flags=0, length=0):
        """A type as a nest of lists, whatever schemas it is made of.

        Rule: a schema of one entry stands for the type of that entry. The Python client makes one for
        each number, text and array inside a nested struct; the C++ client needs none.
        """
        if flags & FIXED_ARRAY:
            return ["array", length, self.type(domain, number)]
        schema = self.schemas.get((domain, number))
        if schema is None:
            return ["type", number, length]
        entries = schema["entries"]
        if len(entries) == 1:
            one = entries[0]
            return self.type(domain, one["type"], one["flags"], one["arrayOrUnionDetail"])
        return ["struct", self.entries(domain, entries)]

    def entries(self, domain, entries):
        # Rule: the C++ client leaves offsets and sizes to NVTX's rules where the document asks for it;
        # the decoded values say whether that comes to the same. Entries are named in any order.
        return sorted((self.entry(domain, one) for one in entries), key=str)

    def entry(self, domain, entry):
        flags = entry["flags"] & ~FIXED_ARRAY
        # Rule: to a time of the event, the Python client adds the flag TIMESTAMP, which says nothing
        # more.
        if flags & TIME_ROLES in (1 << 12, 2 << 12, 3 << 12):
            flags &= ~TIMESTAMP
        return [entry["name"], flags, semantics(entry["semantics"]),
                self.type(domain, entry["type"], entry["flags"], entry["arrayOrUnionDetail"])]

    def whole_schema(self, domain, number):
        schema = self.schemas[domain, number]
        return [schema["flags"], self.entries(domain, schema["entries"])]

    def is_group(self, domain, number):
        schema = self.schemas.get((domain, self.counters[domain, number]["schemaId"]))
        return schema is not None and schema["flags"] & COUNTER_GROUP != 0

    def counter(self, domain, number):
        call = self.counters[domain, number]
        return {"domain": self.domains[domain], "name": call["name"],
                # Rule: no description and an empty one are the same.
                "description": call["description"] or "",
                "scope": self.scope(domain, call["scopeId"]),
                "semantics": semantics(call["semantics"]),
                "type": self.whole_schema(domain, call["schemaId"])
                        if self.is_group(domain, number) else self.type(domain, call["schemaId"])}

    def stream(self, call):
        domain = call["domain"]
        return {"name": call["name"], "domain": self.domains[domain],
                "scope": self.scope(domain, call["scopeId"]), "time_domain": call["timeDomainId"],
                "interleaving": call["orderInterleaving"], "ordering": call["orderingType"],
                "skid": call["orderingSkid"], "skid_amount": call["orderingSkidAmount"]}


def semantics(chain):
    result = []
    for link in chain:
        link = dict(link)
        if "limitType" in link:
            # Rule: a limit that is not there has no value; the Python client leaves it undefined.
            if not link["flags"] & LIMIT_MIN:
                link["min"] = None
            if not link["flags"] & LIMIT_MAX:
                link["max"] = None
            # Rule: no unit and an empty one are the same.
            link["unit"] = link["unit"] or ""
        result.append(link)
    return result


class Recording:
    """One recording, read from its facts."""

    def __init__(self, lines):
        self.definitions = Definitions()
        self.name, self.round_trip, self.unreadable = None, "not tried", None
        self.streams = []      # in order of opening
        self.closed = []       # positions in `streams`
        self.position = {}     # in `streams`, by number
        self.schemas = {}      # of the document's events, as far as used, by number
        self.counters = {}     # as far as used, by number
        self.samples = []      # (stream, what the call says)
        self.events = []       # (stream, what the model says)
        self.problems = []
        for line in lines:
            fact = json.loads(line)
            handler = "on_" + (fact.get("call") or "fact " + fact["fact"]).replace(" ", "_")
            if hasattr(self, handler):
                getattr(self, handler)(fact)

    # --- Calls.

    def on_session(self, call):
        self.name = call["name"]

    def on_domain(self, call):
        self.definitions.domains[call["domain"]] = call["name"]

    def on_scope(self, call):
        self.definitions.scopes[call["domain"], call["scopeId"]] = call

    def on_schema(self, call):
        # Rule: flags that are not told are 0.
        self.definitions.schemas[call["domain"], call["schemaId"]] = {"flags": 0, **call}

    def on_counter(self, call):
        self.definitions.counters[call["domain"], call["counterId"]] = call

    def on_stream_open(self, call):
        self.definitions.streams[call["stream"]] = call
        # Rule: our own stream is the C++ client's alone.
        if call["name"] == OWN_STREAM:
            return
        self.position[call["stream"]] = len(self.streams)
        self.streams.append(self.definitions.stream(call))

    def on_stream_close(self, call):
        if call["stream"] in self.position:
            self.closed.append(self.position[call["stream"]])

    def use_schema(self, call, number):
        domain = self.definitions.streams[call["stream"]]["domain"]
        schema = self.definitions.schemas.get((domain, number))
        if schema is None or (domain, number) in self.schemas:
            return
        # Rule: the schemas of marks and ranges with message, colour and category are each client's own.
        if any(entry["name"].startswith(ROLE_NAME) for entry in schema["entries"]):
            self.schemas[domain, number] = self.definitions.whole_schema(domain, number)

    def on_event(self, call):
        for payload in call["payloads"]:
            self.use_schema(call, payload["schemaId"])

    def on_event_batch(self, call):
        self.use_schema(call, call["eventSchemaId"])

    def add_sample(self, call, time, what):
        if call["stream"] not in self.position:
            return
        domain = self.definitions.streams[call["stream"]]["domain"]
        key = (domain, call["counterId"])
        if key not in self.counters:
            self.counters[key] = self.definitions.counter(*key)
        self.samples.append((self.position[call["stream"]], [self.counters[key]["name"], time, what]))

    def on_counter_sample(self, call):
        self.add_sample(call, call["timestamp"], call["hex"])

    def on_counter_no_value(self, call):
        self.add_sample(call, call["timestamp"], call["reason"])

    def on_counter_batch(self, call):
        # Rule: how samples are grouped into batches is each client's own.
        times = bytes.fromhex(call["timestamps"] or "")
        times = [int.from_bytes(times[i : i + 8], "little", signed=True)
                 for i in range(0, len(times), 8)]
        if not times:  # in the samples themselves, which fields() takes apart
            return self.add_sample(call, None, call["hex"])
        size = len(call["hex"]) // len(times)
        for i, time in enumerate(times):
            self.add_sample(call, time, call["hex"][i * size : (i + 1) * size])

    # --- What the model made of them.

    def on_fact_event(self, fact):
        fact = dict(fact)
        stream = self.position.get(fact.pop("stream"), "at the end")
        # Rule: a named category has a number of each client's own.
        if fact["category"]:
            fact["category_id"] = 0
        # Rule: the C++ client writes a start and its end as a complete range, which has no id.
        if fact["kind"] == "start-end" and not (fact["begin_is_missing"] or fact["end_is_missing"]):
            fact["range_id"] = 0
        self.events.append((stream, fact))

    def on_fact_sample(self, fact):
        fact = dict(fact)
        self.events.append((self.position.get(fact.pop("stream"), "at the end"), fact))

    def on_fact_problem(self, fact):
        self.problems.append([fact["sentence"], fact["count"]])

    def on_fact_round_trip(self, fact):
        self.round_trip = fact["difference"]

    def on_fact_unreadable(self, fact):
        self.unreadable = fact["why"]

    # --- For comparing.

    def group_layouts(self):
        """{name of a counter group: (bytes of a sample, [(offset, bytes) of each number])}."""
        result = {}
        for domain, number in self.counters:
            call = self.definitions.counters[domain, number]
            if self.definitions.is_group(domain, number):
                schema = self.definitions.schemas[domain, call["schemaId"]]
                result[call["name"]] = (schema["payloadStaticSize"],
                                        [(e["offset"], NUMBER_BYTES[e["type"]])
                                         for e in schema["entries"]])
        return result

    def fields(self, layouts):
        """The raw samples, each of a group as the bytes of its numbers, without those between them:
        Rule: NumPy leaves those undefined. `layouts`: of the client that tells each offset."""
        for stream, (name, time, what) in self.samples:
            if name not in layouts or not isinstance(what, str):
                yield stream, [name, time, what]
                continue
            size, numbers = layouts[name]
            for start in range(0, len(what), 2 * size):
                yield stream, [name, time, [what[start + 2 * at : start + 2 * (at + width)]
                                            for at, width in numbers]]

    def sequences(self, facts):
        """{name of a sequence that has an order: its facts}.

        Rule: only a stream that promises an order has one; with interleaving by scope, only each track
        of it. Facts of other streams are sorted.
        """
        result = {}
        for stream, fact in facts:
            order = self.streams[stream] if stream != "at the end" else {"ordering": ORDERING_UNKNOWN}
            key = str(stream)
            if order.get("interleaving") == INTERLEAVING_SCOPE:
                place = [fact.get("track"), fact.get("counter")] if isinstance(fact, dict) else fact[0]
                key += " " + str(place)
            result.setdefault((key, order["ordering"]), []).append(json.dumps(fact, sort_keys=True,
                                                                             ensure_ascii=False))
        return {key: lines if ordering != ORDERING_UNKNOWN else sorted(lines)
                for (key, ordering), lines in result.items()}

    def sections(self, layouts):
        def lines(values):
            return [json.dumps(v, sort_keys=True, ensure_ascii=False) for v in values]

        result = {"session": [str(self.name), str(self.unreadable)], "streams": lines(self.streams),
                  "closed": sorted(str(c) for c in self.closed),
                  # Rule: equal ones count once; the clients keep what was asked for twice differently.
                  "schemas": sorted(set(lines(self.schemas.values()))),
                  "counters": sorted(set(lines(self.counters.values()))),
                  "problems": sorted(lines(self.problems))}
        for name, facts in (("events", self.events), ("samples", list(self.fields(layouts)))):
            for key, sequence in self.sequences(facts).items():
                result[f"{name} of stream {key}"] = sequence
        return result


def _list_differences(name, first, second):
    if first == second:
        return []
    for i, (a, b) in enumerate(zip(first, second)):
        if a != b:
            return [f"{name}, number {i}:\n    Python {a}\n    C++    {b}"]
    longer = first if len(first) > len(second) else second
    who = "Python" if longer is first else "C++"
    return [f"{name}: Python has {len(first)}, C++ {len(second)}; more in {who}: "
            f"{longer[min(len(first), len(second))]}"]


def differences(python, cpp):
    """What differs between two recordings, as sentences."""
    result = []
    for who, recording in (("Python", python), ("C++", cpp)):
        if recording.round_trip:
            result.append(f"round trip of {who}'s journal: {recording.round_trip}")
    layouts = python.group_layouts()
    first, second = python.sections(layouts), cpp.sections(layouts)
    for name in sorted(set(first) | set(second)):
        result += _list_differences(name, first.get(name, []), second.get(name, []))
    return result
