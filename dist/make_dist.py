# SPDX-License-Identifier: Apache-2.0
"""Packs what a program outside of this tree needs into one .tar.

    make_dist.py OUTPUT VERSION SOVERSION HEADERS NAME=FILE...

HEADERS is a file that lists all headers the libraries see, a path a line; of them the .tar has those
of api/ that users include and what these include in turn. NAME is a place in the .tar, FILE what goes
there; in the name and the text of NAME.in, @VERSION@ and @SOVERSION@ are replaced.
"""

import io
import re
import sys
import tarfile

INCLUDE = re.compile(r'^\s*#\s*include\s*["<](ringscribe/[^">]+)[">]', re.MULTILINE)
# What a user includes; all else is there for them.
ROOTS = ("ringscribe/ringscribe.h", "ringscribe/ringscribe_c.h")


def included_headers(paths):
    """{name as included: text} of the roots and all that they include."""
    known = {}
    for path in paths:
        # Bazel puts a header with an include prefix at …/_virtual_includes/TARGET/NAME.
        _, found, rest = path.partition("/_virtual_includes/")
        if found:
            known[rest.split("/", 1)[1]] = path
    headers, todo = {}, list(ROOTS)
    while todo:
        name = todo.pop()
        if name in headers:
            continue
        if name not in known:
            sys.exit(f"make_dist.py: <{name}> is included, but no library of //dist has it")
        with open(known[name], encoding="utf-8") as file:
            headers[name] = file.read()
        todo += INCLUDE.findall(headers[name])
    return headers


def add(tar, name, data, mode=0o644):
    info = tarfile.TarInfo("ringscribe/" + name)
    info.size, info.mode = len(data), mode
    tar.addfile(info, io.BytesIO(data))


def add_link(tar, name, target):
    info = tarfile.TarInfo("ringscribe/" + name)
    info.type, info.linkname = tarfile.SYMTYPE, target
    tar.addfile(info)


def main():
    output, version, soversion, headers, *files = sys.argv[1:]
    with open(headers, encoding="utf-8") as file:
        headers = included_headers(file.read().split())
    # No dates and no owners: equal sources make equal bytes.
    with tarfile.open(output, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, text in sorted(headers.items()):
            add(tar, "include/" + name, text.encode())
        for entry in files:
            name, _, path = entry.partition("=")
            name = name.replace("@VERSION@", version)
            with open(path, "rb") as file:
                data = file.read()
            if path.endswith(".in"):
                text = data.decode().replace("@VERSION@", version)
                data = text.replace("@SOVERSION@", soversion).encode()
            add(tar, name, data, 0o755 if ".so" in name else 0o644)
        add_link(tar, f"lib/libringscribe.so.{soversion}", f"libringscribe.so.{version}")
        add_link(tar, "lib/libringscribe.so", f"libringscribe.so.{soversion}")


if __name__ == "__main__":
    main()
