# SPDX-License-Identifier: Apache-2.0
"""rs_fuzzer: a fuzzer of ours, as a plain test and as a libFuzzer program."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//build:defs.bzl", "rs_library")

def rs_fuzzer(name, srcs, deps, seeds = []):
    """A source file with LLVMFuzzerTestOneInput() and fuzz_seeds() (backends/nvtxw/fuzz_input.h).

    Args:
      name: of the libFuzzer program, which is `manual` and links with --config=fuzz only.
        NAME_test runs the seeds and a few thousand fixed changes of them, with any compiler.
      srcs: the source file.
      deps: what it uses.
      seeds: text files of further seeds; run_corpus.cc says what stands in them.
    """
    rs_library(
        name = name + "_unit",
        testonly = True,
        srcs = srcs,
        deps = deps + ["//backends/nvtxw:fuzz_input"],
        alwayslink = True,
    )
    cc_test(
        name = name + "_test",
        size = "medium",
        args = ["$(location %s)" % file for file in seeds],
        data = seeds,
        deps = [
            ":" + name + "_unit",
            "//backends/fuzz:run_corpus",
        ],
    )
    cc_binary(
        name = name,
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":" + name + "_unit"],
    )
