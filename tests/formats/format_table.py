# SPDX-License-Identifier: Apache-2.0
"""The formats that are tested: name as the key `format` has it, and the module that reads it.

A module has EXTENSION, expected(truth), read(path) and matched(expected, shown); see README.md.
"""

import chrome_format
import ctf_format
import perfetto_again_format
import perfetto_format
import sqlite_format

FORMATS = {
    "perfetto": perfetto_format,
    "chrome": chrome_format,
    "sqlite": sqlite_format,
    "ctf": ctf_format,
}

# Beside them: a trace that was read by our own reader, and written again, shows what it showed.
ALL = {**FORMATS, "perfetto-again": perfetto_again_format}
