// RUN: %expect 3 heddle check %s
// expect: 3:22: error: a layout covers at most 1048576 elements, and a thread holds no more [register-layout]
#acc = #hopper.layout<lane = [0, 2, 0, 4, 1, 0, 2, 0, 4, 0], warp = [16, 0, 32, 0], reg = [0, 1, 8, 0], tile = [4294967296, 8], rep = [4294967296, 8]>
hopper.kernel @huge() source "k" threads 128 shared 64 tma [] {
}
