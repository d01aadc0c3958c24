#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds each fuzzer with libFuzzer and runs it from its seeds.
#
#   backends/fuzz/run.sh SECONDS [FUZZER...]     such as //backends/model:payload_decoder_fuzzer
#
# BAZEL may hold a command with options: BAZEL="bazel --output_base=/tmp/b". A finding ends the run
# with status 1, and its input stays in the folder that is named last: to keep it, put its bytes
# into the fuzzer's _seeds.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:?usage: run.sh SECONDS [FUZZER...]}
shift
fuzzers=("$@")
if [ ${#fuzzers[@]} -eq 0 ]; then
  fuzzers=(
    //backends/nvtxw:config_string_fuzzer
    //backends/nvtxw:interface_table_fuzzer
    //backends/model:payload_decoder_fuzzer
    //backends/journal:journal_reader_fuzzer
    //backends/perfetto:trace_reader_fuzzer
    //tests/crash:crash_recovery_fuzzer
  )
fi

read -r -a bazel <<<"${BAZEL:-bazel}"
build=(--config=fuzz --symlink_prefix=/ ${JOBS:+--jobs="$JOBS"})
targets=()
for fuzzer in "${fuzzers[@]}"; do
  targets+=("$fuzzer" "${fuzzer}_test")
done
"${bazel[@]}" build "${build[@]}" "${targets[@]}"
bin=$("${bazel[@]}" info --config=fuzz bazel-bin)

work=$(mktemp -d)
failed=0
for fuzzer in "${fuzzers[@]}"; do
  unit=${fuzzer#//}
  folder=${unit%%:*}
  name=${unit##*:}
  mkdir -p "$work/$name/corpus" "$work/$name/findings"
  seeds=()
  if [ -f "$folder/${name}_seeds.txt" ]; then seeds+=("$folder/${name}_seeds.txt"); fi
  "$bin/$folder/${name}_test" --write "$work/$name/corpus" "${seeds[@]}"
  status=0
  "$bin/$folder/$name" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=2048 -timeout=20 \
    -print_final_stats=1 -artifact_prefix="$work/$name/findings/" "$work/$name/corpus" \
    >"$work/$name/log" 2>&1 || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name/log")
  covered=$(grep -o 'cov: [0-9]*' "$work/$name/log" | tail -1)
  echo "$fuzzer: ${runs:-?} executions in $seconds s, ${covered:-cov: ?}, status $status"
  if [ "$status" -ne 0 ]; then
    failed=1
    tail -40 "$work/$name/log"
    ls "$work/$name/findings"
  fi
done
if [ "$failed" -ne 0 ]; then
  echo "inputs that fail are in $work/*/findings"
  exit 1
fi
rm -r "$work"
