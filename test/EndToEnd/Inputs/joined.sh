#!/usr/bin/env bash
# joined.sh M N K [heddle run's options]: short-tiles.mlir with its iterations joined,
# on the emulator, against the program as it was. Prints only what failed.
set -euo pipefail
m=$1 n=$2 k=$3
shift 3
program="$(dirname "$0")/short-tiles.mlir"
joined=$(mktemp)
machine=$(mktemp)
trap 'rm -f "$joined" "$machine"' EXIT
# Slots are handed over slowly, so it pays; boxes of 64 elements are the longest.
sed 's/"tma_box_extent": {"value": 256/"tma_box_extent": {"value": 64/; s/"mbarrier": {"value": 104/"mbarrier": {"value": 400/' \
  "$(dirname "$0")/../../../machines/h200.json" > "$machine"
heddle-opt "$program" "--tile-join-iterations=machine=$machine" --canonicalize -o "$joined" 2>/dev/null
if ! grep -q 'tensor<64x64xf16>' "$joined" || grep -q 'tensor<64x32xf16>' "$joined"; then
  echo "nothing was joined"
  exit 1
fi
output=$(heddle run "$joined" --oracle="$program" --device=emulator --scalar "k=$k" \
  --view "ap=${m}x$k" --view "bp=${n}x$k" --view "c=${m}x$n" "$@") ||
  { echo "M=$m N=$n K=$k $*:"; echo "$output"; exit 1; }
