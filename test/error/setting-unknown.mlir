// --set names something that the program does not have.
// RUN: %expect 3 heddle compile %s --set BN=64
// expect: heddle: error: setting-unknown.mlir: no alias or parameter is called 'BN'; what can be set is in, BM [setting]
!in = f16
tile.param @BM : {64, 128} = 64
tile.kernel @k(%a: !tile.view<?x!in>) {
}
