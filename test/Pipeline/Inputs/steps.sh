#!/usr/bin/env bash
# steps.sh PROGRAM FOLDER [--set NAME=VALUE]...
#
# Takes PROGRAM from rung to rung by heddle-opt, and by heddle compile from the same file,
# and fails where the bytes differ. MACHINE is another machine, RUNGS how far its ladder goes.
set -euo pipefail
program=$1 folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"

heddle compile "$program" "$@" --emit=tile -o "$folder/tile.mlir"
from=tile
for rung in ${RUNGS:-sched aref hopper nvvm}; do
  heddle compile "$folder/$from.mlir" --emit="$rung" --machine="${MACHINE:-}" -o "$folder/$rung.mlir" 2>/dev/null
  heddle-opt "$folder/$from.mlir" "--step-to-$rung=machine=${MACHINE:-h200}" --mlir-print-debuginfo -o "$folder/$rung.opt.mlir" 2>/dev/null
  cmp "$folder/$rung.mlir" "$folder/$rung.opt.mlir"
  from=$rung
done
