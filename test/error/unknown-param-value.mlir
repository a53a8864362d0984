// A parameter is declared before it is used.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 6:9: error: 'tile.param_value' names @BN but no tile.param declares it [unknown-param]
tile.param @BM : {64, 128} = 64
tile.kernel @k(%n: index) {
  %bn = tile.param_value @BN : index
}
