// A cost that is no number of cycles.
// RUN: %expect 3 heddle simulate %s --order=timed --machine=dae --view x=4 --view y=4
// expect: 7:10: error: 'tile.load' has aref.issue = -1 : i64; it takes a number of cycles from 0 to 1048576 [unit-cost]
tile.kernel @k(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  aref.process "copy" on "execute" {
    %t = tile.load %x[%c0] {aref.issue = -1} : !tile.view<?xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, !tile.view<?xf32>
  }
}
