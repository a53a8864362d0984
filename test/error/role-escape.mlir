// What a process got would be carried through a loop, and lies in a slot.
// RUN: %expect 3 heddle compile %s --machine=dae --emit=aref -o %t.out
// expect: 11:11: error: process 'execute' would carry on what it got from ring 'numbers.1', which lies in a slot; compute with it first, or place the op that makes it in this process [not-expandable]
tile.kernel @loops(%limit: !tile.view<?xi32>, %out: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  %c0_i = arith.constant 0 : i32
  %c1_i = arith.constant 1 : i32
  %n = tile.dim %limit, 0 : !tile.view<?xi32>
  tile.parallel (%i) to (%n) {
    %l = tile.load %limit[%i] : !tile.view<?xi32> -> tensor<1xi32>
    %to = tile.unsplat %l : tensor<1xi32> -> i32
    %row = tile.load %limit[%c0] : !tile.view<?xi32> -> tensor<1xi32>
    %place = arith.index_cast %to : i32 to index
    %again = tile.load %limit[%place] : !tile.view<?xi32> -> tensor<1xi32>
    scf.while (%left = %to) : (i32) -> (i32) {
      %goes_on = arith.cmpi sgt, %left, %c0_i : i32
      scf.condition(%goes_on) %left : i32
    } do {
    ^bb0(%left: i32):
      %next = arith.subi %left, %c1_i : i32
      %next_place = arith.index_cast %next : i32 to index
      tile.store %again, %out[%next_place] : tensor<1xi32>, !tile.view<?xi32>
      scf.yield %next : i32
    }
  }
}
