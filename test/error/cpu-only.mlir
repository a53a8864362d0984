// Programs of kernels do not run on a GPU.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 5:1: error: 'tile.program' is compiled for the CPU only; `--emit=llvm` prints what runs there [cpu-only]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %B: tensor<?x?xf32>) {
  %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
    : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
