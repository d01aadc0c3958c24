# SPDX-License-Identifier: Apache-2.0
"""Uses each public function and decorator of PyPI nvtx; python_test.py knows what has to come of it."""

import threading
import time

import numpy
import nvtx

POINT = numpy.dtype([("x", numpy.float64), ("ids", numpy.uint32, 3), ("sub", [("a", numpy.int16), ("b", numpy.int64)])])
MEMORY = numpy.dtype([("used", numpy.int64), ("load", numpy.float64)])


@nvtx.annotate(color="orange", domain="work", category="cpu", payload=7)
def decorated(depth):
    return 1 if depth == 0 else decorated(depth - 1) + 1


@nvtx.annotate("by name", color=0x123456)
def named():
    pass


def functions():
    with nvtx.annotate("context", color="green", domain="work", category="io", payload=2.5):
        nvtx.mark("in context", domain="work", category=12, color="blue")
    nvtx.push_range("pushed", domain="work", payload=-3)
    nvtx.pop_range(domain="work")
    first = nvtx.start_range("first", domain="work")
    second = nvtx.start_range("second", domain="work", category="io", payload=1)
    nvtx.end_range(first)
    nvtx.end_range(second)
    nvtx.mark("default domain")
    nvtx.mark("ünïcode 😀", domain="dömain")


def domains():
    domain = nvtx.get_domain("direct")
    assert nvtx.get_domain("direct") is domain
    attributes = domain.get_event_attributes(message="attributes", color="red", category="net", payload=5)
    domain.mark(attributes)
    domain.set_event_attributes(attributes, message="changed", payload=6)
    domain.mark(attributes)
    domain.push_range(attributes)
    domain.pop_range()
    domain.end_range(domain.start_range(attributes))
    assert domain.get_registered_string("registered") is domain.get_registered_string("registered")
    assert domain.get_category_id("disk") == domain.get_category_id("disk") != domain.get_category_id("net")
    domain.mark(message="registered", category="disk")
    assert isinstance(domain.get_timestamp(), int)


def payloads():
    for value in (numpy.array(-8, dtype=numpy.int8), numpy.array(2**64 - 1, dtype=numpy.uint64),
                  numpy.array(0.25, dtype=numpy.float32), 2**40, 0.5,
                  numpy.array([1, 2, 3], dtype=numpy.int32), numpy.array([1.5, 2.5]),
                  numpy.array((3.5, [7, 8, 9], (-1, -2)), dtype=POINT)):
        nvtx.mark(f"payload {getattr(value, 'dtype', type(value).__name__)}"[:32], domain="payloads", payload=value)
    with nvtx.annotate("struct", domain="payloads", payload=numpy.array((0.5, [1, 2, 3], (4, 5)), dtype=POINT)):
        pass


def payloads_by_form():
    """Each in an event whose name says what it is."""
    domain = nvtx.get_domain("forms")
    pair = numpy.dtype([("a", numpy.int8), ("b", numpy.float16)])
    grid = numpy.arange(6, dtype=numpy.int16).reshape(2, 3)
    special = numpy.dtype([
        ("message", nvtx.numpy_dtype(numpy.uint64, entry_type=nvtx.PayloadEntryType.REGISTERED_STRING)),
        ("color", nvtx.numpy_dtype(numpy.uint32, entry_type=nvtx.PayloadEntryType.COLOR_ARGB)),
        ("category", nvtx.numpy_dtype(numpy.uint32, entry_type=nvtx.PayloadEntryType.CATEGORY))])
    for name, value in {
            "list": [1, -2], "floats": [1.5, 2.5], "tuple": (7, 8, 9), "range": range(4), "bytes": b"hello",
            "no bytes": b"", "no list": [], "list of bytes": [b"", b"hello"], "list of bool": [1.0, 2.0],
            "pairs": numpy.array([(1, 0.5), (2, 1.5)], dtype=pair), "every other": numpy.arange(6, dtype=numpy.uint16)[::2],
            "grid": grid, "text": numpy.array("ünï"), "texts": numpy.array(["a", "bc"]),
            "float16": numpy.array([0.5, 1.5], dtype=numpy.float16), "uint8": numpy.array([255, 0], dtype=numpy.uint8),
            "special": numpy.array((0, 0xFF00FF00, 3), dtype=special)}.items():
        domain.mark(message=name, payload=value)
    values = [1, 2, 3]
    changing = nvtx.annotate("changing", domain="forms", payload=values)
    with changing:
        values[0] = 0
    with changing:
        pass

    @nvtx.annotate(domain="forms", payload=values)
    def failing():
        raise KeyError

    for _ in range(2):
        try:
            failing()
        except KeyError:
            pass
    # Each method with each way of giving attributes.
    attributes = domain.get_event_attributes("again", payload=1)
    domain.push_range(attributes, payload=(1, 2))
    domain.pop_range()
    domain.end_range(domain.start_range(message="started", category=7, color="red", payload=2.5))
    domain.push_range(message="pushed", color=0x010203)
    domain.pop_range()
    domain.set_event_attributes(attributes, message=None, color="red", category="named", payload=None)
    domain.mark(attributes)
    nvtx.mark()
    nvtx.get_domain().mark(message="default")
    assert nvtx.get_domain() is nvtx.get_domain(None)
    assert nvtx.Domain("forms").name == "forms"


def counters_by_form():
    domain = nvtx.get_domain("counter forms")
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64", "float32", "float16"):
        counter = domain.get_counter(f"of {dtype}", numpy.dtype(dtype))
        counter.sample(3)
        now = domain.get_timestamp()
        counter.batch_submit([1, 2], [now, now + 1])
    group = nvtx.numpy_dtype([
        ("objects", nvtx.numpy_dtype(numpy.uint32, counter_semantics=nvtx.CounterSemantics(
            unit="objects", value_type=nvtx.CounterValueType.DELTA_SINCE_START, min=0, max=100))),
        ("load", nvtx.numpy_dtype(float, counter_semantics=nvtx.CounterSemantics(
            unit="%", interpolation=nvtx.CounterInterpolation.LINEAR, unit_scale_numerator=1, unit_scale_denominator=100,
            min=0.0, max=1.0)))])
    counter = domain.get_counter("group", group, description="of two", scope="machine/cpu")
    counter.sample((5, 0.5))
    counter.batch_submit([(6, 0.25), (7, 0.75)], [now, now + 1])
    counter.batch_submit(numpy.array([(8, 1.0)], dtype=group), numpy.array([now]))
    for reason in nvtx.CounterNoValueReason:
        counter.sample_no_value(reason)
    assert domain.get_counter("group", group, description="of two", scope="machine/cpu") is counter
    # Times of another clock: these are of the same moment.
    before = time.monotonic_ns()
    monotonic = domain.get_counter("monotonic", int, time_domain=nvtx.TimestampType.CPU_CLOCK_GETTIME_MONOTONIC)
    monotonic.batch_submit([1], [before])
    domain.get_counter("tool", int).sample(1)


def counters():
    domain = nvtx.get_domain("counters")
    semantics = nvtx.CounterSemantics(unit="objects", min=0)
    depth = domain.get_counter("depth", int, description="how deep", semantics=semantics)
    depth.sample(3)
    depth.sample(-4)
    depth.sample_no_value(nvtx.CounterNoValueReason.UNAVAILABLE)
    now = domain.get_timestamp()
    depth.batch_submit([1, 2], [now, now + 1])
    load = domain.get_counter("load", float, scope="machine/cpu")
    load.sample(0.5)
    load.batch_submit([0.25, 0.75], [now, now + 1])
    memory = domain.get_counter("memory", MEMORY)
    memory.sample(numpy.array((4096, 0.5), dtype=MEMORY))
    # The same name again, as another number.
    domain.get_counter("depth", float).sample(1.5)


def threads():
    workers = [threading.Thread(target=decorated, args=(2,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def profiled():
    def inner():
        return 1

    profile = nvtx.Profile(linenos=False, annotate_cfuncs=True)
    profile.enable()
    for _ in range(3):
        inner()
    len("abc")
    profile.disable()


assert nvtx.enabled()
decorated(2)
named()
functions()
domains()
payloads()
payloads_by_form()
counters()
counters_by_form()
threads()
profiled()
