// A range that ends before it begins.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:23: error: 128 to 96 step 16 is no range of 1 to 4096 values [param-values]
tile.param @BM : {64, 128 to 96 step 16} = 64
tile.kernel @k() {
}
