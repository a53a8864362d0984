// --set names one thing twice.
// RUN: %expect 3 heddle compile %s --set BM=64 --set BM=128
// expect: heddle: error: setting-twice.mlir: 'BM' is set twice [setting]
tile.param @BM : {64, 128} = 64
tile.kernel @k(%n: index) {
}
