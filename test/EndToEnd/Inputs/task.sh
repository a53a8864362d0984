#!/usr/bin/env bash
# task.sh NAME M N K [heddle run's options]: a product of examples/task on the
# emulator against the oracle. Prints only what failed.
set -euo pipefail
name=$1 m=$2 n=$3 k=$4
shift 4
case $name in
gemm) views="a=${m}x$k b=${k}x$n c=${m}x$n" ;;
batched_gemm) views="a=3x${m}x$k b=3x${k}x$n c=3x${m}x$n" ;;
dual_gemm) views="a=${m}x$k b1=${k}x$n b2=${k}x$n c=${m}x$n" ;;
esac
options=()
for view in $views; do options+=(--view "$view"); done
output=$(heddle run "$(dirname "$0")/../../../examples/task/$name.mlir" \
  --device=emulator "${options[@]}" "$@") ||
  { echo "$name M=$m N=$n K=$k $*:"; echo "$output"; exit 1; }
