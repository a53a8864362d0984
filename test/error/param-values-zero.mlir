// An extent is at least 1.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: 'tile.param' @BM lists 0 but an extent is at least 1 [param-values]
tile.param @BM : {0, 64} = 64
tile.kernel @k(%n: index) {
}
