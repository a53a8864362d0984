// C(i, r) = the sum over j and k of A(i, j, k) B(j, r) D(k, r): what an iteration
// of a CP decomposition spends its time on. The sum over k is multiplied by
// B(j, r) once a fiber.
//
//   heddle run examples/sparse/mttkrp.mlir --view A=60x70x80 --view B=70x32
//     --view D=80x32

#csf = #sparse_tensor.encoding<{
  map = (i, j, k) -> (i : compressed, j : compressed, k : compressed),
  posWidth = 32, crdWidth = 32
}>

einsum.program @mttkrp(%A: tensor<?x?x?xf32, #csf>, %B: tensor<?x?xf32>,
                       %D: tensor<?x?xf32>) {
  %C = einsum.statement (i, r) += %A(i, j, k) * %B(j, r) * %D(k, r)
    : tensor<?x?x?xf32, #csf>, tensor<?x?xf32>, tensor<?x?xf32>
    -> tensor<?x?xf32>
  einsum.return %C : tensor<?x?xf32>
}
