// Signals that lie in rows, windows of which slide by less than their size: y = the sum over
// channels of x's windows times f. x is signals x channels x samples, f channels x size x outputs,
// y signals x windows x outputs.

!in = f16
#size = 13 : i64
#step = 2 : i64
!span = tensor<320x!in>

tile.param @BM : {64, 128} = 64
tile.param @BN : {16 to 128 step 16} = 32
tile.param @BK : {16 to 64 step 16} = 16

tile.kernel @unfold(%x: !tile.view<?x?x?x!in>, %f: !tile.view<?x?x?x!in>,
                    %y: !tile.view<?x?x?xf32>) {
  %bm = tile.param_value @BM : index
  %bn = tile.param_value @BN : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %step64 = arith.constant #step
  %step = arith.index_cast %step64 : i64 to index
  %signals = tile.dim %y, 0 : !tile.view<?x?x?xf32>
  %m = tile.dim %y, 1 : !tile.view<?x?x?xf32>
  %n = tile.dim %y, 2 : !tile.view<?x?x?xf32>
  %channels = tile.dim %x, 1 : !tile.view<?x?x?x!in>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %bn : index
  tile.parallel (%signal, %i, %j) to (%signals, %gm, %gn) {
    %window = arith.muli %i, %bm : index
    %col = arith.muli %j, %bn : index
    %begin = arith.muli %window, %step : index
    %pieces = arith.divui %begin, %c8 : index
    %start = arith.muli %pieces, %c8 : index
    %first = arith.remui %begin, %c8 : index
    %zero = tile.splat %f0 : f32 -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
    %sum = scf.for %c = %c0 to %channels step %c1 iter_args(%s = %zero)
        -> (tensor<?x?xf32, #tile.shape<"BM", "BN">>) {
      %span = tile.load %x[%signal, %c, %start] : !tile.view<?x?x?x!in> -> !span
      %filters = tile.load %f[%c, %c0, %col]
        : !tile.view<?x?x?x!in> -> tensor<?x?x!in, #tile.shape<"BK", "BN">>
      %windows = tile.unfold %span from %first {size = #size, step = #step}
        : !span -> tensor<?x?x!in, #tile.shape<"BM", "BK">>
      %d = tile.dot %windows, %filters, %s
        : tensor<?x?x!in, #tile.shape<"BM", "BK">>, tensor<?x?x!in, #tile.shape<"BK", "BN">>
          -> tensor<?x?xf32, #tile.shape<"BM", "BN">>
      scf.yield %d : tensor<?x?xf32, #tile.shape<"BM", "BN">>
    }
    tile.store %sum, %y[%signal, %window, %col]
      : tensor<?x?xf32, #tile.shape<"BM", "BN">>, !tile.view<?x?x?xf32>
  }
}
