// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 3:1: error: 'tile.kernel' is called 'sum-up'; a kernel's name is that of its PTX entry: a letter, then letters, digits, _ and $; or _ or $ and at least one of these [kernel-signature]
tile.kernel @"sum-up"(%x: !tile.view<?xf32>) {
}
