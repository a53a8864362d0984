// An alias is set to something that is no type.
// RUN: %expect 3 heddle compile %s --set in=f17
// expect: 4:6: error: expected non-function type [not-well-formed]
!in = f16
tile.kernel @k(%a: !tile.view<?x!in>) {
}
