#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_python.sh PYTHON REPOSITORY[:REPOSITORY...] SCRIPT [ARGUMENT...]
# Runs a script of the tree with the packages of these repositories (see python.bzl); "-": none.
set -eu
python=$1
repositories=$2
shift 2
path=""
if [ "$repositories" != "-" ]; then
  for repository in $(echo "$repositories" | tr ':' ' '); do
    # External repositories lie beside the main one in the runfiles.
    path="$path${path:+:}$PWD/../$repository/site"
  done
fi
# -s and no bytecode: nothing of the user's own site, nothing written into the tree.
PYTHONPATH="$path" PYTHONDONTWRITEBYTECODE=1 exec "$python" -s "$@"
