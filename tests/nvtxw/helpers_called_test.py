# SPDX-License-Identifier: Apache-2.0
"""helpers_called_test SOURCE HEADER...

Each public function that the helper headers among HEADER... define or declare is called by SOURCE,
which is compiled as C and as C++: what a later version of the headers adds makes this fail until
helper_calls.c calls it and helpers_test.cc knows the outcome.
"""

import re
import sys

FUNCTION = re.compile(
    r"^(?:NVTXW_DECLSPEC )?(?:nvtxwResultCode_t|void|size_t)\s+(nvtxw[A-Z]\w*)\(", re.M
)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def public_functions(headers):
    names = set()
    for path in headers:
        with open(path, encoding="utf-8") as header:
            names.update(FUNCTION.findall(without_comments(header.read())))
    return {name for name in names if "Impl" not in name}


def main(source_path, *header_paths):
    # Repositories lie beside the main one in the runfiles.
    headers = [
        re.sub("^external/", "../", path)
        for path in header_paths
        if path.endswith(("_helpers.h", "_loader.h"))
    ]
    functions = public_functions(headers)
    # A pattern that finds nothing would prove nothing: 13.5.25 of the wheel has 34.
    assert len(functions) >= 34, sorted(functions)
    with open(source_path, encoding="utf-8") as source:
        text = without_comments(source.read())
    missing = [name for name in sorted(functions) if not re.search(rf"\b{name}\(", text)]
    for name in missing:
        print(f"{source_path} does not call {name}: call it, check its outcome in helpers_test.cc")
    return 1 if missing else 0


sys.exit(main(*sys.argv[1:]))
