// RUN: heddle compile --check-protocol=false %s -o - 2>/dev/null | FileCheck %s
// Neighbours of two bytes are read as a word where the first window begins at an even element, and
// each by itself where it does not. A kernel that cannot know has both, and one branch. What lies
// behind a window is not read: of 8 columns these threads read the first 5.

#rows = #hopper.layout<lane = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0], warp = [], reg = [0, 1, 0, 2, 0, 4], tile = [32, 8], rep = [1, 1]>

// CHECK-LABEL: .entry even(
// CHECK-COUNT-2: ld.shared.v2.b16
// CHECK-NEXT: ld.shared.b16
// CHECK-NOT: ld.shared
// CHECK: st.global
hopper.kernel @even(%n: index, %y: !tile.view<?x?xf16>) source "even" threads 32 shared 256 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 1 registers 0 {
    %first = arith.muli %n, %c2 : index
    %b = hopper.buffer "b" at 0 : !hopper.smem<128xf16, order = [0], swizzle = 0>
    %t = hopper.local_unfold %b from %first {size = 5, step = 2} : !hopper.smem<128xf16, order = [0], swizzle = 0> -> tensor<32x8xf16, #rows>
    hopper.global_store %t, %y[%c0, %c0] : tensor<32x8xf16, #rows>, !tile.view<?x?xf16>
  }
}

// CHECK-LABEL: .entry odd(
// CHECK-COUNT-5: ld.shared.b16
// CHECK-NOT: ld.shared
// CHECK: st.global
hopper.kernel @odd(%n: index, %y: !tile.view<?x?xf16>) source "odd" threads 32 shared 256 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 1 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<128xf16, order = [0], swizzle = 0>
    %t = hopper.local_unfold %b from %n {size = 5, step = 3} : !hopper.smem<128xf16, order = [0], swizzle = 0> -> tensor<32x8xf16, #rows>
    hopper.global_store %t, %y[%c0, %c0] : tensor<32x8xf16, #rows>, !tile.view<?x?xf16>
  }
}

// CHECK-LABEL: .entry either(
// CHECK-COUNT-8: ld.shared
// CHECK-NOT: ld.shared
// CHECK: st.global
hopper.kernel @either(%n: index, %y: !tile.view<?x?xf16>) source "either" threads 32 shared 256 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  hopper.grid %c1
  hopper.process "p" warps 0 + 1 registers 0 {
    %b = hopper.buffer "b" at 0 : !hopper.smem<128xf16, order = [0], swizzle = 0>
    %t = hopper.local_unfold %b from %n {size = 5, step = 2} : !hopper.smem<128xf16, order = [0], swizzle = 0> -> tensor<32x8xf16, #rows>
    hopper.global_store %t, %y[%c0, %c0] : tensor<32x8xf16, #rows>, !tile.view<?x?xf16>
  }
}
