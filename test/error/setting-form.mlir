// --set without a value.
// RUN: %expect 3 heddle compile %s --set in
// expect: heddle: error: setting-form.mlir: expected NAME=VALUE but got 'in'; what can be set is in [setting]
!in = f16
tile.kernel @k(%a: !tile.view<?x!in>) {
}
