#!/usr/bin/env bash
# task.sh NAME M N K [heddle run's options]: a product of examples/task on the
# emulator against the oracle. Prints only what failed.
set -euo pipefail
name=$1 m=$2 n=$3 k=$4
shift 4
case $name in
gemm | split_k_gemm | gemm_softmax) views="a=${m}x$k b=${k}x$n c=${m}x$n" ;;
batched_gemm) views="a=3x${m}x$k b=3x${k}x$n c=3x${m}x$n" ;;
dual_gemm) views="a=${m}x$k b1=${k}x$n b2=${k}x$n c=${m}x$n" ;;
attention)
  # M queries, N keys, heads of K.
  views="q=2x${m}x$k k=2x${n}x$k v=2x${n}x$k o=2x${m}x$k"
  set -- --scalar scale=0.0883883 "$@" ;;
esac
options=()
for view in $views; do options+=(--view "$view"); done
output=$(heddle run "$(dirname "$0")/../../../examples/task/$name.mlir" \
  --device=emulator "${options[@]}" "$@") ||
  { echo "$name M=$m N=$n K=$k $*:"; echo "$output"; exit 1; }
