# SPDX-License-Identifier: Apache-2.0
"""Sessions made by hand of what formats stumble over, as documents (tests/differential/generator.py).

    odd_session.documents()["names"]       # {"seed": "names", "calls": [...]}
"""

import struct

INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1
MONOTONIC, GPU, TSC = "CPU_CLOCK_GETTIME_MONOTONIC", "GPU_GLOBALTIMER", "CPU_TSC"
NAMES = [
    "(no message)", "(no name)", "(unnamed)", "default", "ringscribe.notes", 'operator""_kg', "C:\\tmp\\x",
    "a\x01\x1f\x7f\r\n\tb", "\u2028 and \u2029", "\U0001f600 h\u00e9llo", "\U0010ffff", "\ufeff",
    "</script>", ',"args":{"x":1}}', "a/b[c]", '"' * 65537, "x", "x", "x (2)", "color",
    "category_id", "range_id", "end_is_missing", "written_end", "time_domain", "name (async)",
]
REALS = [float("nan"), float("inf"), float("-inf"), -0.0, 5e-324, 1e308, 1.0, 0.1, 2.0**53 + 2]
INTEGERS = [0, -1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, INT64_MIN, INT64_MAX]


class Builder:
    """The calls of one session; each function returns the id of what it made."""

    def __init__(self, name):
        self.name, self.calls, self.ids = name, [], 0
        self.session = self.add("begin", name=name, backend="linked")
        self.domain = self.add("domain", session=self.session, name="")

    def add(self, do, **members):
        self.ids += 1
        self.calls.append({"do": do, "id": self.ids, **members})
        return self.ids

    def stream(self, name, time_domain=MONOTONIC, scope=None, domain=None):
        return self.add("stream", session=self.session, domain=domain or self.domain, name=name,
                        scope=scope and {"scope": scope}, time_domain=time_domain,
                        interleaving="NONE", ordering="UNKNOWN", skid="NONE", skid_amount=0)

    def scope(self, path, domain=None):
        return self.add("scope", domain=domain or self.domain, path=path, parent=None)

    def mark(self, stream, time, text="", **rest):
        self.add("mark", stream=stream, time=time, message={"text": text}, **rest)

    def range(self, stream, begin, end, text="", do="pushpop", **rest):
        self.add(do, stream=stream, begin=begin, end=end, message={"text": text}, **rest)

    def counter(self, name, kind, unit=None, scope=None, domain=None):
        semantics = {"value_type": "ABSOLUTE", "interpolation": "POINT", "unit": unit}
        return self.add("counter", domain=domain or self.domain, name=name, description=None,
                        scope=scope and {"scope": scope}, semantics=semantics if unit else None,
                        type=kind)

    def sample(self, stream, counter, time, value):
        code = "<d" if isinstance(value, float) else "<q"
        self.add("sample", stream=stream, counter=counter, time=time,
                 hex=struct.pack(code, value).hex())

    def schema(self, kind, fields):
        """`fields`: (name, type, role). Packed."""
        layout, offset = [], 0
        sizes = {str({"layout": call["id"]}): call["itemsize"] for call in self.calls
                 if call["do"] == "layout"}
        for name, code, role in fields:
            layout.append({"name": name, "type": code, "offset": offset,
                           **({"role": role} if role else {})})
            offset += sizes.get(str(code)) or int(code[1:])
        layout = self.add("layout", form="packed", itemsize=offset, computed=True, fields=layout)
        return self.add("schema", domain=self.domain, layout=layout, kind=kind)

    def nested(self, names):
        """A type: a struct of int64s."""
        fields = [{"name": name, "type": "i8", "offset": 8 * at} for at, name in enumerate(names)]
        return {"layout": self.add("layout", form="packed", itemsize=8 * len(names), computed=True,
                                   fields=fields)}

    def event(self, stream, schema, row):
        self.add("event", stream=stream, schema=schema, row={"hex": row.hex(), "patches": []},
                 **{"as": "bytes"})

    def document(self):
        self.add("end_session", session=self.session)
        return {"seed": self.name, "calls": self.calls}


def names():
    """Each name as message, category, stream, domain, scope, counter, unit and field."""
    made = Builder('odd "\u2028 \\ session')
    stream = made.stream("names")
    for at, name in enumerate(["", *NAMES]):
        category = {"name": name} if name else 100 + at
        made.mark(stream, at, name, category=category)
        made.range(stream, 1000 * at, 1000 * at + 500, name, category=category, color=at << 24 | at)
        made.range(stream, 1000 * at, 1000 * at + 1500, name, do="startend", category=category)
    for at, name in enumerate(dict.fromkeys(NAMES)):
        if len(name) > 1000:
            continue
        domain = made.add("domain", session=made.session, name=name)
        own = made.stream(name, domain=domain)
        made.mark(own, at, "in a domain")
        scope = made.scope(name, domain)
        scoped = made.stream(f"{name} scoped", scope=scope, domain=domain)
        made.mark(scoped, at, "in a scope")
        for counter in (made.counter(name, "int", unit=name, domain=domain),
                        made.counter(name + " ", "float", unit=name, scope=scope, domain=domain)):
            made.add("no_value", stream=own, counter=counter, time=at, reason="UNAVAILABLE")
        made.sample(own, counter, at, 0.5)
    fields = [("at", "i8", "MARK")] + [(name, "i8", "") for name in NAMES if name]
    row = struct.pack(f"<{len(fields)}q", *range(5, 5 + len(fields)))
    made.event(stream, made.schema("MARK", fields), row)
    return made.document()


def times():
    """Pops without push, ends before begins, all ends of int64, domains that nothing relates."""
    made = Builder("times")
    for name, time_domain, edges in (
            ("monotonic", MONOTONIC, [0, 1, -1, -5000, 10**18]),
            ("ticks", GPU, [INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX]),
            ("other ticks", TSC, [0, 5, INT64_MAX]), ("unknown", "NONE", [7, 10**15])):
        stream = made.stream(name, time_domain)
        counter = made.counter(f"at {name}", "int")
        for begin in edges:
            made.mark(stream, begin, "mark")
            made.sample(stream, counter, begin, begin)
            for end in edges:
                made.range(stream, begin, end, "range")
                made.range(stream, begin, end, "start-end", do="startend")
        made.add("pop", stream=stream, time=3)
        made.add("push", stream=stream, time=4, message={"text": "never popped"})
        made.add("push", stream=stream, time=2, message={"text": "popped before it was pushed"})
        made.add("pop", stream=stream, time=1)
        made.add("start", stream=stream, time=6, range_id=2**50, message={"text": "never ended"})
        made.add("start", stream=stream, time=6, range_id=7, message={"text": "ended early"})
        made.add("end", stream=stream, time=5, range_id=7)
        made.add("end", stream=stream, time=8, range_id=2**50 + 1)
    return made.document()


def far():
    """A clock that begins at the smallest int64: all the others are out of a trace's reach."""
    made = Builder("far")
    stream = made.stream("far")
    for time in (0, 5, INT64_MIN, INT64_MIN + 100, -1, INT64_MAX):
        made.mark(stream, time, "mark")
        made.range(stream, time, min(INT64_MAX, time + 50), "range")
    return made.document()


def nesting():
    """Equal, touching, cutting and empty ranges; marks on edges, recorded before and after."""
    made = Builder("nesting")
    tree = made.stream("tree")
    rows = [(10, 20), (10, 15), (15, 20), (0, 10), (0, 100), (100, 200), (5, 10)]
    for begin, end in rows:
        made.mark(tree, begin, f"before {begin} to {end}")
        made.mark(tree, end, f"at the end of {begin} to {end}")
        made.range(tree, begin, end, f"{begin} to {end}")
        made.mark(tree, begin, f"after {begin} to {end}")
        made.mark(tree, end, f"after the end of {begin} to {end}")
    equal = made.stream("equal")
    for number in range(4):
        made.range(equal, 50, 60, f"equal {number}")
    empty = made.stream("empty")
    for number in range(3):
        made.mark(empty, 70, f"mark {number}")
        made.range(empty, 70, 70, f"nothing {number}")
    made.range(empty, 70, 71, "begins with nothing")
    cut = made.stream("cut")
    for begin, end in ((0, 100), (50, 150), (20, 30), (25, 35), (120, 130)):
        made.range(cut, begin, end, "cuts")
    lanes = made.stream("lanes")
    for begin, end in ((0, 100), (50, 150), (20, 30), (25, 35), (0, 100), (60, 60)):
        made.range(lanes, begin, end, "start-end", do="startend", category=7)
    mixed = made.stream("mixed")
    for begin, end, do in ((0, 100, "pushpop"), (10, 90, "startend"), (20, 80, "pushpop"),
                           (20, 80, "startend"), (30, 40, "pushpop")):
        made.range(mixed, begin, end, do, do=do)
    live = made.stream("live")
    for time in range(0, 40, 4):
        made.add("push", stream=live, time=time, message={"text": f"depth {time // 4}"})
    for time in (50, 45, 60, 55, 70):
        made.add("pop", stream=live, time=time)
    depth = made.counter("depth", "int")
    for time, value in enumerate(INTEGERS):
        made.sample(live, depth, time, value)
    schema = made.schema("RANGE_PUSHPOP", [("b", "i8", "RANGE_BEGIN"), ("e", "i8", "RANGE_END"),
                                           ("items", "i8", "")])
    made.event(made.stream("rows"), schema, struct.pack("<3q", 3, 9, 64))
    return made.document()


def large():
    """Texts beyond a page of 4 KiB, among events of the same times that are small."""
    made = Builder("large")
    for sizes in ((1, 5000), (5000, 1), (5000, 5000), (3500, 3700), (5000, 1, 5000, 1)):
        stream = made.stream(f"large {sizes}")
        for number in range(4):
            for at, size in enumerate(sizes):
                text = f"{number} {at} " + size * "x"
                for begin, end in ((50, 60), (50, 55), (60, 60), (40, 60), (60, 70)):
                    made.mark(stream, begin, text)
                    made.range(stream, begin, end, text)
                    made.mark(stream, end, text)
                made.range(stream, 50, 60, text, do="startend")
    return made.document()


def values():
    """Fields and samples of every number that has no place in some format."""
    made = Builder("values")
    stream = made.stream("values")
    fields = [("at", "i8", "MARK")]
    row = struct.pack("<q", 9)
    for at, number in enumerate(REALS):
        fields += [(f"real {at}", "f8", ""), (f"half {at}", "f4", "")]
        row += struct.pack("<df", number, max(-3e38, min(3e38, number)) if number == number else number)
    for at, number in enumerate(INTEGERS):
        fields += [(f"signed {at}", "i8", ""), (f"unsigned {at}", "u8", "")]
        row += struct.pack("<qQ", number, number % 2**64)
    fields += [(f"bytes {size}", f"S{size}", "") for size in (1, 4)]
    row += b"\xff" + b"\xff\xfe\x00\xc3"
    fields += [("struct", made.nested(["", "x", "x", "", "(unnamed)"]), "")]
    row += struct.pack("<5q", *range(5))
    made.event(stream, made.schema("MARK", fields), row)
    # A domain has a counter of a name once.
    for number, path in enumerate(("", "gpu[0]", "gpu[1]/queue", "gpu[1]/queue[2]", "gpu[0]")):
        domain = made.add("domain", session=made.session, name=f"domain {number}")
        scope = made.scope(path, domain) if path else None
        stream = made.stream(f"samples {number}", domain=domain)
        real = made.counter("load", "float", "%", scope, domain)
        whole = made.counter("depth", "int", None, scope, domain)
        for time, number in enumerate(REALS):
            made.sample(stream, real, time, number)
        for time, number in enumerate(INTEGERS):
            made.sample(stream, whole, time, number)
        for reason in ("ZERO", "UNCHANGED", "UNAVAILABLE"):
            made.add("no_value", stream=stream, counter=real, time=100, reason=reason)
    return made.document()


def processes():
    """Numbers of processes and threads that are used again, are none of the system's, or meet."""
    made = Builder("processes")
    other = made.add("domain", session=made.session, name="other domain")
    paths = ["Process[4000:engine]/Thread[1:4001:worker]", "Process[4000]/Thread[2:4002:late]",
             "Process[4000:engine]/Thread[3:4001:second]", "Process[4000:other]/Thread[1:4001:far]",
             "Process[4000:engine]", "Process[4000:engine]/io/disk[0]", "Process[5000]",
             "Process[5000:named later]/Thread[1:5001]", "Process[0:idle]/Thread[1:0:idle]",
             "Process[9999999999:huge]/Thread[1:9999999998:huge]", "Thread[1:77:of nobody]",
             "Process[1073741824:at the edge]/Thread[1:1073741824:at the edge]",
             "Process[2147483647:32 bits]/Thread[1:2147483647:32 bits]",
             "node/Process[6000:inside]/Thread[1:6001:inside]", "Process[4000:engine]/Thread[1:4001:worker]/fiber",
             "node", "node/inner[1]/leaf", "Process[:broken", "Thread[x]"]
    for at, path in enumerate(paths):
        for domain in (made.domain, other):
            stream = made.stream(f"{path} {domain}", scope=made.scope(path, domain), domain=domain)
            made.range(stream, 100 * at, 100 * at + 60, path)
            made.range(stream, 100 * at + 10, 100 * at + 20, path)
            own = made.add("domain", session=made.session, name=f"{at} {domain}")
            counter = made.counter("depth", "int", scope=made.scope(path, own), domain=own)
            made.sample(made.stream(f"depth {at} {domain}", domain=own), counter, 100 * at, at)
    return made.document()


def documents():
    return {make.__name__: make() for make in (names, times, far, nesting, large, values, processes)}
