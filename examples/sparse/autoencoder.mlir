// A sparse autoencoder: a batch of rows through pruned weights to a narrow
// layer, and back. Weights that were pruned are not stored.
//
//   heddle run examples/sparse/autoencoder.mlir --view X=32x400 --view E=400x64
//     --view b=64 --view D=64x400 --view c=400 --density E=0.1 --density D=0.1
//   heddle simulate examples/sparse/autoencoder.mlir --view X=5x60 --view E=60x16
//     --view b=16 --view D=16x60 --view c=60 --density E=0.5 --density D=0.5
//     --order=timed --regions=0,0

#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
!weights = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
!row = tensor<?xf32>

einsum.program @autoencoder(%X: !dense, %E: !weights, %b: !row, %D: !weights, %c: !row) {
  %H = einsum.statement (n, h) += %X(n, p) * %E(p, h) + %b(h) then relu
    : !dense, !weights, !row -> !dense
  %Y = einsum.statement (n, p) += %H(n, h) * %D(h, p) + %c(p) then sigmoid
    : !dense, !weights, !row -> !dense
  einsum.return %Y : !dense
}
