# SPDX-License-Identifier: Apache-2.0
"""What the tests of the distribution share: unpacking it, and reading a journal back."""

import os
import re
import subprocess
import tarfile


def unpack(tar, folder):
    """Unpacks into `folder`; returns where include/ and lib/ are."""
    with tarfile.open(tar) as archive:
        archive.extractall(folder)
    return os.path.join(folder, "ringscribe")


def lines_of(print_lines, journal):
    """The journal's events, sorted; the times of live calls become T."""
    result = subprocess.run([print_lines, journal], capture_output=True, text=True, check=True)
    return sorted(re.sub(r"\b\d{12,}\b", "T", line) for line in result.stdout.splitlines())


def clean_environment(**more):
    """The environment without what would send the output elsewhere."""
    ours = ("RINGSCRIBE_", "NVTXW3_", "LD_LIBRARY_PATH")
    return {**{k: v for k, v in os.environ.items() if not k.startswith(ours)}, **more}
