// Slots take more than the machine's storage for them.
// RUN: %expect 3 heddle simulate %s --order=timed --machine=dae --view x=4 --view y=4
// expect: 4:1: error: the slots of @k take 16400 bytes, and dae has 16384 for them; lower the depth of a ring in the plan, or choose smaller tiles [units-overflow]
tile.kernel @k(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %r = aref.ring "tiles" depth 1025 : !aref.ring<[tensor<4xf32>]>
  aref.process "read" on "access" {
    %n = aref.first_turn %r : !aref.ring<[tensor<4xf32>]>
    %slot, %next = aref.acquire %r[%n] : !aref.ring<[tensor<4xf32>]>
    %t = tile.load %x[%c0] : !tile.view<?xf32> -> tensor<4xf32>
    aref.publish %r[%slot], %t : !aref.ring<[tensor<4xf32>]>, tensor<4xf32>
  }
  aref.process "write" on "execute" {
    %n = aref.first_turn %r : !aref.ring<[tensor<4xf32>]>
    %slot, %next, %t = aref.get %r[%n] : !aref.ring<[tensor<4xf32>]> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, !tile.view<?xf32>
    aref.release %r[%slot] : !aref.ring<[tensor<4xf32>]>
  }
}
