// The way to the CPU leaves the ladder at tile.
// RUN: %expect 3 heddle compile %s --emit=llvm -o %t.ll
// expect: heddle: error: the way to the CPU leaves the ladder at tile, and cpu-rung.mlir is on the sched rung [rung-below]
sched.plan @k {
}
tile.kernel @k(%n: index) {
}
