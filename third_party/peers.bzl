# SPDX-License-Identifier: Apache-2.0
"""What //bench:compare measures us against: each as the target @NAME//:peer.

A library that is not there is no error, since a comparison with the others is worth having: its target
then defines RINGSCRIBE_BENCH_SKIPPED as the reason, which the benchmark prints. Nothing but targets
tagged `manual` uses these repositories, so that building and testing everything fetches none of them.
After installing what was missing: bazel sync --configure.
"""

_SKIPPED = """
cc_library(
    name = "peer",
    defines = ["RINGSCRIBE_BENCH_SKIPPED=\\\\\\"{reason}\\\\\\""],
    visibility = ["//visibility:public"],
)
"""

def _skip(ctx, reason):
    ctx.file("BUILD.bazel", _SKIPPED.format(reason = reason.replace("\"", "'").replace(" ", "\\\\ ")))

def _system_peer_impl(ctx):
    # Debian keeps headers that differ between machines in a folder of the machine's kind.
    machine = ctx.execute(["cc", "-print-multiarch"]).stdout.strip()
    if not (ctx.path("/usr/include/" + ctx.attr.header).exists or
            ctx.path("/usr/include/%s/%s" % (machine, ctx.attr.header)).exists):
        _skip(ctx, "not installed: apt-get install " + ctx.attr.package)
        return
    ctx.file("BUILD.bazel", """
cc_library(
    name = "peer",
    defines = {defines},
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
""".format(defines = repr(ctx.attr.defines), linkopts = repr(ctx.attr.linkopts)))

system_peer = repository_rule(
    implementation = _system_peer_impl,
    attrs = {
        "defines": attr.string_list(),
        "header": attr.string(mandatory = True, doc = "A header of the library."),
        "linkopts": attr.string_list(),
        "package": attr.string(mandatory = True, doc = "The Debian package that has it."),
    },
    configure = True,
    local = True,
)

_MANIFEST = """
[package]
name = "ringscribe-bench-peer"
version = "0.0.0"
edition = "2021"

[lib]
path = "lib.rs"

[dependencies]
{package} = "={version}"
"""

def _crate_peer_impl(ctx):
    cargo = ctx.which("cargo")
    if not cargo:
        _skip(ctx, "cargo is not on the PATH, which fetches the crate " + ctx.attr.package)
        return
    ctx.file("Cargo.toml", _MANIFEST.format(package = ctx.attr.package, version = ctx.attr.version))
    ctx.file("lib.rs", "")

    # Cargo checks each download against the registry's index; the pin below is against that index.
    result = ctx.execute([cargo, "vendor", "--quiet", "vendor"], timeout = 600)
    if result.return_code != 0:
        lines = [line for line in result.stderr.strip().split("\n") if line]
        _skip(ctx, "cargo cannot fetch the crate %s %s (%s)" % (
            ctx.attr.package,
            ctx.attr.version,
            lines[-1].strip() if lines else "exit code %d" % result.return_code,
        ))
        return
    root = "vendor/" + ctx.attr.package
    found = json.decode(ctx.read(root + "/.cargo-checksum.json"))["package"]
    if found != ctx.attr.sha256:
        fail(("\n\nRingscribe: the crate %s %s has SHA-256 %s where WORKSPACE pins %s: the registry " +
              "offers another file; do not build from it, or update the pin.\n") %
             (ctx.attr.package, ctx.attr.version, found, ctx.attr.sha256))
    for name in ctx.path(root).readdir():
        ctx.execute(["mv", str(name), "."])
    ctx.delete("vendor")
    ctx.symlink(ctx.attr.build_file, "BUILD.bazel")

crate_peer = repository_rule(
    implementation = _crate_peer_impl,
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "package": attr.string(mandatory = True),
        "sha256": attr.string(mandatory = True, doc = "Of the .crate file."),
        "version": attr.string(mandatory = True),
    },
    configure = True,
    environ = ["PATH"],
)
