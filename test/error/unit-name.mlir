// A process is on a unit that the machine does not have.
// RUN: %expect 3 heddle simulate %s --order=timed --machine=dae --view x=4 --view y=4
// expect: 6:3: error: 'aref.process' 'copy' is on unit 'engine', which dae does not have; its units are access, execute [unit-name]
tile.kernel @k(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  aref.process "copy" on "engine" {
    %t = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, !tile.view<?xf32>
  }
}
