# SPDX-License-Identifier: Apache-2.0
"""rs_python_test: a Python script as a test, run by the interpreter that the packages fit."""

load("//third_party:python_packages.bzl", "PYTHON")

def rs_python_test(name, script, packages = [], args = [], data = [], size = "small", tags = [], **kwargs):
    """Runs `script` with `args`; exit code 0 is a pass.

    Bazel's own py_test asks for a command `python`, which a fresh Debian lacks, hence a shell test.
    Tagged "nosan": the interpreter is not sanitised, so it cannot load a library that is.

    Args:
      name: of the test.
      script: a .py file.
      packages: names of pip_packages repositories, such as "python_nvtx"; their modules can be
        imported.
      args: as of any test; $(location ...) of `data` is replaced.
      data: files that the test reads.
      size: as of any test.
      tags: more tags.
      **kwargs: as of sh_test.
    """
    native.sh_test(
        name = name,
        size = size,
        srcs = ["//build:run_python.sh"],
        args = [PYTHON, ":".join(packages) or "-", "$(location %s)" % script] + args,
        data = data + [script] + ["@%s//:%s" % (p, p) for p in packages],
        tags = tags + ["nosan"],
        **kwargs
    )
