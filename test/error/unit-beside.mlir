// What takes place beside something else is a branch of a process on a unit.
// RUN: %expect 3 heddle compile %s --emit=aref -o %t.mlir
// expect: 8:5: error: 'scf.if' has aref.beside, which an 'scf.if' of a process on a unit may have, outside of other such branches [unit-cost]
tile.kernel @p(%x: !tile.view<?xi64>) {
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  aref.process "a" warps 4 registers 32 {
    scf.if %yes {
      %t = tile.load %x[%c0] : !tile.view<?xi64> -> tensor<1xi64>
      tile.store %t, %x[%c0] : tensor<1xi64>, !tile.view<?xi64>
    } {aref.beside}
  }
}
