// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:8: error: 'aref.ring' 'r' carries '!aref.token'; only values go through a ring [ring-element]
tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[!aref.token]>
}

