// Two processes are on a unit that there is once.
// RUN: %expect 3 heddle simulate %s --order=timed --machine=dae --view x=4 --view y=4
// expect: 10:3: error: 'aref.process' 'right' is process 2 on unit 'execute', and dae runs 1 there [units-overflow]
tile.kernel @k(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  aref.process "left" on "execute" {
    %t = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, !tile.view<?xf32>
  }
  aref.process "right" on "execute" {
    %t = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<4xf32>
  }
}
