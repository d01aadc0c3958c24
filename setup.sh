#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing need, from Debian's packages. Quick when all is there.
# `setup.sh fuzz` installs what backends/fuzz/run.sh needs, too.
# The libraries from PyPI are fetched by the build itself, pinned by hash (WORKSPACE).
set -u

packages="
  g++ binutils python3 python3-pip ca-certificates
  bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto bazel-skylib
  cmake make pkg-config valgrind
  babeltrace2 python3-bt2
  catch2 libcli11-dev libconcurrentqueue-dev libprotozero-dev libsqlite3-dev libxxhash-dev rapidjson-dev
  zlib1g-dev
"

if [ "${1:-}" = fuzz ]; then packages="$packages clang-19 libclang-rt-19-dev"; fi

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done

if [ -n "$missing" ]; then
  if [ "$(id -u)" -ne 0 ]; then
    echo "setup.sh: run as root, or install these yourself: apt-get install$missing" >&2
    exit 1
  fi
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  echo "setup.sh: installing$missing"
  if ! { apt-get update -q && apt-get install -y -q --no-install-recommends $missing; } \
      >"$log" 2>&1; then
    echo "setup.sh: apt-get could not install$missing; its last lines:" >&2
    tail -n 15 "$log" >&2
    echo "setup.sh: check the network and apt's sources, then run it again" >&2
    exit 1
  fi
  rm -f "$log"
fi

version=$(bazel --version 2>/dev/null) || {
  echo "setup.sh: bazel is installed but does not start; try: bazel --version" >&2
  exit 1
}
echo "setup.sh: all is there ($version)"
