# SPDX-License-Identifier: Apache-2.0
"""The rules of our own code: the warnings that are errors, and the include path.

A header of folder F is included as "ringscribe/F/name.h", those of api/ as <ringscribe/name.h>:
nothing of ours can be confused with a folder of the user's.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

COPTS = [
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
    "-fvisibility=hidden",
]

def _include_prefix():
    package = native.package_name()
    return "ringscribe" if package == "api" else "ringscribe/" + package

# For what runs once or seldom, and is most of the library: as small as it can be.
COLD = ["-Os"]

def rs_library(name, hdrs = [], copts = [], **kwargs):
    """A unit of ours: one header, one .cc if needed. Private unless `visibility` says otherwise."""
    cc_library(
        name = name,
        hdrs = hdrs,
        copts = COPTS + copts,
        include_prefix = _include_prefix(),
        strip_include_prefix = "",
        **kwargs
    )

def rs_binary(name, copts = [], **kwargs):
    cc_binary(name = name, copts = COPTS + copts, **kwargs)

def rs_test(name, deps = [], copts = [], size = "small", **kwargs):
    """A Catch2 test of ours; its main function comes from Catch2."""
    cc_test(
        name = name,
        size = size,
        copts = COPTS + copts,
        deps = deps + ["@catch2"],
        **kwargs
    )
