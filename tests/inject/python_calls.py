# SPDX-License-Identifier: Apache-2.0
"""Uses each public function and decorator of PyPI nvtx; python_test.py knows what has to come of it."""

import threading

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
counters()
threads()
profiled()
