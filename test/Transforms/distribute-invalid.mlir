// RUN: heddle-opt %s --tile-distribute --verify-diagnostics --split-input-file

// expected-error@below {{kernel @none has 0 tile.parallel ops that write anything; it needs exactly one, at its top level}}
tile.kernel @none(%a: !tile.view<?xf16>) {
}

// -----

// expected-error@below {{kernel @two has 2 tile.parallel ops that write anything; it needs exactly one, at its top level}}
tile.kernel @two(%n: index) {
  tile.parallel (%i) to (%n) {
  }
  tile.parallel (%i) to (%n) {
  }
}
