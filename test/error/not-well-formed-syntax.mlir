// The text ends in the middle.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 5:22: error: expected SSA operand [not-well-formed]
tile.kernel @k(%n: index) {
  %x = arith.addi %n,
