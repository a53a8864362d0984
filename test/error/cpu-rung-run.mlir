// RUN: %expect 3 heddle run %s --device=cpu
// expect: heddle: error: the way to the CPU leaves the ladder at tile, and cpu-rung-run.mlir is on the sched rung [rung-below]
sched.plan @k {
}
tile.kernel @k(%n: index) {
}
