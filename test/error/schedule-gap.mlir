// One process, whose chain of products and softmax nearly reaches its bound.
// RUN: %expect 0 heddle compile %examples/attention.mlir --set=BM=64 --set=BN=112 --set=D=64 --schedule=exact --emit=sched -o %t.mlir
// expect: attention.mlir:52:30: remark: loop 'loop' has an interval of 994 cycles; below 993 there is none, and in between the solver's budget ended [schedule-gap]
