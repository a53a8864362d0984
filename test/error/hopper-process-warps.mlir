// First and count each fit 64 bits; their sum does not.
// RUN: %expect 3 heddle check %s
// expect: 5:3: error: 'hopper.process' 'p' has warps 4611686018427387904 to 9223372036854775806 of a block of 4 [hopper-process]
hopper.kernel @wide() source "k" threads 128 shared 64 tma [] {
  hopper.process "p" warps 4611686018427387904 + 4611686018427387904 registers 0 {
  }
}
