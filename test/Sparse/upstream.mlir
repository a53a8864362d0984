// Where MLIR's own sparsifier stops, each as it behaves in LLVM 22. None of heddle's code runs
// here: a line that fails says that upstream has changed, and that it is time to look again at
// docs/rationale/einsum.md, "Why not upstream's sparsifier?".
// RUN: split-file %s %t
// RUN: mlir-opt %t/argument.mlir --sparse-reinterpret-map --sparsification | FileCheck %s --check-prefix=ARGUMENT
// RUN: mlir-opt %t/sampled.mlir --sparse-reinterpret-map --sparsification | FileCheck %s --check-prefix=SAMPLED
// RUN: mlir-opt %t/columns.mlir --sparse-reinterpret-map --sparsification | FileCheck %s --check-prefix=COLUMNS
// RUN: mlir-opt %t/product.mlir --sparse-reinterpret-map --sparsification=parallelization-strategy=any-storage-any-loop | FileCheck %s --check-prefix=PARALLEL
// RUN: not --crash mlir-opt %t/vector.mlir --sparse-reinterpret-map --sparsification=sparse-emit-strategy=sparse-iterator

// A product into a CSR argument stays as it was, without a word.
// ARGUMENT-LABEL: @into_argument(
// ARGUMENT-NOT: scf.for
// ARGUMENT: linalg.generic
// ARGUMENT-NOT: scf.for

// SDDMM walks each sparse row once for every k: the loop over positions is inside of that over k.
// SAMPLED-LABEL: @sddmm(
// SAMPLED: sparse_tensor.lvl %arg0
// SAMPLED: %[[K:.*]] = tensor.dim %arg1
// SAMPLED: scf.for
// SAMPLED: sparse_tensor.expand
// SAMPLED: scf.for {{.*}} to %[[K]] step
// SAMPLED: memref.load
// SAMPLED: scf.for

// CSR times CSC is a merge for each element of the dense result.
// COLUMNS-LABEL: @csr_csc(
// COLUMNS: scf.for
// COLUMNS-NEXT: scf.for
// COLUMNS: scf.while

// A sparse result is computed by one thread, whatever the strategy.
// PARALLEL-LABEL: @into_empty(
// PARALLEL-NOT: scf.parallel

//--- argument.mlir
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#product = {
  indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (j, k)>, affine_map<(i, k, j) -> (i, k)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
!rows = tensor<?x?xf32, #csr>
func.func @into_argument(%a: !rows, %b: !rows, %c: !rows) -> !rows {
  %r = linalg.generic #product ins(%a, %b : !rows, !rows) outs(%c : !rows) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> !rows
  return %r : !rows
}

//--- product.mlir
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#product = {
  indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (j, k)>, affine_map<(i, k, j) -> (i, k)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
!rows = tensor<?x?xf32, #csr>
func.func @into_empty(%a: !rows, %b: !rows, %m: index, %n: index) -> !rows {
  %c = tensor.empty(%m, %n) : !rows
  %r = linalg.generic #product ins(%a, %b : !rows, !rows) outs(%c : !rows) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> !rows
  return %r : !rows
}

//--- sampled.mlir
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#sampled = {
  indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                   affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
!rows = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
func.func @sddmm(%w: !rows, %a: !dense, %b: !dense, %m: index, %n: index) -> !rows {
  %c = tensor.empty(%m, %n) : !rows
  %r = linalg.generic #sampled ins(%w, %a, %b : !rows, !dense, !dense) outs(%c : !rows) {
  ^bb0(%u: f32, %x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.mulf %p, %u : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> !rows
  return %r : !rows
}

//--- columns.mlir
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (i, j) -> (j : dense, i : compressed) }>
#product = {
  indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (j, k)>, affine_map<(i, k, j) -> (i, k)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
func.func @csr_csc(%a: tensor<?x?xf32, #csr>, %b: tensor<?x?xf32, #csc>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic #product ins(%a, %b : tensor<?x?xf32, #csr>, tensor<?x?xf32, #csc>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

//--- vector.mlir
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func @spmv(%a: tensor<?x?xf32, #csr>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a, %x : tensor<?x?xf32, #csr>, tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
