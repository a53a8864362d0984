// --set asks for a value that the program does not list.
// RUN: %expect 3 heddle compile %s --set BM=96
// expect: 4:1: error: parameter BM cannot be 96; its legal values are 64, 128 [param-value]
tile.param @BM : {64, 128} = 64
tile.kernel @k(%n: index) {
}
