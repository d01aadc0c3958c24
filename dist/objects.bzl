# SPDX-License-Identifier: Apache-2.0
"""merged_object: a library with all that it needs as one relocatable object, for make_dist.

Inside the tree our code is compiled with -fvisibility=hidden, which no linker can take back; a shared
library has to show what the inline functions of the C++ headers call. So an aspect compiles the same
sources again, position independent and visible; which names are then really shown is one list
(visible_names.txt), for the shared library and for the archive.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_Objects = provider(fields = {"objects": "depset of position independent objects and archives"})

def _features(ctx, cc_toolchain):
    return cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

def _compile(target, ctx):
    cc_toolchain = find_cpp_toolchain(ctx)

    # Nobody replaces single functions of ours; nothing of ours is to be one with anybody else's,
    # which GNU's unique symbols would be (clang makes none).
    flags = ["-fno-semantic-interposition"]
    if "clang" not in cc_toolchain.compiler_executable:
        flags.append("-fno-gnu-unique")
    _, outputs = cc_common.compile(
        # Not the library's own name: its objects are there already.
        name = "dist_" + ctx.rule.attr.name,
        actions = ctx.actions,
        cc_toolchain = cc_toolchain,
        compilation_contexts = [target[CcInfo].compilation_context],
        disallow_nopic_outputs = True,
        feature_configuration = _features(ctx, cc_toolchain),
        srcs = [f for f in ctx.rule.files.srcs if f.extension in ["cc", "c"]],
        user_compile_flags = [f for f in ctx.rule.attr.copts if f != "-fvisibility=hidden"] + flags,
    )
    return outputs.pic_objects

def _archives(target):
    archives = []
    for linker_input in target[CcInfo].linking_context.linker_inputs.to_list():
        if linker_input.owner != target.label:
            continue
        for library in linker_input.libraries:
            archives.append(library.pic_static_library or library.static_library)
    return archives

def _objects_aspect_impl(target, ctx):
    if CcInfo not in target:
        return []
    direct = _archives(target) if target.label.workspace_root else _compile(target, ctx)
    deps = getattr(ctx.rule.attr, "deps", [])
    return [_Objects(objects = depset(direct, transitive = [d[_Objects].objects for d in deps if _Objects in d]))]

_objects_aspect = aspect(
    implementation = _objects_aspect_impl,
    attr_aspects = ["deps"],
    attrs = {"_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain")},
    fragments = ["cpp"],
    incompatible_use_toolchain_transition = True,
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def _merged_object_impl(ctx):
    objects = depset(transitive = [d[_Objects].objects for d in ctx.attr.deps]).to_list()
    output = ctx.actions.declare_file(ctx.label.name + ".o")
    list_file = ctx.actions.declare_file(ctx.label.name + ".list")
    ctx.actions.write(list_file, "".join(["%s\n" % f.path for f in objects]))
    command = "ld -r --force-group-allocation --whole-archive -o $1 @$2"
    if ctx.file.visible_names:
        # What else is global becomes local: mimalloc and the C++ library's templates among it.
        command += " && objcopy --wildcard --keep-global-symbols=$3 $1"
    ctx.actions.run_shell(
        outputs = [output],
        inputs = objects + [list_file] + ctx.files.visible_names,
        command = command,
        arguments = [output.path, list_file.path] + [f.path for f in ctx.files.visible_names],
        mnemonic = "MergeObjects",
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([output]))]

merged_object = rule(
    implementation = _merged_object_impl,
    attrs = {
        "deps": attr.label_list(aspects = [_objects_aspect], providers = [CcInfo]),
        "visible_names": attr.label(
            allow_single_file = True,
            doc = "Patterns of the names that stay global; all if there is none.",
        ),
    },
)

def _public_headers_impl(ctx):
    files = depset(transitive = [d[CcInfo].compilation_context.headers for d in ctx.attr.deps])
    return [DefaultInfo(files = files)]

# All headers that these libraries see, in the folders that Bazel makes for include prefixes.
public_headers = rule(
    implementation = _public_headers_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
)
