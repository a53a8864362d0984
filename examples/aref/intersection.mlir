// What two sorted streams of keys have in common, in order, and how many. Keys are
// strictly increasing; how long the result is, and when which stream is read, depends
// on them alone.
//
// Two processes read the streams, one compares, one writes: no process knows a
// length but the readers, so every stream ends by being closed. The comparing process
// always has the smallest key of each stream that it has not used up; where one stream
// ends it drains the other, for its reader must not be left waiting.
//
//   heddle simulate examples/aref/intersection.mlir --view a=5 --values a=1,3,4,7,9
//     --view b=4 --values b=2,3,7,8 --view common=4 --view count=1
//     --print common --print count

!keys = !tile.view<?xi32>
!key = tensor<1xi32>
!stream = !aref.ring<[!key]>

tile.kernel @intersection(%a: !keys, %b: !keys, %common: !keys, %count: !keys) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %as = aref.ring "a" depth 2 : !stream
  %bs = aref.ring "b" depth 4 : !stream
  %found = aref.ring "found" depth 2 : !stream

  aref.process "read a" warps 1 registers 0 {
    %first = aref.first_turn %as : !stream
    %n = tile.dim %a, 0 : !keys
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %slot, %next = aref.acquire %as[%t] : !stream
      %key = tile.load %a[%i] : !keys -> !key
      aref.publish %as[%slot], %key : !stream, !key
      scf.yield %next : !aref.turn
    }
    aref.close %as[%end] : !stream
  }

  aref.process "read b" warps 1 registers 0 {
    %first = aref.first_turn %bs : !stream
    %n = tile.dim %b, 0 : !keys
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> (!aref.turn) {
      %slot, %next = aref.acquire %bs[%t] : !stream
      %key = tile.load %b[%i] : !keys -> !key
      aref.publish %bs[%slot], %key : !stream, !key
      scf.yield %next : !aref.turn
    }
    aref.close %bs[%end] : !stream
  }

  aref.process "compare" warps 1 registers 0 {
    %a0 = aref.first_turn %as : !stream
    %b0 = aref.first_turn %bs : !stream
    %f0 = aref.first_turn %found : !stream
    %true = arith.constant true
    %none = arith.constant 0 : i32

    // wants_x: the key of x is used up. has_x: x_key is a key of x.
    %a1, %b1, %f1, %r0, %r1, %r2, %r3 = scf.while (%at = %a0, %bt = %b0, %ft = %f0, %wants_a = %true,
                               %wants_b = %true, %a_old = %none, %b_old = %none)
        : (!aref.turn, !aref.turn, !aref.turn, i1, i1, i32, i32)
          -> (!aref.turn, !aref.turn, !aref.turn, i1, i1, i32, i32) {
      %has_a, %a_key, %at1 = scf.if %wants_a -> (i1, i32, !aref.turn) {
        %more = aref.more %as[%at] : !stream
        %key, %t = scf.if %more -> (i32, !aref.turn) {
          %slot, %next, %tile = aref.get %as[%at] : !stream -> !key
          %key = tile.unsplat %tile : !key -> i32
          aref.release %as[%slot] after %key : !stream, i32
          scf.yield %key, %next : i32, !aref.turn
        } else {
          scf.yield %none, %at : i32, !aref.turn
        }
        scf.yield %more, %key, %t : i1, i32, !aref.turn
      } else {
        scf.yield %true, %a_old, %at : i1, i32, !aref.turn
      }
      %has_b, %b_key, %bt1 = scf.if %wants_b -> (i1, i32, !aref.turn) {
        %more = aref.more %bs[%bt] : !stream
        %key, %t = scf.if %more -> (i32, !aref.turn) {
          %slot, %next, %tile = aref.get %bs[%bt] : !stream -> !key
          %key = tile.unsplat %tile : !key -> i32
          aref.release %bs[%slot] after %key : !stream, i32
          scf.yield %key, %next : i32, !aref.turn
        } else {
          scf.yield %none, %bt : i32, !aref.turn
        }
        scf.yield %more, %key, %t : i1, i32, !aref.turn
      } else {
        scf.yield %true, %b_old, %bt : i1, i32, !aref.turn
      }
      %both = arith.andi %has_a, %has_b : i1
      %same = arith.cmpi eq, %a_key, %b_key : i32
      %is_common = arith.andi %both, %same : i1
      %ft1 = scf.if %is_common -> (!aref.turn) {
        %slot, %next = aref.acquire %found[%ft] : !stream
        %key = tile.splat %a_key : i32 -> !key
        aref.publish %found[%slot], %key : !stream, !key
        scf.yield %next : !aref.turn
      } else {
        scf.yield %ft : !aref.turn
      }
      %a_smaller = arith.cmpi sle, %a_key, %b_key : i32
      %b_smaller = arith.cmpi sle, %b_key, %a_key : i32
      scf.condition(%both) %at1, %bt1, %ft1, %a_smaller, %b_smaller, %a_key, %b_key
        : !aref.turn, !aref.turn, !aref.turn, i1, i1, i32, i32
    } do {
    ^bb0(%at: !aref.turn, %bt: !aref.turn, %ft: !aref.turn, %wants_a: i1, %wants_b: i1,
         %a_key: i32, %b_key: i32):
      scf.yield %at, %bt, %ft, %wants_a, %wants_b, %a_key, %b_key
        : !aref.turn, !aref.turn, !aref.turn, i1, i1, i32, i32
    }
    aref.close %found[%f1] : !stream
    scf.while (%t = %a1) : (!aref.turn) -> (!aref.turn) {
      %more = aref.more %as[%t] : !stream
      scf.condition(%more) %t : !aref.turn
    } do {
    ^bb0(%t: !aref.turn):
      %slot, %next, %unused = aref.get %as[%t] : !stream -> !key
      aref.release %as[%slot] : !stream
      scf.yield %next : !aref.turn
    }
    scf.while (%t = %b1) : (!aref.turn) -> (!aref.turn) {
      %more = aref.more %bs[%t] : !stream
      scf.condition(%more) %t : !aref.turn
    } do {
    ^bb0(%t: !aref.turn):
      %slot, %next, %unused = aref.get %bs[%t] : !stream -> !key
      aref.release %bs[%slot] : !stream
      scf.yield %next : !aref.turn
    }
  }

  aref.process "write" warps 1 registers 0 {
    %first = aref.first_turn %found : !stream
    %end, %n = scf.while (%t = %first, %i = %c0) : (!aref.turn, index) -> (!aref.turn, index) {
      %more = aref.more %found[%t] : !stream
      scf.condition(%more) %t, %i : !aref.turn, index
    } do {
    ^bb0(%t: !aref.turn, %i: index):
      %slot, %next, %key = aref.get %found[%t] : !stream -> !key
      tile.store %key, %common[%i] : !key, !keys
      aref.release %found[%slot] : !stream
      %i_next = arith.addi %i, %c1 : index
      scf.yield %next, %i_next : !aref.turn, index
    }
    %n_i32 = arith.index_cast %n : index to i32
    %n_tile = tile.splat %n_i32 : i32 -> !key
    tile.store %n_tile, %count[%c0] : !key, !keys
  }
}
