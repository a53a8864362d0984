// RUN: not heddle-opt %s --tile-instantiate=set=BM=96 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not heddle-opt %s --tile-instantiate=set=BX=64 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not heddle-opt %s --tile-instantiate=set=BM=wide 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not heddle-opt %s --tile-instantiate=set=BM=64,BM=128 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not heddle-opt %s --tile-instantiate 2>&1 | FileCheck %s --check-prefix=TYPE

// VALUE: [[#@LINE+1]]:1: error: parameter BM cannot be 96; its legal values are 64, 128
tile.param @BM : {64, 128} = 128
// NAME: error: no parameter is called BX; the program declares BM
// NUMBER: error: expected NAME=NUMBER for a shape parameter but got 'BM=wide'
// TWICE: error: parameter BM is set twice

tile.kernel @unknown(%f: f16) {
  // TYPE: [[#@LINE+1]]:8: error: a tile type names the parameter BN; the program declares BM
  %z = tile.splat %f : f16 -> tensor<?x?xf16, #tile.shape<"BM", "BN">>
}
