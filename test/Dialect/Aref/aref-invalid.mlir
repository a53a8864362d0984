// RUN: heddle-opt %s --verify-diagnostics --split-input-file

tile.kernel @k(%i: index) {
  // expected-error@below {{'r' has depth 0; a ring needs 1 to 65536 slots}}
  %r = aref.ring "r" depth 0 : !aref.ring<[]>
}

// -----

tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[tensor<64xf16>]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64xf16>]>
    %tok, %n = aref.acquire %r[%t] : !aref.ring<[tensor<64xf16>]>
    // expected-error@below {{moves 0 values through a ring whose payload has 1}}
    aref.publish %r[%tok] : !aref.ring<[tensor<64xf16>]>
  }
}

// -----

tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[tensor<64xf16>]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[tensor<64xf16>]>
    // expected-error@below {{value 0 is 'tensor<32xf16>', but the ring's payload has 'tensor<64xf16>'}}
    %tok, %n, %v = aref.get %r[%t] : !aref.ring<[tensor<64xf16>]> -> tensor<32xf16>
  }
}

// -----

tile.kernel @k(%i: f32) {
  %x = tile.splat %i : f32 -> tensor<64xf32>
  aref.process "p" warps 4 registers 0 {
    // expected-error@below {{yields 'tensor<64xf32>', but its flight is '!aref.flight<tensor<32xf32>>'}}
    %f = aref.start "tensor" (%a = %x : tensor<64xf32>) {
      aref.yield %a : tensor<64xf32>
    } : !aref.flight<tensor<32xf32>>
  }
}

// -----

tile.kernel @k(%i: f32) {
  %x = tile.splat %i : f32 -> tensor<64xf32>
  aref.process "p" warps 4 registers 0 {
    %f = aref.start "tensor" (%a = %x : tensor<64xf32>) {
      aref.yield %a : tensor<64xf32>
    } : !aref.flight<tensor<64xf32>>
    // expected-error@below {{has the negative pending count -1}}
    %v = aref.await %f pending -1 : !aref.flight<tensor<64xf32>> -> tensor<64xf32>
  }
}

// -----

tile.kernel @k(%i: index) {
  // expected-error@below {{'p' has 0 warps; it needs 1 to 65536}}
  aref.process "p" warps 0 registers 0 {
  }
}

// -----

tile.kernel @k() {
  // expected-error@below {{'p' has 9223372036854775807 warps; it needs 1 to 65536}}
  aref.process "p" warps 9223372036854775807 registers 0 {
  }
}

// -----

tile.kernel @k() {
  // expected-error@below {{'p' has a budget of -8 registers a thread; it takes 0 to 65536}}
  aref.process "p" warps 4 registers -8 {
  }
}
