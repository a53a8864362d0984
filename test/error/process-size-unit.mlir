// A process has warps or a unit.
// RUN: %expect 3 heddle compile %s --emit=aref -o %t.mlir
// expect: 5:3: error: 'aref.process' 'p' is on unit 'unit' and has 4 warps; it has one or the other [process-size]
tile.kernel @k() {
  aref.process "p" on "unit" warps 4 registers 0 {
  }
}
