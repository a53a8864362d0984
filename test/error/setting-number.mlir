// A parameter takes a number.
// RUN: %expect 3 heddle compile %s --set BM=wide
// expect: 4:1: error: parameter BM cannot be wide; its legal values are 64, 128 [param-value]
tile.param @BM : {64, 128} = 64
tile.kernel @k(%n: index) {
}
