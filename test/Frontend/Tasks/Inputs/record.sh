#!/usr/bin/env bash
# record.sh ROOT OUT COMPILER: each program of tasks, built and run, prints the committed text, but
# for columns, which compilers count differently. Nothing of heddle or LLVM is linked.
set -euo pipefail
root=$1 out=$2 compiler=$3
columns='s/:[0-9]+\)/)/g'
cd "$root" # a place names the file as the compiler was told
for program in examples/task/*.cpp; do
  name=$(basename "$program" .cpp)
  "$compiler" -std=c++20 -Wall -Wextra -Werror -Iinclude "$program" -o "$out/$name"
  "$out/$name" > "$out/$name.mlir"
  diff <(sed -E "$columns" "$out/$name.mlir") <(sed -E "$columns" "examples/task/$name.mlir")
  if LD_PRELOAD= ldd "$out/$name" | grep -iE 'llvm|mlir|heddle'; then exit 1; fi
done
