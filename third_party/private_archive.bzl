# SPDX-License-Identifier: Apache-2.0
"""private_archive: a static library from Debian's packages as one object whose names are ours alone.

A program that records may use the same library itself, in another version and with other settings. So
the archive becomes one object in which everything is local but the functions that we call, and those
get `prefix` before their names; the header that comes with it renames them in our source, too.
"""

def _run(ctx, what, arguments):
    result = ctx.execute(arguments)
    if result.return_code != 0:
        fail("\n\nRingscribe: cannot %s %s: %s\n" % (what, ctx.attr.archive, result.stderr.strip()))
    return result.stdout.strip()

def _private_archive_impl(ctx):
    # The compiler knows the folder of the machine's kind; a file that is not there keeps its bare name.
    archive = _run(ctx, "look for", ["cc", "-print-file-name=" + ctx.attr.archive])
    if not archive.startswith("/") or not ctx.path("/usr/include/" + ctx.attr.header).exists:
        fail("\n\nRingscribe: <%s> or %s is missing: run ./setup.sh, or apt-get install %s.\n" % (
            ctx.attr.header,
            ctx.attr.archive,
            ctx.attr.package,
        ))
    link = ["ld", "-r", "-o", "whole.o"]
    rename = ["objcopy", "-w", "--keep-global-symbol=%s*" % ctx.attr.prefix]
    header = ["// Made by private_archive.bzl.", "#pragma once"]
    for name in ctx.attr.functions:
        link += ["-u", name]
        rename.append("--redefine-sym=%s=%s%s" % (name, ctx.attr.prefix, name))
        header.append("#define %s %s%s" % (name, ctx.attr.prefix, name))
    _run(ctx, "merge", link + [archive])
    _run(ctx, "rename the functions of", rename + ["whole.o", "private.o"])
    header.append("#include <%s>" % ctx.attr.header)
    ctx.file("private_%s" % ctx.attr.header, "\n".join(header) + "\n")
    ctx.file("BUILD.bazel", """
cc_library(
    name = "{name}",
    srcs = ["private.o"],
    hdrs = ["private_{header}"],
    includes = ["."],
    linkopts = {linkopts},
    linkstatic = True,
    visibility = ["//visibility:public"],
)
""".format(name = ctx.name, header = ctx.attr.header, linkopts = repr(ctx.attr.linkopts)))

private_archive = repository_rule(
    implementation = _private_archive_impl,
    attrs = {
        "archive": attr.string(mandatory = True, doc = "The file's name."),
        "functions": attr.string_list(mandatory = True, doc = "What we call."),
        "header": attr.string(mandatory = True, doc = "Below /usr/include; private_HEADER is ours."),
        "linkopts": attr.string_list(),
        "package": attr.string(mandatory = True, doc = "The Debian package that has both."),
        "prefix": attr.string(mandatory = True),
    },
    environ = ["PATH"],
    local = True,
)
