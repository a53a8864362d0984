// A function is no kernel.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 1:1: error: there is no kernel in this program; a tile program holds a tile.kernel [no-kernel]
func.func private @f()
