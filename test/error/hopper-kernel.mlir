// As an edit of a saved rung may leave it.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 4:1: error: 'hopper.kernel' needs 300000 B of shared memory, sm_90a has 232448 B [hopper-kernel]
hopper.kernel @k(%n: index) source "k" threads 128 shared 300000 tma [] {
}

