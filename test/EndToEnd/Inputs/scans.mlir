// Running sums along both axes and from both ends, a scan of pairs that does not
// commute, and how often numbers occur.

tile.kernel @scans(%x: !tile.view<?x?xi32>, %across: !tile.view<?x?xi32>, %down: !tile.view<?x?xi32>,
                   %affine: !tile.view<?x?xi32>, %flat: !tile.view<?xi32>, %counts: !tile.view<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = tile.dim %x, 0 : !tile.view<?x?xi32>
  %gm = arith.ceildivui %m, %c16 : index
  tile.parallel (%i) to (%gm) {
    %row = arith.muli %i, %c16 : index
    %v = tile.load %x[%row, %c0] : !tile.view<?x?xi32> -> tensor<16x96xi32>
    %a = tile.scan %v axis 1 : tensor<16x96xi32> -> tensor<16x96xi32> combine (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      tile.yield %s : i32
    }
    tile.store %a, %across[%row, %c0] : tensor<16x96xi32>, !tile.view<?x?xi32>
    %d = tile.scan %v axis 0 reverse : tensor<16x96xi32> -> tensor<16x96xi32> combine (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      tile.yield %s : i32
    }
    tile.store %d, %down[%row, %c0] : tensor<16x96xi32>, !tile.view<?x?xi32>
    // x -> f x + g, one after the other.
    %ones = arith.constant dense<3> : tensor<16x96xi32>
    %f0 = arith.ori %v, %ones : tensor<16x96xi32>
    %f, %g = tile.scan %f0, %v axis 1 reverse : tensor<16x96xi32>, tensor<16x96xi32> -> tensor<16x96xi32>, tensor<16x96xi32>
        combine (%pf: i32, %pg: i32, %qf: i32, %qg: i32) {
      %rf = arith.muli %pf, %qf : i32
      %t = arith.muli %pg, %qf : i32
      %rg = arith.addi %t, %qg : i32
      tile.yield %rf, %rg : i32, i32
    }
    %fg = arith.xori %f, %g : tensor<16x96xi32>
    tile.store %fg, %affine[%row, %c0] : tensor<16x96xi32>, !tile.view<?x?xi32>

    %line = tile.reshape %v : tensor<16x96xi32> -> tensor<1536xi32>
    %l = tile.scan %line axis 0 : tensor<1536xi32> -> tensor<1536xi32> combine (%p: i32, %q: i32) {
      %s = arith.addi %p, %q : i32
      tile.yield %s : i32
    }
    %c1536 = arith.constant 1536 : index
    %at = arith.muli %i, %c1536 : index
    tile.store %l, %flat[%at] : tensor<1536xi32>, !tile.view<?xi32>

    %zeros = arith.constant dense<0> : tensor<1536xi32>
    %some = arith.cmpi ne, %line, %zeros : tensor<1536xi32>
    %h = tile.histogram %line mask %some : tensor<1536xi1> : tensor<1536xi32> -> tensor<8xi32>
    %b = arith.andi %v, %ones : tensor<16x96xi32>
    %b8 = arith.trunci %b : tensor<16x96xi32> to tensor<16x96xi8>
    %first = tile.reduce %b8 axis 0 : tensor<16x96xi8> -> tensor<96xi8> combine (%p: i8, %q: i8) {
      %s = arith.maxsi %p, %q : i8
      tile.yield %s : i8
    }
    %h2 = tile.histogram %first : tensor<96xi8> -> tensor<8xi32>
    %hs = tile.cat %h, %h2, 0 : tensor<8xi32>, tensor<8xi32> -> tensor<16xi32>
    %hs2 = tile.expand_dims %hs, 0 : tensor<16xi32> -> tensor<1x16xi32>
    tile.store %hs2, %counts[%i, %c0] : tensor<1x16xi32>, !tile.view<?x?xi32>
  }
}
