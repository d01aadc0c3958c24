# SPDX-License-Identifier: Apache-2.0
"""Calls each public function and decorator of PyPI nvtx, and prints what it called: one line of JSON,

    {"events": [[tid, kind, domain, name, category, category id, color, fields, depth], ...],
     "samples": {...}}

The fields are in the words of tests/formats/recording.py, and are read from the values with NumPy.
"""

import concurrent.futures
import itertools
import json
import math
import pickle
import threading
import time
import warnings

import numpy as np
import nvtx

COLORS = {"green": 0x008000, "blue": 0x0000FF, "yellow": 0xFFFF00, "purple": 0x800080, "rapids": 0x7400FF,
          "cyan": 0x00FFFF, "red": 0xFF0000, "white": 0xFFFFFF, "darkgreen": 0x006400, "orange": 0xFFA500,
          None: 0x0000FF, 0x80123456: 0x80123456, 0: 0}
SUB = np.dtype([("x", int), ("y", np.int16)])
POINT = np.dtype([("x", np.float64), ("ids", np.uint32, 4), ("sub", SUB), ("tag", "S3"), ("word", "U4")])
ALIGNED = np.dtype([("a", np.int8), ("b", np.float64), ("c", np.uint16)], align=True)
NUMBERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32,
           np.float64]


def extremes(number):
    limits = np.finfo(number) if issubclass(number, np.floating) else np.iinfo(number)
    return [limits.min, limits.max]


PAYLOADS = [
    None, 0, -1, 2**63 - 1, -2**63, 0.1, -0.0, math.inf, -math.inf, math.nan,
    *[np.array(value, dtype=number) for number in NUMBERS for value in extremes(number)],
    *[np.array([1, *extremes(number)], dtype=number) for number in NUMBERS],
    np.array([1, 2, 3, 4, 5], dtype=np.int16)[::2],
    np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32).T,
    np.array((3.14, [1, 2, 3, 4], (-1, 2), b"ab", "wörd"), dtype=POINT),
    np.array([(i / 8, [i] * 4, (i, -i), b"xyz", "z" * i) for i in range(4)], dtype=POINT),
    np.array((-1, 2.5, 3), dtype=ALIGNED),
    np.array([(-1, 2.5, 3), (4, 5.5, 6)], dtype=ALIGNED),
    np.array("ünïcode 😀"), np.array(["ab", "", "c"]), np.array([b"xy", b"z"]),
    np.arange(1000), np.array([]),
    [1, 2], (1.5, 2.5), [[1, 2], [3, 4]], ["a", "bc"], [], (), range(5), range(0), b"hello", (b"", b"hello"),
]


# --- What a value is in a recording.


def value_of(value, dtype):
    if dtype.subdtype is not None:
        base, _ = dtype.subdtype
        return ["array", [value_of(one, base) for one in np.asarray(value).ravel()]]
    if dtype.names is not None:
        return ["struct", fields_of(value)]
    if dtype.kind in "iu":
        return [dtype.kind, int(value)]
    if dtype.kind == "f":
        return ["f", "nan" if math.isnan(value) else float(value).hex()]
    if dtype.kind == "U":
        return ["s", str(value)]
    # NumPy's bytes are NVTX's, in their whole length: they are no text.
    return ["s", "0x" + bytes(value).ljust(dtype.itemsize, b"\0").hex()]


def fields_of(row):
    return [[name, value_of(row[name], row.dtype.fields[name][0])] for name in row.dtype.names]


def fields(payload):
    if payload is None:
        return []
    if isinstance(payload, (int, float)):
        return [["payload", value_of(payload, np.dtype(type(payload)))]]
    array = np.array(payload)
    if array.nbytes == 0:  # nvtx sends none
        return []
    if array.ndim > 0:
        return [["size", ["u", array.size]], ["data", ["array", [value_of(one, array.dtype) for one in array.ravel()]]]]
    if array.dtype.names is not None:
        return fields_of(array[()])
    return [[array.dtype.name, value_of(array[()], array.dtype)]]


# --- What was called.

EVENTS = []
CATEGORIES = {}  # by domain: numbers of the names, in the order of their first use
OPEN = {}  # of a thread and domain: how many ranges are open


def depth(domain, change=0):
    key = threading.get_ident(), domain
    before = OPEN.get(key, 0)
    OPEN[key] = before + change
    return before


def call(kind, domain, name="", color=None, category=None, payload=None, shown=None):
    """Before the call. Returns the entry."""
    if isinstance(category, str):
        names = CATEGORIES.setdefault(domain, {})
        number = names.setdefault(category, len(names) + 1)
    else:
        category, number = "", category or 0
    entry = [threading.get_native_id(), kind, domain or "", name or "", category, number, COLORS[color],
             fields(payload) if shown is None else shown, depth(domain, 1 if kind == "push-pop" else 0)]
    EVENTS.append(entry)
    return entry


def popped(domain):
    depth(domain, -1)


# --- The ways to make an event; each takes the same arguments.


def module_mark(name, color, domain, category, payload):
    call("mark", domain, name, color, category, payload)
    nvtx.mark(name, color=color, domain=domain, category=category, payload=payload)


def module_push(name, color, domain, category, payload):
    call("push-pop", domain, name, color, category, payload)
    nvtx.push_range(name, color, domain, category, payload)
    nvtx.pop_range(domain)
    popped(domain)


def module_start(name, color, domain, category, payload):
    call("start-end", domain, name, color, category, payload)
    nvtx.end_range(nvtx.start_range(name, color, domain, category, payload))


def annotate_context(name, color, domain, category, payload):
    again = nvtx.annotate(name, color=color, domain=domain, category=category, payload=payload)
    # One pickled and made again is the same.
    for annotation in (again, pickle.loads(pickle.dumps(again))):
        call("push-pop", domain, name, color, category, payload)
        with annotation as entered:
            assert entered is annotation
            module_mark("inside", "red", domain, None, None)
        popped(domain)


def annotate_decorator(name, color, domain, category, payload):
    @nvtx.annotate(name, color, domain, category, payload)
    def decorated(levels):
        """Its text."""
        return 1 if levels == 0 else 1 + traced(levels - 1)

    def traced(levels):
        call("push-pop", domain, "decorated" if name is None else name, color, category, payload)
        result = decorated(levels)
        popped(domain)
        return result

    assert (traced(2), decorated.__name__, decorated.__doc__) == (3, "decorated", "Its text.")


def domain_functions(name, color, domain, category, payload):
    arguments = {"message": name, "color": color, "category": category, "payload": payload}
    it = nvtx.get_domain(domain)
    attributes = it.get_event_attributes(**arguments)
    for given, more in ((None, arguments), (attributes, {})):
        call("mark", domain, name, color, category, payload)
        it.mark(given, **more)
        call("push-pop", domain, name, color, category, payload)
        it.push_range(given, **more)
        it.pop_range()
        popped(domain)
        call("start-end", domain, name, color, category, payload)
        it.end_range(it.start_range(given, **more))


WAYS = [module_mark, module_push, module_start, annotate_context, annotate_decorator, domain_functions]


def every_payload():
    for way, payload in itertools.product(WAYS, PAYLOADS):
        for name, color, category in (("name", "green", "io"), (None, None, None)):
            way(name, color, "payloads", category, payload)


def every_attribute():
    for way in WAYS:
        for domain, name in itertools.product((None, "plain", "dömain 😀"), ("name", "", "ünïcode 😀", "x" * 5000)):
            for category in (None, "io", "nët", 70000):
                way(name, "orange", domain, category, 7)
        for color in COLORS:
            way("color", color, "colors", None, None)


# --- What is not the same in all ways.


def attributes_that_change():
    domain = nvtx.get_domain("changes")
    assert nvtx.get_domain("changes") is domain and isinstance(domain, nvtx.Domain) and domain.name == "changes"
    text = domain.get_registered_string("registered")
    assert text is domain.get_registered_string("registered") and text.string == "registered"
    disk = domain.get_category_id("disk")
    assert disk == domain.get_category_id("disk") != domain.get_category_id("net")
    CATEGORIES["changes"] = {"disk": 1, "net": 2}

    attributes = domain.get_event_attributes("first", "red", "net", 1)
    call("mark", "changes", "first", "red", "net", 1)
    domain.mark(attributes)
    # Functions of the domain change what they are given.
    call("mark", "changes", "second", "green", "disk", [1, 2])
    domain.mark(attributes, message="second", color="green", category="disk", payload=[1, 2])
    call("push-pop", "changes", "second", "green", "disk", 2.5)
    domain.push_range(attributes, payload=2.5)
    domain.pop_range()
    popped("changes")
    call("start-end", "changes", "registered", "green", "disk", None)
    domain.end_range(domain.start_range(attributes, message=text, payload=None))
    domain.set_event_attributes(attributes, message=None, category=None, payload=np.array([1.5]), color=None)
    call("mark", "changes", payload=np.array([1.5]))
    domain.mark(attributes)
    attributes.message, attributes.color, attributes.category, attributes.payload = text, "cyan", disk, b"\0\1"
    call("mark", "changes", "registered", "cyan", "disk", shown=[["bytes16", ["s", "0x0001"]]])
    domain.mark(attributes)

    # The payload of an annotation is read when it is entered.
    numbers = np.array([1, 2, 3], dtype=np.int32)
    context = nvtx.annotate("mutable", domain="changes", payload=numbers)
    for first in (1, 0, -5):
        numbers[0] = first
        call("push-pop", "changes", "mutable", payload=numbers)
        with context:
            pass
        popped("changes")

    # No payload is what nvtx has no type for; it says so.
    for payload in (True, np.int64(3), np.float64(2.5), "text", {"a": 1}):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            call("mark", "changes", "not a payload")
            nvtx.mark("not a payload", domain="changes", payload=payload)
        assert len(said) == 1, said


def typed_fields():
    """Fields that say what the event is are no fields of it."""
    dtype = np.dtype([
        ("message", nvtx.numpy_dtype("U8", entry_kind=nvtx.EntryKind.MESSAGE)),
        ("category", nvtx.numpy_dtype("u4", entry_type=nvtx.PayloadEntryType.CATEGORY)),
        ("color", nvtx.numpy_dtype("u4", entry_type=nvtx.PayloadEntryType.COLOR_ARGB)),
        ("value", nvtx.numpy_dtype("i4"))])
    COLORS["typed"] = 0x11223344
    call("mark", "typed", "mässage", "typed", 12, shown=[["value", ["i", -7]]])
    nvtx.mark(domain="typed", payload=np.array(("mässage", 12, 0x11223344, -7), dtype=dtype))


def ranges_that_overlap():
    domain = nvtx.get_domain("overlap")
    ids = []
    for i in range(5):
        call("start-end", "overlap", f"range {i}", None, "io", i)
        ids.append(domain.start_range(message=f"range {i}", category="io", payload=i))
    assert len(set(ids)) == 5 and 0 not in ids
    domain.end_range(ids[2])
    nvtx.end_range(None)  # what start_range returns without a tool

    def end_others():
        # They stay in the row of the thread that began them.
        for i in (0, 4, 1, 3):
            domain.end_range(ids[i])

    thread = threading.Thread(target=end_others)
    thread.start()
    thread.join()


def exceptions():
    @nvtx.annotate(domain="exceptions")
    def fails():
        raise ValueError("as it should")

    call("push-pop", "exceptions", "around")
    try:
        with nvtx.annotate("around", domain="exceptions"):
            call("push-pop", "exceptions", "fails")
            fails()
    except ValueError:
        popped("exceptions")
        popped("exceptions")
    call("mark", "exceptions", "after")
    nvtx.mark("after", color=None, domain="exceptions")


def generators():
    """Of a generator the call that makes it is seen, of a coroutine likewise: nvtx wraps the call."""
    @nvtx.annotate(domain="generators")
    def numbers():
        yield from range(3)

    call("push-pop", "generators", "numbers")
    made = numbers()
    popped("generators")
    assert sum(made) == 3


def threads():
    barrier = threading.Barrier(6)

    def work(i):
        barrier.wait()
        for j in range(50):
            for way in WAYS:
                way(f"thread {i}", "red", f"threads {j % 2}", None, j)

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))


# --- Counters.

SAMPLES = {}  # [value or None, reason or None] by domain and counter, in the order of the calls


def sampled(domain, name, value, detail=None):
    SAMPLES.setdefault(f"{domain}|{name}", []).append([value, detail])


def every_number_counter():
    domain = nvtx.get_domain("numbers")
    for dtype in (int, float, *NUMBERS):
        name = np.dtype(dtype).name + (" of Python" if dtype in (int, float) else "")
        counter = domain.get_counter(name, dtype)
        assert counter is domain.get_counter(name, dtype)
        top = 2**63 - 1 if dtype is np.uint64 else extremes(np.dtype(dtype).type)[1]
        low = extremes(np.dtype(dtype).type)[0]
        as_told = (lambda value: float(value).hex()) if np.dtype(dtype).kind == "f" else int
        for value in (0, low, top):
            sampled("numbers", name, as_told(value))
            counter.sample(value)
        for reason in nvtx.CounterNoValueReason:
            sampled("numbers", name, None, reason.value)
            counter.sample_no_value(reason)
    for values in ([1, 2], (3, 4), np.array([5, 6]), range(7, 9), []):
        counter = domain.get_counter("batches", int)
        times = [domain.get_timestamp() for _ in values]
        for value in values:
            sampled("numbers", "batches", int(value))
        counter.batch_submit(values, times)


def counter_options():
    domain = nvtx.get_domain("options")
    kinds = itertools.product(nvtx.CounterValueType, nvtx.CounterInterpolation)
    for i, (value_type, interpolation) in enumerate(kinds):
        semantics = nvtx.CounterSemantics(unit="things", value_type=value_type, interpolation=interpolation, min=-i,
                                          max=i)
        sampled("options", f"kind {i}", i)
        domain.get_counter(f"kind {i}", int, description=f"the {i}th", scope="machine/cpu",
                           semantics=semantics).sample(i)
    scaled = nvtx.CounterSemantics(unit=b"KiB", max=2048.0, unit_scale_numerator=1, unit_scale_denominator=1024)
    sampled("options", "scaled", (512 / 1024).hex())
    domain.get_counter("scaled", float, semantics=scaled).sample(512)
    # One name, another counter.
    sampled("options", "scaled (2)", 5)
    domain.get_counter("scaled", int).sample(5)
    sampled("options", "scaled (3)", 6)
    domain.get_counter("scaled", int, description="other").sample(6)


def counter_groups():
    domain = nvtx.get_domain("groups")
    memory = np.dtype([
        ("used", nvtx.numpy_dtype(int, counter_semantics=nvtx.CounterSemantics(unit="bytes", min=0, max=100))),
        ("load", nvtx.numpy_dtype("f4", counter_semantics=nvtx.CounterSemantics(unit="percent"))),
        ("plain", "u1")])
    counter = domain.get_counter("memory", memory, description="of the machine")
    rows = [(1, 0.5, 3), (-4, 0.25, 255)]

    def told(row):
        for name, value in zip(memory.names, row):
            sampled("groups", f"memory.{name}", float(value).hex() if name == "load" else value)

    for row in (rows[0], np.array(rows[1], dtype=memory)):
        told(rows[0] if row is rows[0] else rows[1])
        counter.sample(row)
    for name in memory.names:
        sampled("groups", f"memory.{name}", None, 2)
    counter.sample_no_value(nvtx.CounterNoValueReason.UNAVAILABLE)
    for values in (rows, np.array(rows, dtype=memory)):
        for row in rows:
            told(row)
        counter.batch_submit(values, np.array([domain.get_timestamp() for _ in rows]))
    for wrong in ([("sub", SUB)], [("values", int, 2)]):
        try:
            domain.get_counter("wrong", np.dtype(wrong))
            raise AssertionError(wrong)
        except TypeError:
            pass


def mark_of_window(number):
    call("mark", "times", f"window {number}")
    nvtx.mark(f"window {number}", color=None, domain="times")


def times_of_samples():
    """Between two marks: a sample of each kind of counter; later a batch of what the clocks showed then."""
    domain = nvtx.get_domain("times")
    kinds = nvtx.TimestampType
    clocks = {kinds.TOOL_PROVIDED: domain.get_timestamp,
              kinds.CPU_CLOCK_GETTIME_MONOTONIC: time.monotonic_ns,
              kinds.CPU_CLOCK_GETTIME_REALTIME: time.time_ns}
    counters = {kind: domain.get_counter(kind.name, int, time_domain=kind) for kind in clocks}
    mark_of_window(0)
    times = {kind: clock() for kind, clock in clocks.items()}
    mark_of_window(1)
    for kind, counter in counters.items():
        sampled("times", kind.name, 1)
        counter.sample(1)
    mark_of_window(2)
    for kind, counter in counters.items():
        sampled("times", kind.name, 2)
        counter.batch_submit([2], [times[kind]])


assert nvtx.enabled()
every_payload()
every_attribute()
attributes_that_change()
typed_fields()
ranges_that_overlap()
exceptions()
generators()
threads()
every_number_counter()
counter_options()
counter_groups()
times_of_samples()
print(json.dumps({"events": EVENTS, "samples": SAMPLES}))
