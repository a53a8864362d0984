#!/usr/bin/env bash
# mapping_loop.sh PROGRAM OUT [options of the first compilation]: the plan that was found, written as
# a mapping, gives the same PTX and the same manifest without these options. A mapping holds the plan of
# one choice of tiles, so the first compilation makes no further ones.
set -euo pipefail
program=$1 out=$2
shift 2
heddle compile "$program" --or-tile=none "$@" -o "$out/found.ptx" 2> "$out/remarks"
heddle compile "$program" "$@" --emit=mapping -o "$out/found.map" 2> "$out/remarks"
grep -q 'task.pin' "$out/found.map"
heddle compile "$program" --mapping="$out/found.map" -o "$out/mapped.ptx" 2> "$out/remarks" ||
  { echo "$program $*:"; cat "$out/remarks"; exit 1; }
cmp "$out/found.ptx" "$out/mapped.ptx"
cmp "$out/found.json" "$out/mapped.json"
# What the second compilation found is the mapping again.
heddle compile "$program" --mapping="$out/found.map" --emit=mapping -o "$out/again.map" 2> "$out/remarks"
diff "$out/found.map" "$out/again.map"
