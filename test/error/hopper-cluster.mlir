// Blocks may end while others read their shared memory.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 8:5: error: 'hopper.cluster_sync' is the last meeting, and the block may end while others read its shared memory; a second hopper.cluster_sync is missing [hopper-cluster]
hopper.kernel @meet(%n: index) source "k" threads 128 shared 0 tma [] {
  hopper.grid each %n
  hopper.cluster 2
  hopper.process "p" warps 0 + 4 registers 0 {
    hopper.cluster_sync
  }
}
