// One process, whose registers the bound does not count.
// RUN: %expect 0 heddle compile %examples/attention.mlir --machine=h200 --set=BM=64 --set=BN=128 --set=D=128 --schedule=exact --emit=sched -o %t.mlir
// expect: attention.mlir:52:30: remark: loop 'loop' has an interval of 1803 cycles; below 1772 there is none, and in between none was found [schedule-gap]
