#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh FOLDER: unpacks the distribution into FOLDER, which is made if need be.
set -eu
tar=$PWD/dist/ringscribe.tar
if [ $# -ne 1 ]; then
  echo "usage: bazel run //:dist -- FOLDER   (the .tar itself: bazel-bin/dist/ringscribe.tar)" >&2
  exit 2
fi
# `bazel run` starts this elsewhere: a relative FOLDER is meant from where the user is.
cd "${BUILD_WORKING_DIRECTORY:-.}"
mkdir -p "$1"
tar -x -f "$tar" --strip-components=1 -C "$1"
echo "Ringscribe is in $1: include/, lib/, lib/pkgconfig/, lib/cmake/"
