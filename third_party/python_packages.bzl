# SPDX-License-Identifier: Apache-2.0
"""pip_packages: Python packages of PyPI as the files of a repository, for tests that need a client.

The target @NAME//:NAME is all files; `site` below its folder is what goes on PYTHONPATH
(build/python.bzl does that). Each wheel is pinned by version and checked by pip against its
SHA-256; dependencies are not followed but listed.
"""

# Not `python3` of the PATH: the wheels fit Debian's interpreter, which also runs the tests.
PYTHON = "/usr/bin/python3"

_BUILD = """
filegroup(
    name = "{name}",
    srcs = glob(["site/**"], exclude = ["**/__pycache__/**"]),
    visibility = ["//visibility:public"],
)
"""

def _pip_packages_impl(ctx):
    if not ctx.path(PYTHON).exists:
        fail("\n\nRingscribe: %s is missing: run ./setup.sh, which installs it.\n" % PYTHON)
    wanted = ", ".join(["%s %s" % (name, version) for name, version in ctx.attr.packages.items()])
    lines = []
    for name, version in ctx.attr.packages.items():
        if name not in ctx.attr.hashes:
            fail("\n\nRingscribe: %s of @%s has no SHA-256: add it to `hashes` in WORKSPACE.\n" %
                 (name, ctx.name))
        lines.append("%s==%s --hash=sha256:%s\n" % (name, version, ctx.attr.hashes[name]))
    ctx.file("requirements.txt", "".join(lines))
    result = ctx.execute([
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-compile",
        "--only-binary=:all:",
        "--require-hashes",
        "--requirement",
        "requirements.txt",
        "--target",
        "site",
    ], timeout = 600)
    if result.return_code != 0:
        last = [line for line in (result.stderr + result.stdout).strip().split("\n") if line]
        fail(("\n\nRingscribe: cannot install %s for @%s (%s): check that this machine reaches PyPI and has pip " +
              "(./setup.sh installs it; pip's own settings apply) and that the hashes in WORKSPACE are those of the " +
              "wheels for this machine's Python, then build again.\n") %
             (wanted, ctx.name, last[-1] if last else "exit code %d" % result.return_code))
    ctx.file("BUILD.bazel", _BUILD.format(name = ctx.name))

pip_packages = repository_rule(
    implementation = _pip_packages_impl,
    attrs = {
        "hashes": attr.string_dict(mandatory = True, doc = "Package to the SHA-256 of its wheel."),
        "packages": attr.string_dict(mandatory = True, doc = "Package to version."),
    },
    environ = ["PATH"],
)
