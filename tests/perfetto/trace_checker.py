# SPDX-License-Identifier: Apache-2.0
"""Reads a Perfetto trace with the published protos and checks it against the published rules.

    trace = trace_checker.load("run.pftrace")     # raises TraceError with all that is wrong
    track = trace.track("order book")
    for event in track.events: event.name, event.begin, event.end, event.args, event.category

The rules: every packet belongs to a sequence whose state was cleared first; interned numbers are
defined before they are used, and not twice in one generation; tracks are described before their
events, parents before children; a clock snapshot comes before the first time; defaults and
incremental clocks count for their sequence until its state is cleared; compressed packets hold
whole packets, each stream by itself; and, sorted by time with the order of the file at ties as
readers do, begins and ends balance on each track.

That packets with events do not repeat the flag "needs incremental state" is allowed: it lets a
reader pass over packets whose state was lost, and a reader has to apply defaults without it.

Needs the PyPI packages `perfetto` and `protobuf` on PYTHONPATH.
"""

import dataclasses
import sys
import zlib
from typing import Any, Optional

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as protos

CLEARED = protos.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
NEEDS = protos.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
TIME_MAX = 2**63 - 1
SEQUENCE_CLOCKS = range(64, 128)
COMPRESSED_BYTES_MAX = 512 * 1024


VALUE_KINDS = {
    "int_value": "i",
    "uint_value": "u",
    "double_value": "f",
    "string_value": "s",
    "bool_value": "b",
    "pointer_value": "address",
}


def plain(value) -> Any:
    """A typed value as Python has it; of equal names in a struct the last stays."""
    kind, content = value
    if kind == "struct":
        return {name: plain(inner) for name, inner in content}
    return [plain(inner) for inner in content] if kind == "array" else content


class TraceError(AssertionError):
    """What is wrong with a trace, one rule a line."""


@dataclasses.dataclass
class Event:
    """A range, or an instant if `end` is None. `depth` is 0 for an outermost event.

    `annotations` has what is in `args` in its order, with equal names and with types: (name, value)s,
    and a value is ("i", 5), ("u", 5), ("f", 5.0), ("s", "5"), ("b", True), ("address", 5),
    ("struct", ((name, value), ...)) or ("array", (value, ...)).
    """

    name: str
    begin: int
    end: Optional[int] = None
    args: dict = dataclasses.field(default_factory=dict)
    category: str = ""
    depth: int = 0
    parent: Optional["Event"] = None
    instant: bool = False
    flows: list = dataclasses.field(default_factory=list)
    annotations: tuple = ()


@dataclasses.dataclass
class Track:
    """A track and its events, by begin; `kind` is plain, process, thread or counter."""

    uuid: int
    name: str
    kind: str
    parent: Optional["Track"] = None
    pid: int = 0
    tid: int = 0
    unit: str = ""
    description: str = ""
    labels: list = dataclasses.field(default_factory=list)
    merge_key: int = 0
    events: list = dataclasses.field(default_factory=list)
    samples: list = dataclasses.field(default_factory=list)  # (time, value)
    annotated: list = dataclasses.field(default_factory=list)  # (time, value, annotations), as they came


@dataclasses.dataclass
class Trace:
    tracks: list
    clocks: list  # a dict of clock ID to time for each snapshot
    generations: int = 0  # how often the interned state was cleared
    packets: int = 0
    compressed: int = 0  # packets that hold others

    def named(self, name):
        """All tracks of that name, lanes included."""
        return [track for track in self.tracks if track.name == name]

    def track(self, name):
        """The one track of that name."""
        found = self.named(name)
        if len(found) != 1:
            names = sorted(track.name for track in self.tracks)
            raise TraceError(f"{len(found)} tracks are named {name!r}; there are {names}")
        return found[0]

    def counter(self, name):
        """The samples of the one counter of that name: a list of (time, value)."""
        return self.track(name).samples

    def events(self):
        """All events of all tracks."""
        return [event for track in self.tracks for event in track.events]


@dataclasses.dataclass
class _Sequence:
    valid: bool = False
    default_clock: int = 0
    default_track: int = 0
    times: dict = dataclasses.field(default_factory=dict)  # of incremental clocks
    names: dict = dataclasses.field(default_factory=dict)
    categories: dict = dataclasses.field(default_factory=dict)
    annotations: dict = dataclasses.field(default_factory=dict)


class _Reader:
    def __init__(self):
        self.errors = []
        self.sequences = {}
        self.tracks = {}
        self.clocks = []
        self.primary = 0
        self.sequence_times = {}  # by sequence and clock: what its snapshot said last
        self.packets = 0
        self.compressed = 0
        self.steps = {}  # by track: (time, event type, Event)
        self.generations = 0
        self.position = 0

    def error(self, text):
        self.errors.append(f"packet {self.position}: {text}")

    def compressed_packets(self, packet):
        self.compressed += 1
        if packet.ByteSize() >= COMPRESSED_BYTES_MAX:
            self.error("compressed packets take 512 KiB or more")
        try:
            trace = protos.Trace.FromString(zlib.decompress(packet.compressed_packets))
        except Exception as error:  # zlib's or protobuf's
            self.error(f"compressed packets cannot be read: {error}")
            return
        if not trace.packet:
            self.error("compressed packets hold none")
        for inner in trace.packet:
            if inner.HasField("compressed_packets"):
                self.error("compressed packets hold compressed ones")
            self.packet(inner)

    def packet(self, packet):
        if packet.HasField("compressed_packets"):
            self.compressed_packets(packet)
            return
        self.packets += 1
        if not packet.trusted_packet_sequence_id:
            self.error("it belongs to no sequence")
        sequence = self.sequences.setdefault(packet.trusted_packet_sequence_id, _Sequence())
        if packet.sequence_flags & CLEARED:
            sequence = _Sequence(valid=True)
            self.sequences[packet.trusted_packet_sequence_id] = sequence
            self.generations += 1
        elif not sequence.valid:
            self.error("it comes before the state of its sequence was cleared")
        if packet.HasField("trace_packet_defaults"):
            sequence.default_clock = packet.trace_packet_defaults.timestamp_clock_id
            sequence.default_track = packet.trace_packet_defaults.track_event_defaults.track_uuid
        if packet.HasField("interned_data"):
            self.interned(packet, sequence)
        kind = packet.WhichOneof("data")
        if kind == "clock_snapshot":
            self.snapshot(packet, sequence)
        elif kind == "track_descriptor":
            self.descriptor(packet.track_descriptor)
        elif kind == "track_event":
            self.track_event(packet, sequence)

    def interned(self, packet, sequence):
        if not packet.sequence_flags & (NEEDS | CLEARED):
            self.error("it defines interned data without a flag")
        data = packet.interned_data
        for table, entries in (
            (sequence.names, data.event_names),
            (sequence.categories, data.event_categories),
            (sequence.annotations, data.debug_annotation_names),
        ):
            for entry in entries:
                if entry.iid == 0:
                    self.error(f"{entry.name!r} is interned as 0")
                if entry.iid in table:
                    self.error(f"interned number {entry.iid} is defined twice")
                table[entry.iid] = entry.name

    def snapshot(self, packet, sequence):
        snapshot = packet.clock_snapshot
        clocks = {clock.clock_id: clock.timestamp for clock in snapshot.clocks}
        if len(clocks) != len(snapshot.clocks):
            self.error("a clock appears twice in a snapshot")
        if any(clock.clock_id in SEQUENCE_CLOCKS for clock in snapshot.clocks):
            self.sequence_snapshot(packet, sequence, clocks)
            return
        monotonic = protos.BUILTIN_CLOCK_MONOTONIC
        if self.clocks and clocks[monotonic] <= self.clocks[-1][monotonic]:
            self.error("the monotonic clock goes back from snapshot to snapshot")
        if self.primary not in (0, snapshot.primary_trace_clock):
            self.error("the primary clock changes")
        self.primary = snapshot.primary_trace_clock
        self.clocks.append(clocks)

    def sequence_snapshot(self, packet, sequence, clocks):
        """Begins an incremental clock of a sequence, which has to run with the monotonic one."""
        number = packet.trusted_packet_sequence_id
        for clock in packet.clock_snapshot.clocks:
            if clock.clock_id not in SEQUENCE_CLOCKS:
                continue
            if not clock.is_incremental or clock.unit_multiplier_ns not in (0, 1):
                self.error(f"clock {clock.clock_id} of sequence {number} does not count ns up")
            if clocks.get(protos.BUILTIN_CLOCK_MONOTONIC) != clock.timestamp:
                self.error(f"clock {clock.clock_id} of sequence {number} is not CLOCK_MONOTONIC")
            # Readers keep snapshots of the same clocks beyond the end of a generation.
            before = self.sequence_times.get((number, clock.clock_id), 0)
            if clock.timestamp < before:
                self.error(f"clock {clock.clock_id} of sequence {number} goes back")
            self.sequence_times[number, clock.clock_id] = clock.timestamp
            sequence.times[clock.clock_id] = clock.timestamp

    def time_of(self, packet, sequence):
        """The time of an event on CLOCK_MONOTONIC."""
        clock = packet.timestamp_clock_id or sequence.default_clock
        time = packet.timestamp
        if not self.clocks:
            self.error("an event comes before all clock snapshots")
        elif clock in SEQUENCE_CLOCKS:
            if clock not in sequence.times:
                self.error(f"the clock {clock} of an event is in no snapshot of its sequence")
            time += sequence.times.get(clock, 0)
            sequence.times[clock] = time
        elif clock not in self.clocks[0]:
            self.error(f"the clock {clock} of an event is in no snapshot")
        if not packet.HasField("timestamp") or time > TIME_MAX:
            self.error(f"time {time} is out of range")
        return time

    def descriptor(self, descriptor):
        if descriptor.uuid == 0 or descriptor.uuid in self.tracks:
            self.error(f"track number {descriptor.uuid} is 0 or taken")
        parent = None
        if descriptor.HasField("parent_uuid"):
            parent = self.tracks.get(descriptor.parent_uuid)
            if parent is None:
                self.error(f"track {descriptor.name!r} is described before its parent")
        track = Track(descriptor.uuid, descriptor.name, "plain", parent)
        track.description = descriptor.description
        track.merge_key = descriptor.sibling_merge_key_int
        if descriptor.HasField("process"):
            track.kind = "process"
            track.name = descriptor.process.process_name
            track.pid = descriptor.process.pid
            track.labels = list(descriptor.process.process_labels)
        elif descriptor.HasField("thread"):
            track.kind = "thread"
            track.name = descriptor.thread.thread_name
            track.pid = descriptor.thread.pid
            track.tid = descriptor.thread.tid
            if any(
                t.kind == "thread" and (t.pid, t.tid) == (track.pid, track.tid)
                for t in self.tracks.values()
            ):
                self.error(f"thread {track.tid} of process {track.pid} is described twice")
        elif descriptor.HasField("counter"):
            track.kind = "counter"
            track.unit = descriptor.counter.unit_name
        self.tracks[track.uuid] = track

    def look_up(self, table, iid, what):
        if iid not in table:
            self.error(f"{what} {iid} is used before it is defined")
            return f"<{what} {iid}>"
        return table[iid]

    def value(self, annotation, sequence):
        kind = annotation.WhichOneof("value")
        if kind is not None:
            return (VALUE_KINDS.get(kind, kind), getattr(annotation, kind))
        if annotation.dict_entries:
            return ("struct", self.annotations(annotation.dict_entries, sequence))
        return ("array", tuple(self.value(item, sequence) for item in annotation.array_values))

    def annotations(self, annotations, sequence):
        result = []
        for annotation in annotations:
            name = annotation.name
            if annotation.WhichOneof("name_field") == "name_iid":
                name = self.look_up(sequence.annotations, annotation.name_iid, "annotation name")
            result.append((name, self.value(annotation, sequence)))
        return tuple(result)

    def track_event(self, packet, sequence):
        event = packet.track_event
        time = self.time_of(packet, sequence)
        uuid = event.track_uuid if event.HasField("track_uuid") else sequence.default_track
        track = self.tracks.get(uuid)
        if track is None:
            self.error(f"an event is on track {uuid}, which was not described")
            return
        name = event.name
        if event.WhichOneof("name_field") == "name_iid":
            name = self.look_up(sequence.names, event.name_iid, "event name")
        categories = list(event.categories) + [
            self.look_up(sequence.categories, iid, "category") for iid in event.category_iids
        ]
        annotations = self.annotations(event.debug_annotations, sequence)
        args = plain(("struct", annotations))
        decoded = Event(name, time, None, args, ",".join(categories), flows=list(event.flow_ids),
                        annotations=annotations)
        if len(set(decoded.flows)) != len(decoded.flows) or 0 in decoded.flows:
            self.error(f"its flows are {decoded.flows}")
        if event.type == protos.TrackEvent.TYPE_COUNTER:
            if track.kind != "counter":
                self.error(f"a sample is on {track.name!r}, which is no counter")
            field = event.WhichOneof("counter_value_field")
            if field is None:
                self.error("a sample has no value")
            else:
                track.samples.append((time, getattr(event, field)))
                track.annotated.append((*track.samples[-1], annotations))
            return
        if track.kind == "counter":
            self.error(f"an event is on the counter {track.name!r}")
        self.steps.setdefault(track.uuid, []).append((time, event.type, decoded))

    def nest(self):
        """Does what a viewer does with the begins and ends of each track."""
        for uuid, steps in self.steps.items():
            track = self.tracks[uuid]
            where = f"track {track.name!r}"
            stack = []
            for time, kind, event in sorted(steps, key=lambda step: step[0]):
                if kind == protos.TrackEvent.TYPE_SLICE_END:
                    if event.name:
                        self.errors.append(f"{where}: an end has the name {event.name!r}")
                    if not stack:
                        self.errors.append(f"{where}: an end at {time} meets no begin")
                        continue
                    stack.pop().end = time
                    continue
                if not event.name or not event.category:
                    self.errors.append(f"{where}: an event at {time} lacks name or category")
                event.depth = len(stack)
                event.parent = stack[-1] if stack else None
                track.events.append(event)
                if kind == protos.TrackEvent.TYPE_SLICE_BEGIN:
                    stack.append(event)
                elif kind == protos.TrackEvent.TYPE_INSTANT:
                    event.instant = True
                else:
                    self.errors.append(f"{where}: event type {kind} at {time}")
            for event in stack:
                self.errors.append(f"{where}: {event.name!r}, begun at {event.begin}, never ends")
        for track in self.tracks.values():
            track.samples.sort(key=lambda sample: sample[0])


def _whole_packets(data):
    """`data` up to its last whole packet."""
    end = 0
    while end < len(data):
        if data[end] != 0x0A:  # Trace.packet, with a length
            raise TraceError(f"byte {end} begins no packet")
        size, shift, at = 0, 0, end + 1
        while at < len(data) and data[at] & 0x80:
            size |= (data[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
        if at >= len(data):
            break
        size |= data[at] << shift
        if at + 1 + size > len(data):
            break
        end = at + 1 + size
    return data[:end]


def load_killed(path):
    """Reads the file of a process that was killed: its last packet may be cut, and ranges may not end.
    Raises TraceError if it breaks another rule."""
    with open(path, "rb") as file:
        trace = protos.Trace.FromString(_whole_packets(file.read()))
    return _read(trace, path, may_be_open=True)


def load(path, check=True):
    """Reads the file. Raises TraceError if it breaks a rule, unless `check` is False."""
    trace = protos.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    return _read(trace, path, check)


def _read(trace, path, check=True, may_be_open=False):
    reader = _Reader()
    for reader.position, packet in enumerate(trace.packet):
        reader.packet(packet)
    reader.nest()
    if may_be_open:
        reader.errors = [error for error in reader.errors if not error.endswith("never ends")]
    elif check and not trace.packet:
        reader.errors.append("the file holds no packet")
    if check and reader.errors:
        raise TraceError(f"{path}:\n  " + "\n  ".join(reader.errors[:50]))
    return Trace(list(reader.tracks.values()), reader.clocks, reader.generations,
                 reader.packets, reader.compressed)


def main(paths):
    """Prints what is in each file, as a tree of tracks."""
    for path in paths:
        trace = load(path)
        print(f"{path}: {trace.packets} packets, {len(trace.tracks)} tracks")
        for track in trace.tracks:
            parent = f" below {track.parent.name!r}" if track.parent else ""
            print(f"  {track.kind} {track.name!r}{parent}")
            for event in track.events:
                end = "" if event.end is None else f" to {event.end}"
                print(f"    {'  ' * event.depth}{event.begin}{end} {event.name!r} "
                      f"[{event.category}] {event.args or ''}")
            for time, value in track.samples:
                print(f"    {time} = {value}")


if __name__ == "__main__":
    main(sys.argv[1:])
