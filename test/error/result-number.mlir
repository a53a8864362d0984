// MLIR's own parser would make room for them all.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:27: error: result number 4294967295 is out of range; heddle's operations have fewer than 65536 results [not-well-formed]
tile.kernel @k(%n: index) {
  %two:2 = scf.if %c -> (index, index) { scf.yield %n, %n : index, index }
  %x = arith.addi %n, %two#4294967295 : index
}
