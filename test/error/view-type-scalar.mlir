// A view has at least one axis.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:30: error: a view has at least one axis [view-type]
tile.kernel @k(%a: !tile.view<f32>) {
}
