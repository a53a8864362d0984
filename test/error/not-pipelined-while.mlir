// A loop that goes on for as long as a tile says so.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 15:12: remark: a loop runs in program order, because it holds a tile.dot and goes on for as long as a condition holds that tiles or memory decide [not-pipelined]
// expect: 17:7: note: here; a loop over numbers whose end is known in front of it can be shared by processes
// expect: 7:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 20:12: remark: threads write operand b to shared memory for each dot: 8192 B, and no overlap [operand-staged]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %f9 = arith.constant 9.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %r:2 = scf.while (%s = %zero, %n = %f0) : (tensor<64x64xf32>, f32) -> (tensor<64x64xf32>, f32) {
      %more = arith.cmpf olt, %n, %f9 : f32
      scf.condition(%more) %s, %n : tensor<64x64xf32>, f32
    } do {
    ^bb0(%s: tensor<64x64xf32>, %n: f32):
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %next = arith.addf %n, %f9 : f32
      scf.yield %d, %next : tensor<64x64xf32>, f32
    }
    tile.store %r#0, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
