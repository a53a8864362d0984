// An order names as many axes as the view has.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:30: error: the order has 2 axes but the view has 1 [view-type]
tile.kernel @k(%a: !tile.view<?xf16, #tile.order<0, 1>>) {
}
