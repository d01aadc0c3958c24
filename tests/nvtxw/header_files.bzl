# SPDX-License-Identifier: Apache-2.0
"""header_files: the headers of a cc_library as files, which it gives to compilers only."""

def _header_files_impl(ctx):
    files = [
        header
        for header in ctx.attr.library[CcInfo].compilation_context.direct_public_headers
        if ctx.attr.path_part in header.path
    ]
    return [DefaultInfo(files = depset(files), runfiles = ctx.runfiles(files = files))]

header_files = rule(
    implementation = _header_files_impl,
    attrs = {
        "library": attr.label(providers = [CcInfo]),
        "path_part": attr.string(doc = "Only headers whose path has this in it."),
    },
)
