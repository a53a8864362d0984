// Threads exchange 32 KiB, of which the schedule knows nothing. What is added to memory
// keeps one block on a multiprocessor, with all of its memory.
// RUN: %expect 0 heddle compile %s --schedule=heuristic -o %t.ptx
// expect: 11:1: remark: shared memory overflowed by 5360 B: the schedule gives rings 43008 B less [fewer-slots]
// expect: 30:15: remark: operand 0 goes through 32768 B of shared memory: other warps hold what a thread needs [layout-round-trip]
// expect: 34:17: remark: operand 0 goes through 32768 B of shared memory: other warps hold what a thread needs [layout-round-trip]
// expect: 30:15: remark: operand 0 goes through 32768 B of shared memory: other warps hold what a thread needs [layout-round-trip]
// expect: 34:17: remark: operand 0 goes through 32768 B of shared memory: other warps hold what a thread needs [layout-round-trip]
tile.param @BM : {64, 128} = 64
tile.param @BN : {64, 128} = 128
tile.kernel @summed(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %n = tile.dim %b, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sum = scf.for %kk = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<?x64xf16, #tile.shape<"BM", "">>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<64x?xf16, #tile.shape<"", "BN">>
      %wide = tile.cast %y : tensor<64x?xf16, #tile.shape<"", "BN">> -> tensor<64x?xf32, #tile.shape<"", "BN">>
      %down = tile.scan %wide axis 0 : tensor<64x?xf32, #tile.shape<"", "BN">> -> tensor<64x?xf32, #tile.shape<"", "BN">> combine (%p: f32, %q: f32) {
        %t = arith.addf %p, %q : f32
        tile.yield %t : f32
      }
      %scaled = tile.scan %down axis 1 : tensor<64x?xf32, #tile.shape<"", "BN">> -> tensor<64x?xf32, #tile.shape<"", "BN">> combine (%p: f32, %q: f32) {
        %t = arith.addf %p, %q : f32
        tile.yield %t : f32
      }
      %z = tile.cast %scaled : tensor<64x?xf32, #tile.shape<"", "BN">> -> tensor<64x?xf16, #tile.shape<"", "BN">>
      %d = tile.dot %x, %z, %acc : tensor<?x64xf16, #tile.shape<"BM", "">>, tensor<64x?xf16, #tile.shape<"", "BN">> -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    tile.view_reduce fadd, %sum, %c[%row, %col] : tensor<?x?xf32, #tile.shape<"BM", "BN">>, !tile.view<?x?xf32>
  }
}
