#!/usr/bin/env bash
# round-trip.sh PROGRAM FOLDER [--set NAME=VALUE]...
#
# Compiles PROGRAM directly, a second time, and on from each saved rung, and
# fails unless all give the same PTX, `.loc` included, and the same manifest. A saved rung
# holds one choice of tiles, so none adds further ones.
set -euo pipefail
program=$1 folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"

heddle compile "$program" --or-tile=none "$@" -o "$folder/direct.ptx"
heddle compile "$program" --or-tile=none "$@" -o "$folder/again.ptx"
same=(again)
for rung in tile sched aref hopper nvvm; do
  heddle compile "$program" "$@" --emit="$rung" -o "$folder/$rung.mlir"
  heddle compile "$folder/$rung.mlir" --or-tile=none -o "$folder/$rung.ptx"
  # A rung saved, read and saved again does not change either.
  heddle compile "$folder/$rung.mlir" --emit="$rung" -o "$folder/$rung.twice.mlir"
  cmp "$folder/$rung.mlir" "$folder/$rung.twice.mlir"
  same+=("$rung")
done
for name in "${same[@]}"; do
  cmp "$folder/direct.ptx" "$folder/$name.ptx"
  cmp "$folder/direct.json" "$folder/$name.json"
done
grep -q "^\s*\.loc" "$folder/direct.ptx"
grep -q "^\s*\.file.*$(basename "$program")" "$folder/direct.ptx"
