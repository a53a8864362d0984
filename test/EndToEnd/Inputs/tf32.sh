#!/usr/bin/env bash
# tf32.sh M N K [heddle run's options]: one product of f32 as tf32 on the emulator
# against the oracle. Prints only what failed.
set -euo pipefail
m=$1 n=$2 k=$3
shift 3
output=$(heddle run "$(dirname "$0")/tf32.mlir" --device=emulator \
  --view "a=${m}x$k" --view "b=${k}x$n" --view "c=${m}x$n" "$@") ||
  { echo "M=$m N=$n K=$k $*:"; echo "$output"; exit 1; }
