// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:8: error: 'aref.first_turn' stands outside every process [aref-placement]
// Where the ops of the protocol stand, and who uses a ring.

tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  %t = aref.first_turn %r : !aref.ring<[]>
}

