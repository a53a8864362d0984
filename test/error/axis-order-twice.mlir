// An order names every axis once.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:51: error: an order names axis 0 twice [axis-order]
tile.kernel @k(%a: !tile.view<?x?xf16, #tile.order<0, 0>>) {
}
