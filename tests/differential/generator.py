# SPDX-License-Identifier: Apache-2.0
"""Random valid call sequences of nvtx.writer, as documents: {"seed": N, "calls": [CALL, ...]}.

    document = generator.document(seed)      # the same document for the same seed, always

A call says what to do and with which earlier calls' results, by their ids:

    {"do": "begin", "id": 1, "name": "s", "backend": "library" | "linked"}
    {"do": "domain", "id": 2, "session": 1, "name": "d"}        {"do": "mark", "stream": 9, "time": 5,
    {"do": "stream", "id": 9, "session": 1, "domain": 2, ...}    "message": {"text": "m"}, ...}

"layout" is no call: it describes the dtype that "schema" and "counter" use. A document may lose any
call together with those that refer to it and stays valid (shrink.py does that).
"""

import random

from layouts import INT64_MAX, INT64_MIN, NUMBERS, WORDS, Layouts

COLORS = [None, None, "green", "darkgreen", "rapids", "orange", 0, 0xFF112233, 0x00FF00, 0xFFFFFFFF]
NUMERIC_CATEGORIES = [0, 100, 101, 2**30 - 1, 2**31, 2**32 - 1]
KINDS = ["MARK", "RANGE_PUSHPOP", "RANGE_STARTEND", "RANGE_PUSH", "RANGE_POP", "RANGE_START",
         "RANGE_END"]
TIME_DOMAINS = ["NONE", "NONE", "CPU_TSC", "CPU_CLOCK_GETTIME_MONOTONIC", "CPP_STEADY_CLOCK",
                "CPU_CLOCK_GETTIME_REALTIME", "GPU_GLOBALTIMER"]
SCOPE_PATHS = ["gpu[0]", "gpu[1]/queue", "machine/socket[2]", "a\\/b/c", "größe/пример",
               "Process[7:worker]", "node"]
PARENTS = ["NONE", "ROOT", "CURRENT_HW_MACHINE", "CURRENT_VM"]


class StreamPlan:
    """What the generator knows of an open stream: how it promised to be sorted, and what is open."""

    def __init__(self, call, domain, rng):
        self.call, self.domain = call, domain
        self.ordering, self.skid = call["ordering"], call["skid"]
        self.skid_amount = call["skid_amount"]
        # Room for thousands of steps below the end of time.
        self.latest = rng.choice([0, 1000, -5000, 1_700_000_000_000_000_000, INT64_MIN + 10,
                                  INT64_MAX - 10_000_000])
        self.pushes, self.starts = 0, []

    def takes_ranges(self):
        return self.ordering != "STRICT"

    def earliest(self):
        """No later event of an ordered stream has an earlier time."""
        return 0 if self.ordering == "UNKNOWN" else self.latest - 1000


class SessionGenerator:
    """The calls of one session."""

    def __init__(self, rng, new_id, name):
        self.rng, self.new_id = rng, new_id
        self.layouts = Layouts(rng, new_id)
        self.calls, self.streams, self.domains = [], [], []
        self.refs = {}      # of a domain: ids of strings, categories, scopes
        self.schemas = {}   # of a domain: [(id, kind, layout)]
        self.counters = {}  # of a domain: [counter call]
        self.names = 0
        self.session = new_id()
        self.add({"do": "begin", "id": self.session, "name": name,
                  "backend": rng.choice(["linked", "library"])})

    def add(self, call):
        self.calls += self.layouts.take_calls()
        self.calls.append(call)
        return call

    def unique(self, word):
        self.names += 1
        return "%s %d" % (word or "name", self.names)

    # --- Definitions.

    def domain(self):
        call = {"do": "domain", "id": self.new_id(), "session": self.session,
                "name": self.rng.choice([None, "", "My Domain", "Bereich", "域", self.unique("d")])}
        self.add(call)
        same = [d for d in self.domains if (d["name"] or None) == (call["name"] or None)]
        if not same:
            self.domains.append(call)
            self.refs[call["id"]] = {"string": [], "category": [], "scope": []}
            self.schemas[call["id"]], self.counters[call["id"]] = [], []

    def text_or_place(self, domain):
        rng, refs = self.rng, self.refs[domain]
        sort = rng.choice(["string", "category", "scope"])
        call = {"do": sort, "id": self.new_id(), "domain": domain}
        if sort == "string":
            call["text"] = rng.choice(WORDS[1:])  # see README, "What is left out"
        elif sort == "category":
            call["name"] = rng.choice(WORDS[1:])
        else:
            call["path"] = rng.choice(SCOPE_PATHS)
            inner = [{"scope": rng.choice(refs["scope"])}] if refs["scope"] else []
            call["parent"] = rng.choice([None, {"predefined": rng.choice(PARENTS)}] + 2 * inner)
        self.add(call)
        refs[sort].append(call["id"])

    def schema(self, domain):
        kind = self.rng.choice(KINDS)
        layout = self.layouts.event(kind)
        call = self.add({"do": "schema", "id": self.new_id(), "domain": domain,
                         "layout": layout["id"], "kind": kind})
        self.schemas[domain].append((call["id"], kind, layout))

    def semantics(self, kind):
        rng = self.rng
        result = {"value_type": rng.choice(["ABSOLUTE", "DELTA", "DELTA_SINCE_START"]),
                  "interpolation": rng.choice(["POINT", "SINCE_LAST", "UNTIL_NEXT", "LINEAR"])}
        if rng.random() < 0.6:
            result["unit"] = rng.choice(["bytes", "°C", "orders", ""])
        limits = rng.choice([[], [0, 10], [-5, 5], [0, 2**64 - 1], [INT64_MIN, 0], [0.0, 1.5],
                             [-2.5, 1e300]])
        for key, value in zip(("min", "max"), limits):
            if rng.random() < 0.7:
                result[key] = value
        if rng.random() < 0.4:
            result["unit_scale_numerator"] = rng.choice([1, 1000, 2**64 - 1])
            result["unit_scale_denominator"] = rng.choice([1, 3, 2**63])
        return result

    def counter(self, domain):
        rng = self.rng
        call = {"do": "counter", "id": self.new_id(), "domain": domain,
                "name": self.unique(rng.choice(["depth", "größe", "温度"])),
                "description": rng.choice([None, "", "what it counts", "описание"]),
                "scope": self.scope(domain), "semantics": None}
        call["type"] = rng.choice(["int", "float", rng.choice(NUMBERS), "group", "timed group"])
        if "group" in call["type"]:
            layout = self.layouts.group(self.semantics, call["type"] == "timed group")
            call["timed"] = call["type"] == "timed group"
            call["type"] = {"layout": layout["id"]}
        if rng.random() < 0.5:
            call["semantics"] = self.semantics(call["type"])
        self.add(call)
        self.counters[domain].append(call)
        if rng.random() < 0.2:  # the same counter once more
            again = dict(call, id=self.new_id())
            self.add(again)
            self.counters[domain].append(again)

    def scope(self, domain):
        rng, scopes = self.rng, self.refs[domain]["scope"]
        choices = [None, {"predefined": "NONE"}, {"predefined": "ROOT"},
                   {"static": (1 << 24) + rng.randrange(4)}]
        return rng.choice(choices + 4 * [{"scope": s} for s in scopes[-1:]])

    # --- Streams.

    def stream(self):
        rng = self.rng
        domain = rng.choice(self.domains)
        open_names = {plan.call["name"] for plan in self.streams}
        name = rng.choice([n for n in ["My Stream", "поток", "s/[1]"] if n not in open_names]
                          or [self.unique("stream")])
        ordering = rng.choice(["UNKNOWN", "UNKNOWN", "STRICT", "PACKED_RANGE_START",
                               "PACKED_RANGE_END"])
        skid = rng.choice(["NONE", "TIME_NS", "EVENT_COUNT"]) if ordering != "UNKNOWN" else "NONE"
        call = {"do": "stream", "id": self.new_id(), "session": self.session,
                "domain": domain["id"], "name": name, "scope": self.scope(domain["id"]),
                "time_domain": rng.choice(TIME_DOMAINS),
                "interleaving": rng.choice(["NONE", "SCOPE"]), "ordering": ordering,
                "skid": skid, "skid_amount": rng.choice([1, 50]) if skid != "NONE" else 0}
        if domain["name"] is None and rng.random() < 0.5:
            call["domain"] = None  # the default domain needs no naming
        self.add(call)
        self.streams.append(StreamPlan(call, domain["id"], rng))

    def close(self, plan):
        self.streams.remove(plan)
        self.add({"do": "close", "stream": plan.call["id"]})

    # --- Times.

    def times(self, plan):
        """(begin, end) of the next event, as the stream's promise has it."""
        rng = self.rng
        if plan.ordering == "UNKNOWN":
            begin = rng.choice([0, -1, INT64_MIN, INT64_MAX - 5, rng.randint(-1000, 1000),
                                rng.randint(INT64_MIN, INT64_MAX)])
            end = min(INT64_MAX, begin + rng.choice([0, 1, 5, 1000, 10**9]))
            if rng.random() < 0.03:
                end = max(INT64_MIN, begin - 7)
            return begin, end
        plan.latest += rng.choice([0, 1, 10, 1000])
        key = plan.latest
        if plan.skid == "TIME_NS":
            key = max(INT64_MIN, key - rng.randrange(plan.skid_amount + 1))
        elif plan.skid == "EVENT_COUNT" and rng.random() < 0.2:
            key = max(INT64_MIN, key - 1)
        length = rng.choice([0, 1, 100])
        if plan.ordering == "PACKED_RANGE_END":
            return max(INT64_MIN, key - length), key
        return key, min(INT64_MAX, key + length)

    def point(self, plan):
        begin, end = self.times(plan)
        return end if plan.ordering == "PACKED_RANGE_END" else begin

    # --- Events.

    def attributes(self, domain):
        rng, refs, result = self.rng, self.refs[domain], {}
        message = rng.choice(["none", "text", "text", "string"])
        if message == "text":
            result["message"] = {"text": rng.choice(WORDS)}
        elif message == "string" and refs["string"]:
            result["message"] = {"string": rng.choice(refs["string"])}
        if rng.random() < 0.5:
            result["color"] = rng.choice(COLORS)
        category = rng.choice(["none", "number", "name", "id"])
        if category == "number":
            result["category"] = rng.choice(NUMERIC_CATEGORIES)
        elif category == "name":
            result["category"] = {"name": rng.choice(WORDS[1:])}
        elif category == "id" and refs["category"]:
            result["category"] = {"category": rng.choice(refs["category"])}
        return result

    def event(self, plan):
        rng, stream = self.rng, plan.call["id"]
        choices = ["mark", "mark", "push", "pop", "start", "end"]
        if plan.takes_ranges():
            choices += ["pushpop", "startend", "pushpop", "startend"]
        do = rng.choice(choices)
        call = {"do": do, "stream": stream}
        if do == "pop" and plan.pushes == 0 and rng.random() < 0.9:
            call["do"] = do = "push"
        if do == "end" and not plan.starts and rng.random() < 0.9:
            call["do"] = do = "start"
        if do in ("pushpop", "startend"):
            call["begin"], call["end"] = self.times(plan)
        else:
            call["time"] = self.point(plan)
        if do == "push":
            plan.pushes += 1
        elif do == "pop":
            plan.pushes = max(0, plan.pushes - 1)
        elif do in ("start", "end"):
            call["range_id"] = self.range_id(plan, do == "start")
        if do not in ("pop", "end"):
            call.update(self.attributes(plan.domain))
        self.add(call)

    def range_id(self, plan, is_start):
        rng = self.rng
        if is_start:
            # Few, so that ids are used again once their range has ended.
            value = rng.randrange(1, 5)
            if value in self.open_range_ids(plan.domain) or rng.random() < 0.3:
                value = rng.randint(2**32, 2**64 - 1)
            plan.starts.append(value)
            return value
        # Now and then a range ends on another stream of its domain than it began on.
        starts = plan.starts
        others = [p.starts for p in self.streams if p.domain == plan.domain and p.starts]
        if others and (not starts or rng.random() < 0.3):
            starts = rng.choice(others)
        if not starts:
            return 2**50 + 1
        return starts.pop(rng.randrange(len(starts)))

    def open_range_ids(self, domain):
        return {value for plan in self.streams if plan.domain == domain for value in plan.starts}

    def user_event(self, plan):
        rng = self.rng
        complete = ["MARK"] + (["RANGE_PUSHPOP", "RANGE_STARTEND"] if plan.takes_ranges() else [])
        schemas = [s for s in self.schemas[plan.domain]
                   if (s[1] in complete or s[1] not in KINDS[:3])
                   and self.layouts.takes_time(s[2], plan.earliest())]
        if not schemas:
            return
        schema, kind, layout = rng.choice(schemas)
        if kind == "RANGE_POP" and plan.pushes == 0 or kind == "RANGE_END" and not plan.starts:
            return
        if kind in KINDS[:3] and rng.random() < 0.5:
            return self.batch(plan, schema, kind, layout)
        self.add({"do": "event", "stream": plan.call["id"], "schema": schema,
                  "row": self.row(plan, kind, layout), "as": rng.choice(["bytes", "tuple"])})

    def row(self, plan, kind, layout, times=None):
        begin, end = times or self.times(plan)
        point = end if plan.ordering == "PACKED_RANGE_END" else begin
        if kind not in KINDS[:3] or kind == "MARK":
            begin = end = point
        roles = {"MARK": point, "RANGE_BEGIN": begin, "RANGE_END": end}
        if kind == "RANGE_PUSH":
            plan.pushes += 1
        elif kind == "RANGE_POP":
            plan.pushes -= 1
        elif kind in ("RANGE_START", "RANGE_END"):
            roles["RANGE_ID"] = self.range_id(plan, kind == "RANGE_START")
        data, patches = self.layouts.row(layout, roles, self.refs[plan.domain])
        return {"hex": data.hex(), "patches": patches}

    def ordered_times(self, plan, count):
        """Times of `count` events and the BatchOrdering that they keep."""
        rng = self.rng
        times = [self.times(plan) for _ in range(count)]
        by_end = plan.ordering == "PACKED_RANGE_END"
        if plan.ordering == "UNKNOWN":
            ordering = rng.choice(["SORTED", "PARTIALLY_SORTED", "SORTED_PER_SCOPE", "UNSORTED"])
            if ordering in ("SORTED", "SORTED_PER_SCOPE"):
                times.sort()
            return times, ordering
        keys = [end if by_end else begin for begin, end in times]
        return times, "SORTED" if keys == sorted(keys) and not by_end else "PARTIALLY_SORTED"

    def batch(self, plan, schema, kind, layout):
        times, ordering = self.ordered_times(plan, self.rng.choice([1, 2, 3, 8, 40]))
        rows = [self.row(plan, kind, layout, pair) for pair in times]
        self.add({"do": "event_batch", "stream": plan.call["id"], "schema": schema, "rows": rows,
                  "ordering": ordering})

    # --- Samples.

    def sample_bytes(self, counter, time):
        kind = counter["type"]
        if isinstance(kind, dict):
            layout = self.layouts.by_id[kind["layout"]]
            return bytes(self.layouts.row(layout, {"COUNTER_TIMESTAMP": time}, None)[0])
        return self.layouts.number({"int": "i8", "float": "f8"}.get(kind, kind))

    def sample(self, plan):
        rng = self.rng
        counters = [c for c in self.counters[plan.domain] if not c.get("timed")
                    or self.layouts.takes_time(self.layouts.by_id[c["type"]["layout"]],
                                               plan.earliest())]
        if not counters:
            return
        counter = rng.choice(counters)
        call = {"stream": plan.call["id"], "counter": counter["id"]}
        chance = rng.random()
        if chance < 0.2:
            call.update(do="no_value", time=self.point(plan),
                        reason=rng.choice(["ZERO", "UNCHANGED", "UNAVAILABLE"]))
        elif chance < 0.6 and not counter.get("timed"):
            call.update(do="sample", time=self.point(plan))
            call["hex"] = self.sample_bytes(counter, 0).hex()
        else:
            times, ordering = self.ordered_times(plan, rng.choice([1, 2, 5, 30]))
            by_end = plan.ordering == "PACKED_RANGE_END"
            times = [end if by_end else begin for begin, end in times]
            if ordering in ("SORTED", "SORTED_PER_SCOPE"):
                times.sort()
            call.update(do="sample_batch", ordering=ordering,
                        hex=b"".join(self.sample_bytes(counter, t) for t in times).hex(),
                        times=None if counter.get("timed") else times)
        self.add(call)

    # --- The whole.

    def step(self):
        rng = self.rng
        chance = rng.random()
        domain = rng.choice(self.domains)["id"]
        if chance < 0.08:
            self.text_or_place(domain)
        elif chance < 0.11:
            self.schema(domain)
        elif chance < 0.14:
            self.counter(domain)
        elif chance < 0.16 and len(self.streams) < 4:
            self.stream()
        elif chance < 0.18 and self.streams:
            self.close(rng.choice(self.streams))
        elif self.streams:
            plan = rng.choice(self.streams)
            rng.choice([self.event, self.event, self.user_event, self.sample])(plan)

    def run(self):
        for _ in range(self.rng.randrange(1, 4)):
            self.domain()
        for domain in self.domains:
            for _ in range(self.rng.randrange(5)):
                self.text_or_place(domain["id"])
            for _ in range(self.rng.randrange(4)):
                self.schema(domain["id"])
            for _ in range(self.rng.randrange(3)):
                self.counter(domain["id"])
        for _ in range(self.rng.randrange(1, 4)):
            self.stream()
        for _ in range(self.rng.choice([10, 40, 120])):
            self.step()
        for plan in list(self.streams):
            if self.rng.random() < 0.7:  # the end of the session closes the others
                self.close(plan)
        self.add({"do": "end_session", "session": self.session})
        return self.calls


def merged(rng, first, second):
    """Both sequences in one, each in its own order: two sessions at once."""
    calls = []
    first, second = list(first), list(second)
    while first or second:
        source = first if first and (not second or rng.random() < 0.5) else second
        calls.append(source.pop(0))
    return calls


def document(seed):
    rng = random.Random(seed)
    numbers = iter(range(1, 1 << 30))
    def new_id():
        return next(numbers)
    calls = SessionGenerator(rng, new_id, rng.choice(["session", "größe 🚀", "s"])).run()
    if rng.random() < 0.25:
        calls = merged(rng, calls, SessionGenerator(rng, new_id, "the other").run())
    return {"seed": seed, "calls": calls}
