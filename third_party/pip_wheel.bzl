# SPDX-License-Identifier: Apache-2.0
"""pip_wheel: a repository whose files are those of one PyPI wheel, checked against its SHA-256."""

def _run(ctx, what, arguments, help):
    result = ctx.execute(arguments, timeout = 600)
    if result.return_code != 0:
        last = [line for line in (result.stderr + result.stdout).strip().split("\n") if line]
        fail("\n\nRingscribe: cannot %s %s %s (%s): %s\n" % (
            what,
            ctx.attr.package,
            ctx.attr.version,
            last[-1] if last else "exit code %d" % result.return_code,
            help,
        ))
    return result.stdout

def _pip_wheel_impl(ctx):
    python = ctx.which("python3")
    if not python:
        fail("\n\nRingscribe: python3 is not on the PATH: run ./setup.sh, which installs it.\n")
    _run(ctx, "use pip for", [python, "-m", "pip", "--version"], "run ./setup.sh, which installs pip.")
    _run(
        ctx,
        "download",
        [
            python,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary=:all:",
            "--dest",
            ".",
            "%s==%s" % (ctx.attr.package, ctx.attr.version),
        ],
        "check that this machine reaches PyPI (pip's own settings apply), then build again.",
    )
    wheels = [f for f in ctx.path(".").readdir() if f.basename.endswith(".whl")]
    if len(wheels) != 1:
        fail("\n\nRingscribe: pip left %d wheels for %s where one was expected.\n" % (len(wheels), ctx.attr.package))
    found = _run(ctx, "hash", ["sha256sum", wheels[0]], "install coreutils.").split(" ")[0]
    if found != ctx.attr.sha256:
        fail(("\n\nRingscribe: %s has SHA-256 %s where WORKSPACE pins %s: the download was altered or PyPI " +
              "offers another file for this machine; do not build from it, download again or update the pin.\n") %
             (wheels[0].basename, found, ctx.attr.sha256))
    _run(ctx, "unpack", [python, "-m", "zipfile", "-e", wheels[0], "."], "check the free disk space.")
    ctx.delete(wheels[0])
    if ctx.attr.post_unpack:
        _run(ctx, "prepare", ctx.attr.post_unpack, "run ./setup.sh, which installs binutils.")
    ctx.symlink(ctx.attr.build_file, "BUILD.bazel")

pip_wheel = repository_rule(
    implementation = _pip_wheel_impl,
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "package": attr.string(mandatory = True),
        "post_unpack": attr.string_list(doc = "A command to run in the unpacked folder."),
        "sha256": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
    environ = ["PATH"],
)
