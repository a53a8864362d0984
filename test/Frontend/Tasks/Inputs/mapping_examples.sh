#!/usr/bin/env bash
# mapping_examples.sh ROOT OUT: mapping_loop.sh for every example that has code on a GPU.
set -euo pipefail
for program in "$1"/examples/{,cmake/,conv/,task/}*.mlir; do
  bash "$(dirname "$0")/mapping_loop.sh" "$program" "$2"
done
