# SPDX-License-Identifier: Apache-2.0
"""The C API through a foreign function interface: Python's ctypes, with no binding of ours.

    ctypes_test.py TAR PRINT_LINES
"""

import ctypes
import os
import struct
import sys
import tempfile
import threading
import unittest
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

TAR, PRINT_LINES = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dist_folder  # noqa: E402: beside this file

SUCCESS, INVALID_ARGUMENT = 0, 2
TYPE_INT64, TYPE_FLOAT64, TIMESTAMP_MONOTONIC = 17, 44, 14
KIND_MARK, SCHEMA_STATIC, ROLE_MARK, BATCH_DETECT = 4, 1, 3 << 12, 255
COMPUTED_OFFSET = 2**64 - 1


class Versioned(Structure):
    def __init__(self, **values):
        super().__init__(struct_size=ctypes.sizeof(self), **values)


class SessionOptions(Versioned):
    _fields_ = [("struct_size", c_size_t), ("backend_name", c_char_p), ("backend", c_void_p),
                ("output", c_char_p), ("config", c_char_p), ("interface_table", c_void_p)]


class StreamOptions(Versioned):
    _fields_ = [("struct_size", c_size_t), ("domain", c_void_p), ("scope", c_void_p),
                ("time_domain", c_void_p), ("interleaving", c_int32), ("ordering", c_int32),
                ("skid", c_int64), ("skid_amount", c_int64)]


class Field(Versioned):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("type", c_uint64), ("schema", c_void_p),
                ("enumeration", c_void_p), ("role", c_uint64), ("array", c_uint32),
                ("storage", c_uint32), ("length", c_uint64), ("offset", c_uint64),
                ("description", c_char_p), ("hide", c_int64), ("counter", c_void_p),
                ("time_domain", c_void_p), ("scope", c_void_p), ("correlation", c_void_p)]

    def __init__(self, **values):
        super().__init__(**{"offset": COMPUTED_OFFSET, **values})


class SchemaOptions(Versioned):
    _fields_ = [("struct_size", c_size_t), ("kind", c_uint32), ("type", c_uint32),
                ("row_bytes", c_size_t), ("pack_align", c_size_t), ("is_referenced", c_int64),
                ("is_counter_group", c_int64), ("static_id", c_uint64)]


class EventArgs(Versioned):
    _fields_ = [("struct_size", c_size_t), ("message", c_char_p), ("message_bytes", c_size_t),
                ("registered_string", c_void_p), ("color_argb", c_uint32), ("category", c_uint32),
                ("category_name", c_char_p)]


def load(lib):
    library = ctypes.CDLL(os.path.join(lib, "libringscribe.so"))
    signatures = {
        "last_error": (c_char_p,),
        "session_begin": (c_int32, c_char_p, POINTER(SessionOptions), POINTER(c_void_p)),
        "session_end": (c_int32, c_void_p),
        "session_release": (None, c_void_p),
        "session_get_domain": (c_int32, c_void_p, c_char_p, POINTER(c_void_p)),
        "session_create_stream": (c_int32, c_void_p, c_char_p, POINTER(StreamOptions), POINTER(c_void_p)),
        "domain_get_schema": (c_int32, c_void_p, c_char_p, POINTER(Field), c_size_t,
                              POINTER(SchemaOptions), POINTER(c_void_p)),
        "domain_get_counter": (c_int32, c_void_p, c_char_p, c_uint64, c_void_p, POINTER(c_void_p)),
        "predefined_time_domain": (c_void_p, c_uint64),
        "write_mark": (c_int, c_void_p, c_int64, POINTER(EventArgs)),
        "write_event_batch": (c_uint64, c_void_p, c_void_p, c_char_p, c_size_t, c_uint32),
        "write_counter_sample_double": (c_int, c_void_p, c_void_p, c_int64, ctypes.c_double),
    }
    for name, (result, *arguments) in signatures.items():
        function = getattr(library, "ringscribe_" + name)
        function.restype, function.argtypes = result, arguments
    return library


class CtypesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        dist = dist_folder.unpack(TAR, cls.temporary.name)
        # The library is loaded late, into a process that runs: its thread variables have to fit.
        cls.library = load(os.path.join(dist, "lib"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def ok(self, result):
        self.assertEqual(result, SUCCESS, self.library.ringscribe_last_error())

    def make(self, function, *arguments):
        handle = c_void_p()
        self.ok(getattr(self.library, "ringscribe_" + function)(*arguments, byref(handle)))
        return handle

    def test_a_session_with_a_schema_an_event_batch_and_a_counter(self):
        journal = os.path.join(self.temporary.name, "ctypes.rsj")
        options = SessionOptions(output=journal.encode())
        session = self.make("session_begin", b"from ctypes", byref(options))
        domain = self.make("session_get_domain", session, b"python")
        clock = self.library.ringscribe_predefined_time_domain(TIMESTAMP_MONOTONIC)
        of_stream = StreamOptions(domain=domain.value, time_domain=clock)
        stream = self.make("session_create_stream", session, b"s", byref(of_stream))
        fields = (Field * 2)(Field(name=b"t", type=TYPE_INT64, role=ROLE_MARK),
                             Field(name=b"price", type=TYPE_FLOAT64))
        layout = SchemaOptions(kind=KIND_MARK, type=SCHEMA_STATIC)
        schema = self.make("domain_get_schema", domain, b"tick", fields, 2, byref(layout))
        counter = self.make("domain_get_counter", domain, b"load", TYPE_FLOAT64, None)

        rows = struct.pack("=qdqd", 10, 1.5, 20, 2.5)
        written = self.library.ringscribe_write_event_batch(stream, schema, rows, len(rows), BATCH_DETECT)
        self.assertEqual(written, 2)
        args = EventArgs(message="früh".encode(), color_argb=0xFF0000)
        # From another thread, which the runtime has not seen before.
        results = []
        thread = threading.Thread(
            target=lambda: results.append(self.library.ringscribe_write_mark(stream, 5, byref(args))))
        thread.start()
        thread.join()
        self.assertEqual(results, [1])
        self.assertEqual(self.library.ringscribe_write_counter_sample_double(stream, counter, 30, 0.25), 1)
        self.ok(self.library.ringscribe_session_end(session))
        self.library.ringscribe_session_release(session)
        self.assertEqual(dist_folder.lines_of(PRINT_LINES, journal),
                         ["mark s 10 price=1.5", "mark s 20 price=2.5",
                          "mark s 5 'früh' color 00ff0000", "sample s/load 30 = 0.25"])

    def test_a_failure_is_a_code_and_a_sentence(self):
        handle = c_void_p()
        self.assertEqual(self.library.ringscribe_session_begin(None, None, byref(handle)), INVALID_ARGUMENT)
        self.assertEqual(self.library.ringscribe_last_error(),
                         b"ringscribe_session_begin: name is NULL: give the session a name")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
