// An order names the axes that there are.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:51: error: an order of 2 axes cannot name axis 2 [axis-order]
tile.kernel @k(%a: !tile.view<?x?xf16, #tile.order<0, 2>>) {
}
