// Every pair of floating-point formats; to 8 bits what is too large saturates.

tile.kernel @casts(%x: !tile.view<?xf32>, %wide: !tile.view<?xf64>, %half: !tile.view<?xf16>, %brain: !tile.view<?xbf16>,
                   %e4: !tile.view<?xf8E4M3FN>, %e5: !tile.view<?xf8E5M2>, %back: !tile.view<?xf32>,
                   %cut: !tile.view<?xf16>) {
  %c8 = arith.constant 8 : index
  %c104 = arith.constant 104 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %blocks = arith.ceildivui %n, %c104 : index
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c104 : index
    %s = tile.load %x[%at] : !tile.view<?xf32> -> tensor<104xf32>
    %large = arith.constant dense<1000.0> : tensor<104xf32>
    %t = arith.mulf %s, %large : tensor<104xf32>
    %d = tile.cast %t : tensor<104xf32> -> tensor<104xf64>
    %tiny = arith.constant dense<1.000000001> : tensor<104xf64>
    %f64 = arith.mulf %d, %tiny : tensor<104xf64>
    %f16 = tile.cast %f64 : tensor<104xf64> -> tensor<104xf16>
    %bf16 = tile.cast %f64 : tensor<104xf64> -> tensor<104xbf16>
    %bf16b = tile.cast %f16 : tensor<104xf16> -> tensor<104xbf16>
    %bf16c = arith.addf %bf16, %bf16b : tensor<104xbf16>
    %e4m3 = tile.cast %f64 : tensor<104xf64> -> tensor<104xf8E4M3FN>
    %e4b = tile.cast %s : tensor<104xf32> -> tensor<104xf8E4M3FN>
    %e5m2 = tile.cast %bf16 : tensor<104xbf16> -> tensor<104xf8E5M2>
    %e5b = tile.cast %f16 : tensor<104xf16> -> tensor<104xf8E5M2>
    %e5c = tile.cast %e4b : tensor<104xf8E4M3FN> -> tensor<104xf8E5M2>
    %a = tile.cast %e4m3 : tensor<104xf8E4M3FN> -> tensor<104xf32>
    %b = tile.cast %e5m2 : tensor<104xf8E5M2> -> tensor<104xf32>
    %c = tile.cast %e5b : tensor<104xf8E5M2> -> tensor<104xf64>
    %c1 = tile.cast %c : tensor<104xf64> -> tensor<104xf32>
    %e = tile.cast %e5c : tensor<104xf8E5M2> -> tensor<104xbf16>
    %e1 = tile.cast %e : tensor<104xbf16> -> tensor<104xf32>
    %ab = arith.addf %a, %b : tensor<104xf32>
    %abc = arith.addf %ab, %c1 : tensor<104xf32>
    %abce = arith.addf %abc, %e1 : tensor<104xf32>
    %z = arith.truncf %t toward_zero : tensor<104xf32> to tensor<104xf16>
    tile.store %f64, %wide[%at] : tensor<104xf64>, !tile.view<?xf64>
    tile.store %f16, %half[%at] : tensor<104xf16>, !tile.view<?xf16>
    tile.store %bf16c, %brain[%at] : tensor<104xbf16>, !tile.view<?xbf16>
    tile.store %e4m3, %e4[%at] : tensor<104xf8E4M3FN>, !tile.view<?xf8E4M3FN>
    tile.store %e5b, %e5[%at] : tensor<104xf8E5M2>, !tile.view<?xf8E5M2>
    tile.store %abce, %back[%at] : tensor<104xf32>, !tile.view<?xf32>
    tile.store %z, %cut[%at] : tensor<104xf16>, !tile.view<?xf16>
  }
}
