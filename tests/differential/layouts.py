# SPDX-License-Identifier: Apache-2.0
"""Random layouts of structs, and random rows for them, as a document carries them.

A layout is what a structured NumPy dtype says, with the offsets worked out here and not by NumPy, so
that run_python.py can check the one against the other:

    {"do": "layout", "id": 7, "form": "packed" | "aligned" | "explicit", "itemsize": 24,
     "computed": true, "fields": [FIELD, ...]}
    FIELD: {"name": "x", "type": "i4" | "U8" | "S3" | {"layout": 5}, "offset": 8, "shape": [2, 3],
            "role": "RANGE_BEGIN", "entry": "CATEGORY", "semantics": {...}}   the last four if any

"computed": the C++ run leaves offsets and size to NVTX's rules. A row is bytes in hex and what has to
be put into them because its number is known only in the run:

    {"hex": "0011...", "patches": [{"at": 8, "as": "string" | "category" | "scope", "of": 3}]}
"""

import struct

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8"]
NUMBERS = INTEGERS + FLOATS
STRUCT_CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
                "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}
ENTRY_STORAGE = {"RANGE_ID": "u8", "CATEGORY": "u4", "COLOR_ARGB": "u4", "SCOPE_ID": "u8",
                 "REGISTERED_STRING": "u8"}
# How the names of event times begin, in documents only: normalise.py knows the document's schemas by it.
ROLE_NAME = "at "
INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1

WORDS = ["", "a", "queue", "read file", "größe", "пример", "数据", "🚀 launch", "👩‍💻", "e\u0301",
         "tab\there", "line\nbreak", '"quoted"', "back\\slash", "\ufeff", "\U0010ffff", "a" * 40]


def count_of(field):
    """Elements of a field: 1 if it is no array."""
    count = 1
    for length in field.get("shape", []):
        count *= length
    return count


class Layouts:
    """Makes layouts; keeps them by id."""

    def __init__(self, rng, new_id):
        self.rng = rng
        self.new_id = new_id
        self.by_id = {}
        self.calls = []  # definitions made since take_calls(), inner ones first

    def take_calls(self):
        calls, self.calls = self.calls, []
        return calls

    # --- What a type takes.

    def size_of(self, kind):
        if isinstance(kind, dict):
            return self.by_id[kind["layout"]]["itemsize"]
        if kind[0] == "U":
            return 4 * int(kind[1:])
        return int(kind[1:])

    def alignment_of(self, kind):
        if isinstance(kind, dict):
            inner = self.by_id[kind["layout"]]
            if inner["form"] != "aligned":
                return 1  # as in NumPy: only a dtype made with align=True asks for any
            return max(self.alignment_of(field["type"]) for field in inner["fields"])
        return {"U": 4, "S": 1}.get(kind[0]) or int(kind[1:])

    def may_be_computed(self, form, fields):
        if form == "explicit":
            return False
        inner = [f["type"]["layout"] for f in fields if isinstance(f["type"], dict)]
        return all(self.by_id[i]["form"] == form and self.by_id[i]["computed"] for i in inner)

    # --- Making layouts.

    def place(self, form, fields):
        """Gives each field its offset; returns the size of the whole."""
        rng, end, widest = self.rng, 0, 1
        for field in fields:
            alignment = self.alignment_of(field["type"]) if form == "aligned" else 1
            widest = max(widest, alignment)
            end = -(-end // alignment) * alignment
            if form == "explicit" and end > 0 and rng.random() < 0.5:
                end += rng.randrange(1, 9)
            field["offset"] = end
            end += self.size_of(field["type"]) * count_of(field)
        if form == "explicit":
            return end + rng.choice([0, 0, 1, 8])
        return -(-end // widest) * widest

    def add(self, fields, form=None):
        rng = self.rng
        form = form or rng.choice(["packed", "aligned", "explicit"])
        itemsize = self.place(form, fields)
        if form == "explicit" and len(fields) > 2 and rng.random() < 0.4:
            # Fields need not be named in the order of their offsets. The first stays: NVTX takes an
            # offset of 0 in a later entry for "computed".
            rest = fields[1:]
            rng.shuffle(rest)
            fields = fields[:1] + rest
        computed = self.may_be_computed(form, fields) and rng.random() < 0.6
        layout = {"do": "layout", "id": self.new_id(), "form": form, "itemsize": itemsize,
                  "computed": computed, "fields": fields}
        self.by_id[layout["id"]] = layout
        self.calls.append(layout)
        return layout

    def field_name(self, number):
        return self.rng.choice(["f", "wert", "größe_", "字段", "a b "]) + str(number)

    def plain_field(self, number, depth):
        rng = self.rng
        field = {"name": self.field_name(number)}
        chance = rng.random()
        if chance < 0.2 and depth > 0:
            field["type"] = {"layout": self.nested(depth - 1)["id"]}
        elif chance < 0.35:
            field["type"] = "U%d" % rng.choice([1, 2, 7, 32])
        elif chance < 0.45:
            field["type"] = "S%d" % rng.choice([1, 3, 8, 20])
        elif chance < 0.55:
            field["entry"] = rng.choice(["CATEGORY", "COLOR_ARGB", "REGISTERED_STRING"])
            field["type"] = ENTRY_STORAGE[field["entry"]]
        else:
            field["type"] = rng.choice(NUMBERS)
        # An array of texts in an event's own fields is told by the client as one long text; see
        # README, "What is left out".
        is_text = str(field["type"])[0] in "US"
        if "entry" not in field and not is_text and self.size_of(field["type"]) <= 128 and (
                rng.random() < 0.25):
            field["shape"] = rng.choice([[1], [2], [3], [2, 2], [1, 3], [4, 1, 2]])
        return field

    def nested(self, depth):
        fields = [self.plain_field(i, depth) for i in range(self.rng.randrange(1, 4))]
        # Attributes of the event are those of its own fields.
        for field in fields:
            if field.get("entry") in ("CATEGORY", "COLOR_ARGB"):
                del field["entry"]
        return self.add(fields)

    def event(self, kind):
        """A layout that get_schema() takes for `kind`."""
        rng = self.rng
        roles = {"MARK": ["MARK"], "RANGE_PUSH": ["RANGE_BEGIN"], "RANGE_START": ["RANGE_BEGIN"],
                 "RANGE_POP": ["RANGE_END"], "RANGE_END": ["RANGE_END"]}
        fields = [{"name": ROLE_NAME + role.lower(), "type": rng.choice(["i8", "i8", "i8", "u8"]), "role": role}
                  for role in roles.get(kind, ["RANGE_BEGIN", "RANGE_END"])]
        if kind in ("RANGE_START", "RANGE_END"):
            fields.append({"name": "id", "type": "u8", "entry": "RANGE_ID"})
        if rng.random() < 0.6:
            fields.append(self.message_field())
        if rng.random() < 0.3:
            fields.append({"name": "where", "type": "u8", "entry": "SCOPE_ID"})
        fields += [self.plain_field(i, 3) for i in range(rng.randrange(0, 6))]
        taken = set()
        for field in fields:  # one attribute of each sort an event
            entry = field.get("entry")
            if entry in taken and entry not in (None, "REGISTERED_STRING"):
                del field["entry"]
            taken.add(entry)
        rng.shuffle(fields)
        return self.add(fields)

    def message_field(self):
        field = {"name": "message", "role": "MESSAGE"}
        if self.rng.random() < 0.3:
            field.update(type="u8", entry="REGISTERED_STRING")
        else:
            field["type"] = "U%d" % self.rng.choice([1, 8, 32])
        return field

    def group(self, semantics, has_time):
        """A layout of a counter group."""
        rng = self.rng
        fields = [{"name": self.field_name(i), "type": rng.choice(NUMBERS)}
                  for i in range(rng.randrange(1, 6))]
        for field in fields:
            if rng.random() < 0.5:
                field["semantics"] = semantics(field["type"])
        if has_time:
            fields.append({"name": "time", "type": rng.choice(["i8", "u8"]),
                           "role": "COUNTER_TIMESTAMP"})
            rng.shuffle(fields)
        return self.add(fields)

    def takes_time(self, layout, time):
        """Whether the times in a layout are signed, as `time` may need."""
        return time >= 0 or not any(f["type"] == "u8" for f in layout["fields"]
                                    if f.get("role", "MESSAGE") != "MESSAGE")

    # --- Rows.

    def number(self, kind):
        rng = self.rng
        if kind[0] == "f":
            value = rng.choice([0.0, -0.0, 1.5, -2.25, 1e-3, 65504.0, float("inf"), float("nan"),
                                rng.uniform(-1e4, 1e4)])
            return struct.pack("<" + STRUCT_CODES[kind], value)
        bits = 8 * int(kind[1:])
        low, high = (0, (1 << bits) - 1) if kind[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)
        value = rng.choice([0, 1, low, high, rng.randint(low, high), rng.randint(low, high)])
        return struct.pack("<" + STRUCT_CODES[kind], value)

    def text(self, units):
        """Text of at most `units` UTF-32 code units."""
        word = self.rng.choice(WORDS + ["x" * units])[:units]
        return word.encode("utf-32-le").ljust(4 * units, b"\0")

    def element(self, kind):
        if isinstance(kind, dict):
            return bytes(self.row(self.by_id[kind["layout"]], {}, None)[0])
        if kind[0] == "U":
            return self.text(int(kind[1:]))
        if kind[0] == "S":
            size = int(kind[1:])
            return bytes(self.rng.randrange(256) for _ in range(self.rng.randrange(size + 1))).ljust(
                size, b"\0")
        return self.number(kind)

    def row(self, layout, roles, refs):
        """(bytes, patches). `roles`: numbers of the fields with these roles or entry types; `refs`:
        ids of strings, categories and scopes that may be used, by sort, or None inside a struct."""
        row, patches = bytearray(layout["itemsize"]), []
        for field in layout["fields"]:
            at, kind, entry = field["offset"], field["type"], field.get("entry")
            role = field.get("role")
            if role in roles:
                time = roles[role] if kind == "i8" else max(0, roles[role])
                data = struct.pack("<" + STRUCT_CODES[kind], time)
            elif entry in roles:
                data = struct.pack("<" + STRUCT_CODES[kind], roles[entry])
            elif entry is not None:
                data = self.attribute(entry, at, refs, patches)
            else:
                data = b"".join(self.element(kind) for _ in range(count_of(field)))
            row[at : at + len(data)] = data
        return row, patches

    def attribute(self, entry, at, refs, patches):
        rng = self.rng
        size = self.size_of(ENTRY_STORAGE[entry])
        sort = {"CATEGORY": "category", "SCOPE_ID": "scope", "REGISTERED_STRING": "string"}.get(entry)
        if refs and sort and refs.get(sort) and rng.random() < 0.7:
            patches.append({"at": at, "as": sort, "of": rng.choice(refs[sort])})
            return bytes(size)
        plain = {"CATEGORY": [0, 150, 0xFFFFFFFF], "SCOPE_ID": [0, 1],
                 "COLOR_ARGB": [0, 0xFF102030, 0x00FF00, 0xFFFFFFFF]}.get(entry, [0])
        return rng.choice(plain).to_bytes(size, "little")
