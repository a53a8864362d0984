// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:3: error: 'aref.process' 'p' has 0 warps; it needs 1 to 65536 [process-size]
tile.kernel @k(%i: index) {
  aref.process "p" warps 0 registers 0 {
  }
}
