#!/usr/bin/env bash
# same_code.sh TASKS TILE OUT: both programs become one text of PTX, but for places in the source.
set -euo pipefail
heddle compile "$1" --or-tile=none -o "$3/tasks.ptx"
heddle compile "$2" --or-tile=none -o "$3/tile.ptx"
for name in tasks tile; do
  grep -vE '^[[:space:]]*\.(loc|file)' "$3/$name.ptx" > "$3/$name.code"
  grep -q wgmma "$3/$name.code"
done
diff "$3/tasks.code" "$3/tile.code"
