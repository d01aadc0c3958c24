# SPDX-License-Identifier: Apache-2.0
"""system_headers: one library from Debian's packages, as the target //:NAME of a repository."""

def _system_headers_impl(ctx):
    if not ctx.path("/usr/include/" + ctx.attr.header).exists:
        fail("\n\nRingscribe: <%s> is missing: run ./setup.sh, or apt-get install %s.\n" % (
            ctx.attr.header,
            ctx.attr.package,
        ))
    ctx.file("BUILD.bazel", """
cc_library(
    name = "{name}",
    linkopts = {linkopts},
    visibility = ["//visibility:public"],
)
""".format(name = ctx.name, linkopts = repr(ctx.attr.linkopts)))

system_headers = repository_rule(
    implementation = _system_headers_impl,
    attrs = {
        "header": attr.string(mandatory = True, doc = "A header of the library, below /usr/include."),
        "linkopts": attr.string_list(),
        "package": attr.string(mandatory = True, doc = "The Debian package that has it."),
    },
    local = True,
)
