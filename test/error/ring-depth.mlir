// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:8: error: 'aref.ring' 'r' has depth 0; a ring needs 1 to 65536 slots [ring-depth]
tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 0 : !aref.ring<[]>
}

