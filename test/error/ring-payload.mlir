// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 9:5: error: 'aref.publish' moves 0 values through a ring whose payload has 1 [ring-payload]
tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[tensor<64xf16>]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64xf16>]>
    %tok, %n = aref.acquire %r[%t] : !aref.ring<[tensor<64xf16>]>
    aref.publish %r[%tok] : !aref.ring<[tensor<64xf16>]>
  }
}

