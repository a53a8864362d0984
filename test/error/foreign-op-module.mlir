// Text behind a module's end: the file is a module with a module in it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// RUN: %expect 3 heddle check %s
// expect: 5:1: error: a module stands in a module, as where text follows the end of the first; put all of the program into one [foreign-op]
module {
  tile.kernel @k(%n: index) {
    tile.parallel (%i) to (%n) {
    }
  }
}
%behind = arith.constant 7 : index
