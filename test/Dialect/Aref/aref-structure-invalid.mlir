// RUN: heddle-opt %s --verify-diagnostics --split-input-file

// Where the ops of the protocol stand, and who uses a ring.

tile.kernel @k(%i: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  // expected-error@below {{'aref.first_turn' stands outside every process}}
  %t = aref.first_turn %r : !aref.ring<[]>
}

// -----

tile.kernel @k(%n: index) {
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 4 registers 0 {
    tile.parallel (%i) to (%n) {
      // expected-error@below {{stands inside 'tile.parallel'; in a process it may stand under scf.for, scf.if and scf.while}}
      %t = aref.first_turn %r : !aref.ring<[]>
    }
  }
}

// -----

tile.kernel @k(%i: i1) {
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  %s = aref.ring "s" depth 2 : !aref.ring<[]>
  aref.process "p" warps 4 registers 0 {
    %either = arith.select %i, %r, %s : !aref.ring<[]>
    // expected-error@below {{uses a ring that is not named directly; give it the result of its aref.ring}}
    %t = aref.first_turn %either : !aref.ring<[]>
  }
}

// -----

tile.kernel @k(%i: index) {
  // expected-error@below {{'r' carries '!aref.token'; only values go through a ring}}
  %r = aref.ring "r" depth 2 : !aref.ring<[!aref.token]>
}

// -----

tile.kernel @k(%i: index) {
  aref.process "p" warps 4 registers 0 {
    // expected-error@below {{stands inside 'aref.process'; rings and processes stand in a tile.kernel itself}}
    %r = aref.ring "r" depth 2 : !aref.ring<[]>
  }
}

// -----

tile.kernel @k(%n: index) {
  tile.parallel (%i) to (%n) {
    // expected-error@below {{stands inside 'tile.parallel'; rings and processes stand in a tile.kernel itself}}
    aref.process "p" warps 4 registers 0 {
    }
  }
}

// -----

tile.kernel @k(%i: index) {
  // expected-error@below {{'r' has the producers}}
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    %a, %n = aref.acquire %r[%t] : !aref.ring<[]>
  }
  aref.process "q" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    aref.close %r[%t] : !aref.ring<[]>
  }
}

// -----

tile.kernel @k(%i: f32) {
  %r = aref.ring "r" depth 2 : !aref.ring<[]>
  aref.process "p" warps 4 registers 0 {
    %t = aref.first_turn %r : !aref.ring<[]>
    // expected-error@below {{shows its region a '!aref.turn'; a unit sees values only}}
    %f = aref.start "unit" (%a = %t : !aref.turn) {
      aref.yield %i : f32
    } : !aref.flight<f32>
  }
}

// -----

tile.kernel @k(%i: f32) {
  %r = aref.ring "r" depth 2 : !aref.ring<[f32]>
  aref.process "p" warps 4 registers 0 {
    %f = aref.start "unit" (%a = %i : f32) {
      %b = arith.truncf %a : f32 to f16
      aref.yield %b : f16
    } : !aref.flight<f16>
    %t = aref.first_turn %r : !aref.ring<[f32]>
    %a, %n = aref.acquire %r[%t] : !aref.ring<[f32]>
    // expected-error@below {{value 0 is 'f16', but the ring's payload has 'f32'}}
    aref.publish %r[%a], %f : !aref.ring<[f32]>, !aref.flight<f16>
  }
}
