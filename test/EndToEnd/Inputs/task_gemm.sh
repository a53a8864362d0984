#!/usr/bin/env bash
# task_gemm.sh M N K [heddle run's options]: the GEMM of tasks on the emulator
# against the oracle. Prints only what failed.
set -euo pipefail
m=$1 n=$2 k=$3
shift 3
program="$(dirname "$0")/../../../examples/task/gemm.mlir"
output=$(heddle run "$program" --device=emulator \
  --view "a=${m}x$k" --view "b=${k}x$n" --view "c=${m}x$n" "$@") ||
  { echo "M=$m N=$n K=$k $*:"; echo "$output"; exit 1; }
