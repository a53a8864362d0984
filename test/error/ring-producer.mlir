// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:8: error: 'aref.ring' 'r' has the producers 'q' and 'p'; give each a ring of its own [ring-producer]
tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %n = aref.acquire %r[%t] : !aref.ring<[]>
  }
  aref.process "q" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    aref.close %r[%t] : !aref.ring<[]>
  }
}

