// Ends may be as far apart as numbers are.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:23: error: -9223372036854775808 to 256 step 16 is no range of 1 to 4096 values [param-values]
tile.param @BM : {64, -9223372036854775808 to 256 step 16} = 64
tile.kernel @k() {
}
