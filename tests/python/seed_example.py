# SPDX-License-Identifier: Apache-2.0
"""The example of nvtx.writer's own documentation, "Writing Pre-Collected Data", as a function.

Every call in it is one that a user of nvtx.writer would copy; the tests look at what became of it.
"""

import numpy as np

import nvtx
from nvtx.writer import Session


def write_session(backend, config):
    """Runs the whole example in a session of `backend` with the configuration `config`."""
    with Session("Example Writer", backend=backend, config=config) as session:
        domain = session.get_domain("My Domain")
        with session.create_stream("My Stream", domain=domain) as stream:
            write_basic_events(stream)
            write_counter(domain, stream)
            write_generic_event(domain, stream)


def write_basic_events(stream):
    stream.write_mark(100, message="My Mark")
    stream.write_pushpop(start=200, end=500, message="My Message", color="green")


def write_counter(domain, stream):
    counter = domain.get_counter("My Counter", int)
    stream.write_counter_sample(counter, timestamp=600, value=12)
    stream.write_counter_batch(counter, [10, 8, 4], timestamps=[700, 800, 900])


def write_generic_event(domain, stream):
    event_dtype = np.dtype(
        [
            ("start", nvtx.numpy_dtype(np.int64, entry_kind=nvtx.EntryKind.RANGE_BEGIN)),
            ("end", nvtx.numpy_dtype(np.int64, entry_kind=nvtx.EntryKind.RANGE_END)),
            ("message", nvtx.numpy_dtype((np.str_, 32), entry_kind=nvtx.EntryKind.MESSAGE)),
            ("items", np.int64),
            ("input_bytes", np.int64),
        ]
    )
    event_schema = domain.get_schema(event_dtype, kind=nvtx.EventKind.RANGE_STARTEND)
    stream.write_event(event_schema, (1_000, 1_500, "process items", 64, 16_384))
