# SPDX-License-Identifier: Apache-2.0
"""Runs a document (generator.py) through nvtx.writer of PyPI's nvtx, the client that we are compared
with.

    run_python.py LIBRARY DOCUMENT.json FOLDER

writes FOLDER/session_ID.rsj for each session. As a module: Runner(library, folder).run(document).
"""

import json
import os
import struct
import sys

import numpy as np

import nvtx
from nvtx import writer
from nvtx.writer import Session, load_backend

from layouts import STRUCT_CODES


class LayoutMismatch(Exception):
    """NumPy lays a dtype out otherwise than layouts.py does: a fault of the test itself."""


class Runner:
    def __init__(self, library, folder):
        self.library, self.folder = library, folder
        self.things = {}   # what a call made, by its id
        self.layouts = {}  # id: (layout, dtype)
        self.kinds = {}    # of a counter: its call
        self.backends = []

    def run(self, document):
        """Runs all calls; ends what a shrunken document leaves open."""
        sessions = {}
        try:
            for call in document["calls"]:
                getattr(self, "do_" + call["do"])(call)
                if call["do"] == "begin":
                    sessions[call["id"]] = self.things[call["id"]]
                elif call["do"] == "end_session":
                    del sessions[call["session"]]
        finally:
            for session in sessions.values():
                session.end()
            for backend in self.backends:
                backend.close()

    def thing(self, value, none=None):
        return none if value is None else self.things[value]

    # --- Definitions.

    def do_begin(self, call):
        output = os.path.join(self.folder, "session_%d.rsj" % call["id"])
        backend = load_backend(self.library)
        self.backends.append(backend)
        session = Session(call["name"], backend=backend, config=f"format=journal\noutput={output}")
        session.begin()
        self.things[call["id"]] = session

    def do_end_session(self, call):
        self.things[call["session"]].end()

    def do_domain(self, call):
        self.things[call["id"]] = self.things[call["session"]].get_domain(call["name"])

    def do_string(self, call):
        self.things[call["id"]] = self.things[call["domain"]].get_registered_string(call["text"])

    def do_category(self, call):
        self.things[call["id"]] = self.things[call["domain"]].get_category_id(call["name"])

    def scope(self, scope):
        if scope is None:
            return None
        if "predefined" in scope:
            return nvtx.PredefinedScope[scope["predefined"]]
        return scope["static"] if "static" in scope else self.things[scope["scope"]]

    def do_scope(self, call):
        self.things[call["id"]] = self.things[call["domain"]].get_scope(
            call["path"], parent=self.scope(call["parent"]))

    def semantics(self, value):
        if value is None:
            return None
        value = dict(value)
        value["value_type"] = nvtx.CounterValueType[value["value_type"]]
        value["interpolation"] = nvtx.CounterInterpolation[value["interpolation"]]
        return nvtx.CounterSemantics(**value)

    def field_dtype(self, field):
        kind = field["type"]
        base = self.layouts[kind["layout"]][1] if isinstance(kind, dict) else np.dtype(kind)
        annotated = nvtx.numpy_dtype(
            base,
            entry_kind=nvtx.EntryKind[field["role"]] if "role" in field else None,
            entry_type=nvtx.PayloadEntryType[field["entry"]] if "entry" in field else None,
            counter_semantics=self.semantics(field.get("semantics")))
        return np.dtype((annotated, tuple(field["shape"]))) if "shape" in field else annotated

    def do_layout(self, call):
        fields = [(field["name"], self.field_dtype(field)) for field in call["fields"]]
        if call["form"] == "explicit":
            dtype = np.dtype({"names": [name for name, _ in fields],
                              "formats": [one for _, one in fields],
                              "offsets": [field["offset"] for field in call["fields"]],
                              "itemsize": call["itemsize"]})
        else:
            dtype = np.dtype(fields, align=call["form"] == "aligned")
        offsets = [dtype.fields[field["name"]][1] for field in call["fields"]]
        if offsets != [f["offset"] for f in call["fields"]] or dtype.itemsize != call["itemsize"]:
            raise LayoutMismatch(f"{call}: NumPy has {offsets}, size {dtype.itemsize}")
        self.layouts[call["id"]] = (call, dtype)

    def do_schema(self, call):
        self.things[call["id"]] = self.things[call["domain"]].get_schema(
            self.layouts[call["layout"]][1], kind=nvtx.EventKind[call["kind"]])

    def do_counter(self, call):
        kind = call["type"]
        if isinstance(kind, dict):
            dtype = self.layouts[kind["layout"]][1]
        else:
            dtype = {"int": int, "float": float}.get(kind) or np.dtype(kind)
        self.kinds[call["id"]] = call
        self.things[call["id"]] = self.things[call["domain"]].get_counter(
            call["name"], dtype, description=call["description"], scope=self.scope(call["scope"]),
            semantics=self.semantics(call["semantics"]))

    def do_stream(self, call):
        stream = self.things[call["session"]].create_stream(
            call["name"], domain=self.thing(call["domain"]), scope=self.scope(call["scope"]),
            time_domain_id=nvtx.TimestampType[call["time_domain"]],
            interleaving=writer.StreamInterleaving[call["interleaving"]],
            ordering=writer.StreamOrdering[call["ordering"]],
            skid=writer.StreamSkid[call["skid"]], skid_amount=call["skid_amount"])
        stream.open()
        self.things[call["id"]] = stream

    def do_close(self, call):
        self.things[call["stream"]].close()

    # --- Events.

    def attributes(self, call):
        message, category = call.get("message"), call.get("category")
        if message is not None:
            message = message["text"] if "text" in message else self.things[message["string"]]
        if isinstance(category, dict):
            category = category["name"] if "name" in category else self.things[category["category"]]
        return {"message": message, "color": call.get("color"), "category": category}

    def do_mark(self, call):
        self.things[call["stream"]].write_mark(call["time"], **self.attributes(call))

    def do_push(self, call):
        self.things[call["stream"]].write_push(call["time"], **self.attributes(call))

    def do_pop(self, call):
        self.things[call["stream"]].write_pop(call["time"])

    def do_start(self, call):
        self.things[call["stream"]].write_start(call["time"], call["range_id"],
                                                **self.attributes(call))

    def do_end(self, call):
        self.things[call["stream"]].write_end(call["time"], call["range_id"])

    def do_pushpop(self, call):
        self.things[call["stream"]].write_pushpop(call["begin"], call["end"],
                                                  **self.attributes(call))

    def do_startend(self, call):
        self.things[call["stream"]].write_startend(call["begin"], call["end"],
                                                   **self.attributes(call))

    def row(self, row):
        data = bytearray.fromhex(row["hex"])
        for patch in row["patches"]:
            thing = self.things[patch["of"]]
            if patch["as"] == "string":
                data[patch["at"] : patch["at"] + 8] = struct.pack("<Q", thing.handle)
            elif patch["as"] == "scope":
                data[patch["at"] : patch["at"] + 8] = struct.pack("<Q", thing.scope_id)
            else:
                data[patch["at"] : patch["at"] + 4] = struct.pack("<I", thing)
        return bytes(data)

    def do_event(self, call):
        schema = self.things[call["schema"]]
        row = np.frombuffer(self.row(call["row"]), schema.dtype)[0]
        self.things[call["stream"]].write_event(schema, row.item() if call["as"] == "tuple" else row)

    def do_event_batch(self, call):
        schema = self.things[call["schema"]]
        rows = np.frombuffer(b"".join(self.row(row) for row in call["rows"]), schema.dtype)
        self.things[call["stream"]].write_event_batch(schema, rows,
                                                      ordering=nvtx.BatchOrdering[call["ordering"]])

    # --- Samples.

    def do_sample(self, call):
        counter, kind = self.things[call["counter"]], self.kinds[call["counter"]]["type"]
        data = bytes.fromhex(call["hex"])
        if isinstance(kind, dict):
            value = np.frombuffer(data, counter.dtype)[0]
        else:
            code = STRUCT_CODES[{"int": "i8", "float": "f8"}.get(kind, kind)]
            (value,) = struct.unpack("<" + code, data)
        self.things[call["stream"]].write_counter_sample(counter, call["time"], value)

    def do_no_value(self, call):
        self.things[call["stream"]].write_counter_sample_no_value(
            self.things[call["counter"]], call["time"], nvtx.CounterNoValueReason[call["reason"]])

    def do_sample_batch(self, call):
        counter = self.things[call["counter"]]
        data = np.frombuffer(bytes.fromhex(call["hex"]), counter.dtype)
        self.things[call["stream"]].write_counter_batch(
            counter, data, timestamps=call["times"],
            ordering=nvtx.BatchOrdering[call["ordering"]])


if __name__ == "__main__":
    with open(sys.argv[2]) as file:
        Runner(sys.argv[1], sys.argv[3]).run(json.load(file))
