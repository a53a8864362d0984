// RUN: heddle explain %s --problem=- --schedule=heuristic | FileCheck %s

// A conditional that yields a row beside a tile goes over a tile that it reads where
// that lies; one that yields two tiles of that size does not.

tile.kernel @k(%a: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index, %turn: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %y = tile.load %a[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %before = arith.cmpi slt, %kk, %turn : index
      // CHECK: "name": "if"
      // CHECK: "registers": 34,
      // CHECK: "inPlace": true
      %r:2 = scf.if %before -> (tensor<64xf32>, tensor<64x64xf32>) {
        %most = tile.reduce %d axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
          %larger = arith.maximumf %p, %q : f32
          tile.yield %larger : f32
        }
        scf.yield %most, %d : tensor<64xf32>, tensor<64x64xf32>
      } else {
        %n = arith.negf %d : tensor<64x64xf32>
        %most = tile.reduce %n axis 1 : tensor<64x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
          %larger = arith.maximumf %p, %q : f32
          tile.yield %larger : f32
        }
        scf.yield %most, %n : tensor<64xf32>, tensor<64x64xf32>
      }
      // CHECK: "name": "if_2"
      // CHECK: "registers": 64,
      // CHECK: "inPlace": false
      %after = arith.cmpi sgt, %kk, %turn : index
      %two:2 = scf.if %after -> (tensor<64x64xf32>, tensor<64x64xf32>) {
        %e = math.exp2 %r#1 : tensor<64x64xf32>
        scf.yield %e, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
      } else {
        %n = arith.negf %r#1 : tensor<64x64xf32>
        scf.yield %r#1, %n : tensor<64x64xf32>, tensor<64x64xf32>
      }
      %column = tile.expand_dims %r#0, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %rows = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %sum = math.fma %two#0, %two#1, %rows : tensor<64x64xf32>
      %w = tile.cast %sum : tensor<64x64xf32> -> tensor<64x64xf16>
      %t = tile.dot %w, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %t : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
