// A value is used before it is made.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:8: error: operand #0 does not dominate this use [not-well-formed]
// expect: 7:8: note: operand defined here (op in the same block)
tile.kernel @k(%n: index) {
  %y = arith.addi %x, %n : index
  %x = arith.addi %n, %n : index
}
