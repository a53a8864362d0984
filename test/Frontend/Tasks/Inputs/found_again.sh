#!/usr/bin/env bash
# found_again.sh ROOT OUT: each kernel has what the mapping says that was written out of its plan.
set -euo pipefail
for program in "$1"/examples/{gemm,dual_gemm,gemm_reduction,gemm_softmax,attention_causal,softmax,layer_norm}.mlir; do
  heddle compile "$program" --emit=mapping -o "$2/again.mlir" 2> "$2/remarks"
  heddle compile "$program" --mapping="$2/again.mlir" --emit=hopper -o "$2/again.hopper" 2> "$2/remarks"
  heddle check "$2/again.hopper" --mapping="$2/again.mlir" > "$2/said" || { cat "$2/said"; exit 1; }
  grep -q 'pinned lines found again' "$2/said"
done
