// Code is made of warps.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 6:3: error: 'aref.process' 'p' is on unit 'unit', and code is made of warps; `heddle simulate` runs the program [unit-code]
tile.kernel @k(%a: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  aref.process "p" on "unit" {
    %x = tile.load %a[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    tile.store %x, %a[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
