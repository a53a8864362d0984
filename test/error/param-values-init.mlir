// The value that holds without --set is a legal one.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: 'tile.param' @BM starts as 96, which is not one of {64, 128} [param-values]
tile.param @BM : {64, 128} = 96
tile.kernel @k(%n: index) {
}
