// What the driver's compiler says while it loads a kernel. The driver here is
// one that records: it says what it is told to and computes nothing, so the
// program is one that leaves x as it is.
// REQUIRES: fake-driver
// RUN: mkdir -p %t && ln -sf %build/lib/libheddle_fake_driver.so %t/libcuda.so.1
// RUN: env LD_LIBRARY_PATH=%t FAKE_DRIVER_LOG=%S/Inputs/load-remarks.log %expect 0 heddle run %s --device=gpu --view x=64x64
// expect: 12:1: remark: @keep stays one process, because it has no loop to pipeline [not-specialised]
// expect: 17:5: remark: threads store this tile: the kernel accesses the view elsewhere too, and only threads keep that in order [store-not-tma]
// expect: heddle: remark: kernel 'keep', variant 'keep': the driver's compiler ran out of registers; a thread stores 84 bytes of them to memory and loads 96 back [spilled-registers]
// expect: heddle: remark: kernel 'keep', variant 'keep': its products (wgmma) wait where the schedule lets them run beside other work: wgmma.mma_async instructions are serialized due to insufficient register resources for the function 'keep' (C7512) [serialised-products]
// expect: heddle: remark: kernel 'keep': its processes do not get the registers planned for them: 'setmaxnreg' ignored to maintain minimum register requirements. (C7508) [budgets-ignored]
tile.kernel @keep(%x: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    %t = tile.load %x[%c0, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    tile.store %t, %x[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
