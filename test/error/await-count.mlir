// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 10:10: error: 'aref.await' has the negative pending count -1 [await-count]
tile.kernel @k(%i: f32) {
  %x = tile.splat %i : f32 -> tensor<64xf32>
  aref.process "p" warps 4 registers 0 {
    %f = aref.start "tensor" (%a = %x : tensor<64xf32>) {
      aref.yield %a : tensor<64xf32>
    } : !aref.flight<tensor<64xf32>>
    %v = aref.await %f pending -1 : !aref.flight<tensor<64xf32>> -> tensor<64xf32>
  }
}

