#!/usr/bin/env bash
# attention.sh PROGRAM HEADS QUERIES KEYS DEPTH [heddle run's options]: one attention on
# the emulator against the oracle. HEADS is that of queries / that of keys where the two
# differ. Prints only what failed.
set -euo pipefail
program=$1 heads=${2%/*} shared=${2#*/} queries=$3 keys=$4 depth=$5
shift 5
output=$(heddle run "$(dirname "$0")/../../../examples/$program.mlir" --device=emulator \
  --view "q=${heads}x${queries}x$depth" --view "k=${shared}x${keys}x$depth" \
  --view "v=${shared}x${keys}x$depth" --view "o=${heads}x${queries}x$depth" \
  --scalar scale=0.125 "$@" 2>&1) ||
  { echo "$program $heads/$shared $queries $keys $depth $*:"; echo "$output"; exit 1; }
