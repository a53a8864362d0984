// Tiles of which none fits.
// RUN: %expect 2 heddle compile %s --tile=auto -o %t.ptx
// expect: 1:1: error: none of 2 combinations of tiles compiles; the first of them: no schedule for loop 'loop': each of 1 processes needs 288 registers a thread for its results and gets 240; choose smaller tiles [no-tiles]
tile.param @BN : {512, 1024} = 512
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %bn = tile.param_value @BN : index
  %f0 = arith.constant 0.0 : f32
  %n = tile.dim %b, 1 : !tile.view<?x?xf16>
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%m, %gn) {
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<64x?xf32, #tile.shape<"", "BN">>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x?xf32, #tile.shape<"", "BN">>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<64x?xf16, #tile.shape<"", "BN">>
      %w = arith.addf %x, %x : tensor<64x64xf16>
      %d = tile.dot %w, %y, %s : tensor<64x64xf16>, tensor<64x?xf16, #tile.shape<"", "BN">> -> tensor<64x?xf32, #tile.shape<"", "BN">>
      scf.yield %d : tensor<64x?xf32, #tile.shape<"", "BN">>
    }
    tile.store %acc, %c[%i, %col] : tensor<64x?xf32, #tile.shape<"", "BN">>, !tile.view<?x?xf32>
  }
}
