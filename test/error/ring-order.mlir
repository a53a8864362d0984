// One slot would have two layouts.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 15:10: error: ring "r" element 0 is filled from views of different orders; give both views one order [ring-order]
// expect: 12:10: note: the other load is here
!r = !aref.ring<[tensor<64x64xf16>]>
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16, #tile.order<0, 1>>, %c: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %r = aref.ring "r" depth 2 : !r
  aref.process "load" warps 4 registers 0 {
    %t0 = aref.first_turn %r : !r
    %k0, %t1 = aref.acquire %r[%t0] : !r
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    aref.publish %r[%k0], %x : !r, tensor<64x64xf16>
    %k1, %t2 = aref.acquire %r[%t1] : !r
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16, #tile.order<0, 1>> -> tensor<64x64xf16>
    aref.publish %r[%k1], %y : !r, tensor<64x64xf16>
  }
  aref.process "store" warps 4 registers 0 {
    %t0 = aref.first_turn %r : !r
    %k0, %t1, %x = aref.get %r[%t0] : !r -> tensor<64x64xf16>
    tile.store %x, %c[%c0, %c0] : tensor<64x64xf16>, !tile.view<?x?xf16>
    aref.release %r[%k0] : !r
    %k1, %t2, %y = aref.get %r[%t1] : !r -> tensor<64x64xf16>
    tile.store %y, %c[%c0, %c0] : tensor<64x64xf16>, !tile.view<?x?xf16>
    aref.release %r[%k1] : !r
  }
}
