// References are of the tensor that they are used on.
// RUN: %expect 3 heddle simulate %s --view A=3x9 --view x=9
// expect: 13:14: error: 'flow.scan' is asked for position 3 of a level that has 3 [flow-tensor]
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %R = einsum.statement (i) += %A(i, j) * %x(j) : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %R : tensor<?xf32>
}
flow.graph @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %r = flow.root : !flow.stream<ref []>
  %cx, %rx = flow.scan %x level 0 of %r
    : (tensor<?xf32>, !flow.stream<ref []>) -> (!flow.stream<crd [i]>, !flow.stream<ref [i]>)
  %cj, %rj = flow.scan %A level 1 of %rx
    : (tensor<?x?xf32, #csr>, !flow.stream<ref [i]>) -> (!flow.stream<crd [i, j]>, !flow.stream<ref [i, j]>)
  %v = flow.values %A of %rj : (tensor<?x?xf32, #csr>, !flow.stream<ref [i, j]>) -> !flow.stream<f32 [i, j]>
  %s = flow.reduce %v per %cx {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    flow.yield %m : f32
  } : (!flow.stream<f32 [i, j]>, !flow.stream<crd [i]>) -> !flow.stream<f32 [i]>
  %R = flow.write "R" (%cx) values %s shape (%A) axes [0]
    : (!flow.stream<crd [i]>, !flow.stream<f32 [i]>, tensor<?x?xf32, #csr>) -> tensor<?xf32>
  flow.return %R : tensor<?xf32>
}
