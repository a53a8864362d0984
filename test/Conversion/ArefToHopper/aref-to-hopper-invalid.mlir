// RUN: heddle-opt %s --aref-to-hopper --split-input-file --verify-diagnostics

!big = !aref.ring<[tensor<64x64xf16>, tensor<64x256xf16>]>
// expected-error @+1 {{shared memory needs 245856 B, but sm_90 has 232448 B a thread block}}
tile.kernel @too_deep(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{ring "ab" takes 245760 B: depth 6 x 40960 B; depth 5 would fit}}
  %ab = aref.ring "ab" depth 6 : !big
  aref.process "load" warps 4 registers 40 {
    %t = aref.first_turn %ab : !big
    %tok, %next = aref.acquire %ab[%t] : !big
    // expected-note @+1 {{ring "ab" holds this tile of 8192 B in each slot}}
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    // expected-note @+1 {{ring "ab" holds this tile of 32768 B in each slot}}
    %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x256xf16>
    aref.publish %ab[%tok], %x, %y : !big, tensor<64x64xf16>, tensor<64x256xf16>
  }
  aref.process "use" warps 4 registers 40 {
    %t = aref.first_turn %ab : !big
    %tok, %next, %x, %y = aref.get %ab[%t] : !big -> tensor<64x64xf16>, tensor<64x256xf16>
    aref.release %ab[%tok] : !big
  }
}

// -----

!huge = !aref.ring<[tensor<256x512xf16>]>
// expected-error @+1 {{shared memory needs 262160 B, but sm_90 has 232448 B a thread block}}
tile.kernel @too_large(%a: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{ring "x" takes 262144 B: depth 1 x 262144 B; no depth of this ring alone would fit, choose smaller tiles}}
  %r = aref.ring "x" depth 1 : !huge
  aref.process "load" warps 4 registers 40 {
    %t = aref.first_turn %r : !huge
    %tok, %next = aref.acquire %r[%t] : !huge
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<256x512xf16>
    aref.publish %r[%tok], %x : !huge, tensor<256x512xf16>
  }
  aref.process "use" warps 4 registers 40 {
    %t = aref.first_turn %r : !huge
    %tok, %next, %x = aref.get %r[%t] : !huge -> tensor<256x512xf16>
    aref.release %r[%tok] : !huge
  }
}

// -----

!ring = !aref.ring<[tensor<128x64xf16>, tensor<64x64xf16>]>
tile.kernel @tall(%a: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0.0 : f32
  %zero = tile.splat %c0 : f32 -> tensor<128x64xf32>
  %r = aref.ring "x" depth 1 : !ring
  aref.process "load" warps 4 registers 40 {
    %i = arith.constant 0 : index
    %t = aref.first_turn %r : !ring
    %tok, %next = aref.acquire %r[%t] : !ring
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<128x64xf16>
    %y = tile.load %a[%i, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    aref.publish %r[%tok], %x, %y : !ring, tensor<128x64xf16>, tensor<64x64xf16>
  }
  aref.process "mma" warps 4 registers 40 {
    %t = aref.first_turn %r : !ring
    %tok, %next, %x, %y = aref.get %r[%t] : !ring -> tensor<128x64xf16>, tensor<64x64xf16>
    // expected-error @+1 {{a dot of 128 rows does not fit one wgmma of 64; split M into sub-tiles of 64 rows}}
    %d = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    aref.release %r[%tok] after %d : !ring, tensor<128x64xf32>
  }
}

// -----

!ring = !aref.ring<[tensor<64x64xf32>, tensor<64x64xf32>]>
tile.kernel @single(%a: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0.0 : f32
  %zero = tile.splat %c0 : f32 -> tensor<64x64xf32>
  %r = aref.ring "x" depth 1 : !ring
  aref.process "load" warps 4 registers 40 {
    %i = arith.constant 0 : index
    %t = aref.first_turn %r : !ring
    %tok, %next = aref.acquire %r[%t] : !ring
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    %y = tile.load %a[%i, %i] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    aref.publish %r[%tok], %x, %y : !ring, tensor<64x64xf32>, tensor<64x64xf32>
  }
  aref.process "mma" warps 4 registers 40 {
    %t = aref.first_turn %r : !ring
    %tok, %next, %x, %y = aref.get %r[%t] : !ring -> tensor<64x64xf32>, tensor<64x64xf32>
    // expected-error @+1 {{the tensor core has no product of 'f32' and 'f32' accumulated in 'f32'; say that their low bits do not count (tf32), or use f16 or bf16 accumulated in f32}}
    %d = tile.dot %x, %y, %zero : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    aref.release %r[%tok] after %d : !ring, tensor<64x64xf32>
  }
}

// -----

!ring = !aref.ring<[tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>]>
tile.kernel @bytes_along_n(%a: !tile.view<?x?xf8E4M3FN>) {
  %c0 = arith.constant 0.0 : f32
  %zero = tile.splat %c0 : f32 -> tensor<64x64xf32>
  %r = aref.ring "x" depth 1 : !ring
  aref.process "load" warps 4 registers 40 {
    %i = arith.constant 0 : index
    %t = aref.first_turn %r : !ring
    %tok, %next = aref.acquire %r[%t] : !ring
    %x = tile.load %a[%i, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    // expected-error @+1 {{operand b of a dot has 8-bit elements and stride 1 along axis 1; wgmma reads 8-bit elements only with stride 1 along K, axis 0: store this matrix in the other order}}
    %y = tile.load %a[%i, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    aref.publish %r[%tok], %x, %y : !ring, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>
  }
  aref.process "mma" warps 4 registers 40 {
    %t = aref.first_turn %r : !ring
    %tok, %next, %x, %y = aref.get %r[%t] : !ring -> tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>
    %d = tile.dot %x, %y, %zero : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    aref.release %r[%tok] after %d : !ring, tensor<64x64xf32>
  }
}

// -----

tile.kernel @outside(%a: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tile.load' stands outside every process; only scalars and constant tiles are shared: move it into the process that uses it [outside-process]}}
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  aref.process "p" warps 4 registers 40 {
  }
}

// -----

tile.kernel @stored_outside(%a: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<1x64xf32>
  // expected-error @+1 {{'tile.store' stands outside every process; only scalars and constant tiles are shared: move it into the process that uses it [outside-process]}}
  tile.store %zero, %a[%c0, %c0] : tensor<1x64xf32>, !tile.view<?x?xf32>
}

// -----

!ring = !aref.ring<[]>
tile.kernel @never_released() {
  // expected-error @+1 {{ring "go" is never released, so its producer would wait forever}}
  %r = aref.ring "go" depth 1 : !ring
  aref.process "p" warps 4 registers 40 {
    %t = aref.first_turn %r : !ring
    %tok, %next = aref.acquire %r[%t] : !ring
    aref.publish %r[%tok] : !ring
  }
}

// -----

// expected-error @+1 {{the processes' budgets add up to 94208 registers, but a launch of their threads allocates 64512; lower the budgets in the plan}}
tile.kernel @greedy() {
  // expected-note @+1 {{process "p" takes 63488: 8 warps x 32 threads x 248; 128 would fit}}
  aref.process "p" warps 8 registers 248 {
  }
  // expected-note @+1 {{process "q" takes 30720: 4 warps x 32 threads x 240}}
  aref.process "q" warps 4 registers 240 {
  }
}

// -----

tile.kernel @odd_budget() {
  // expected-error @+1 {{process "p" has a budget of 100 registers; it must be a multiple of 8 from 24 to 256, or 0}}
  aref.process "p" warps 4 registers 100 {
  }
}

// -----

tile.kernel @misplaced_operand(%a: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  aref.process "p" warps 4 registers 200 {
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %f = aref.start "tensor" (%p = %x : tensor<64x64xf16>, %z = %zero : tensor<64x64xf32>) {
      // expected-error @+1 {{operand b of this dot is loaded to registers, but wgmma reads it from shared memory while the process goes on: load it through a ring}}
      %d = tile.dot %p, %p, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      aref.yield %d : tensor<64x64xf32>
    } : !aref.flight<tensor<64x64xf32>>
  }
}

// -----

tile.kernel @closed() {
  %r = aref.ring "r" depth 1 : !aref.ring<[tensor<64xf16>]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64xf16>]>
    // expected-error @+1 {{'aref.close' has no form on sm_90a: a barrier cannot say that nothing follows; send the number of turns first [no-form]}}
    aref.close %r[%t] : !aref.ring<[tensor<64xf16>]>
  }
  aref.process "q" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64xf16>]>
    %more = aref.more %r[%t] : !aref.ring<[tensor<64xf16>]>
  }
}

// -----

tile.kernel @released_by_a_flight(%a: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %r = aref.ring "r" depth 1 : !aref.ring<[tensor<64x64xf16>]>
  aref.process "p" warps 4 registers 40 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64x64xf16>]>
    %k, %n = aref.acquire %r[%t] : !aref.ring<[tensor<64x64xf16>]>
    %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    aref.publish %r[%k], %x : !aref.ring<[tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  aref.process "q" warps 4 registers 200 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64x64xf16>]>
    %k, %n, %x = aref.get %r[%t] : !aref.ring<[tensor<64x64xf16>]> -> tensor<64x64xf16>
    %f = aref.start "tensor" (%p = %x : tensor<64x64xf16>, %z = %zero : tensor<64x64xf32>) {
      %d = tile.dot %p, %p, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      aref.yield %d : tensor<64x64xf32>
    } : !aref.flight<tensor<64x64xf32>>
    // expected-error @+1 {{'aref.release' names a flight, but no unit of sm_90a arrives at a barrier by itself; await the flight and name its value [no-form]}}
    aref.release %r[%k] after %f : !aref.ring<[tensor<64x64xf16>]>, !aref.flight<tensor<64x64xf32>>
  }
}

// -----

tile.param @BN : {64, 128} = 64
tile.kernel @open_extents(%y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  // expected-error @+1 {{'tile.splat' has a tile whose extents have names; below the tile rung they are numbers, which `heddle compile` puts in from tile.param [named-extent]}}
  %zero = tile.splat %f0 : f32 -> tensor<?xf32, #tile.shape<"BN">>
  tile.store %zero, %y[%c0] : tensor<?xf32, #tile.shape<"BN">>, !tile.view<?xf32>
}
