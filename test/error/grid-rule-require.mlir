// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:3: error: 'hopper.require' compares what a host cannot compute: only extents, scalar arguments, constants, +, -, *, divisions, min and max [grid-rule]
hopper.kernel @k(%a: !tile.view<?xf16>) source "k" threads 128 shared 0 tma [] {
  %w = tile.worker_id : index
  hopper.require %w at_least %w, "as it is"
  hopper.grid %w
  hopper.process "p" warps 0 + 4 registers 0 {
  }
}
