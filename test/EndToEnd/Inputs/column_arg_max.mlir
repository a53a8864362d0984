// Of each column the largest element, and where it is: the first of equals, by the
// numbers that the program is given.

tile.kernel @argmax(%x: !tile.view<?x?xf32>, %n: !tile.view<?x?xi32>, %y: !tile.view<?xi32>, %z: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %m = tile.dim %x, 1 : !tile.view<?x?xf32>
  %blocks = arith.ceildivui %m, %c48 : index
  tile.parallel (%b) to (%blocks) {
    %col = arith.muli %b, %c48 : index
    %v = tile.load %x[%c0, %col] : !tile.view<?x?xf32> -> tensor<24x48xf32>
    %i = tile.load %n[%c0, %col] : !tile.view<?x?xi32> -> tensor<24x48xi32>
    %r:2 = tile.reduce %v, %i axis 0 : tensor<24x48xf32>, tensor<24x48xi32> -> tensor<48xf32>, tensor<48xi32>
        combine (%p: f32, %j: i32, %q: f32, %k: i32) {
      %more = arith.cmpf ogt, %p, %q : f32
      %same = arith.cmpf oeq, %p, %q : f32
      %first = arith.cmpi slt, %j, %k : i32
      %tie = arith.andi %same, %first : i1
      %left = arith.ori %more, %tie : i1
      %w = arith.select %left, %p, %q : f32
      %l = arith.select %left, %j, %k : i32
      tile.yield %w, %l : f32, i32
    }
    tile.store %r#1, %y[%col] : tensor<48xi32>, !tile.view<?xi32>
    tile.store %r#0, %z[%col] : tensor<48xf32>, !tile.view<?xf32>
  }
}
