// Where a column stands is a sum of so many terms that one more is not looked at: nothing says
// of the second process's that it is not negative, which TMA needs. The plan calls the
// processes replicas, and the machine's rules part them: each has a code of its own, with a
// remark. Of three, the last two have one.
// RUN: heddle compile %s --emit=sched -o - 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: sched.process "mma.1" {{.*}}replica_of = "mma.0"
// RUN: heddle compile %s --emit=hopper -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS: remark: process 'mma.0' of @shifted does not share its code with the replicas that the plan gives it: a step of it is 'hopper.tma_store_wait', and not all of them have one like it there [replica-apart]
// SAYS-NOT: replica-apart
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=TWO
// TWO-LABEL: hopper.kernel @shifted(
// TWO: hopper.process "mma.0"
// TWO: hopper.tma_store
// TWO: hopper.process "mma.1"
// TWO-NOT: replica_of
// TWO: hopper.global_store
// TWO-LABEL: hopper.kernel @shifted_plain_stores
// TWO: hopper.process "mma.1" {{.*}}replica_of = "mma.0"
// RUN: heddle compile %s --set BM=192 --emit=hopper -o - 2>%t.err | FileCheck %s --check-prefix=THREE
// THREE-LABEL: hopper.kernel @shifted(
// THREE: hopper.process "mma.1" warps 8 + 4 registers {{[0-9]+}} {
// THREE: hopper.process "mma.2" {{.*}}replica_of = "mma.1"
// THREE-LABEL: hopper.kernel @shifted_plain_stores
// THREE: hopper.process "mma.1" {{.*}}replica_of = "mma.0"
// THREE: hopper.process "mma.2" {{.*}}replica_of = "mma.0"

// RUN: heddle run %s --device=emulator --order=adversarial --seed=3 --sms=2 --view a=264x136 --view b=136x72 --view c=72x1600 | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %s --device=emulator --view a=264x0 --view b=0x72 --view c=72x1600 | FileCheck %s --check-prefix=RIGHT
// RUN: heddle run %s --set BM=192 --device=emulator --order=adversarial --seed=4 --view a=264x200 --view b=200x72 --view c=72x1600 | FileCheck %s --check-prefix=RIGHT
// RIGHT: ; right
// RUN: heddle check %s --set BM=192 | FileCheck %s --check-prefix=PROVED
// PROVED-COUNT-3: proved for every trip count
tile.param @BM : {64 to 256 step 64} = 128
tile.kernel @shifted(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %bm = tile.param_value @BM : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %n = tile.dim %b, 1 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %bm : index
  %gn = arith.ceildivui %n, %c64 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %bm : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<?x64xf32, #tile.shape<"BM", "">>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<?x64xf32, #tile.shape<"BM", "">>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<?x64xf16, #tile.shape<"BM", "">>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<?x64xf16, #tile.shape<"BM", "">>, tensor<64x64xf16> -> tensor<?x64xf32, #tile.shape<"BM", "">>
      scf.yield %d : tensor<?x64xf32, #tile.shape<"BM", "">>
    }
    %o = tile.cast %acc : tensor<?x64xf32, #tile.shape<"BM", "">> -> tensor<?x64xf16, #tile.shape<"BM", "">>
    %t = tile.trans %o, [1, 0] : tensor<?x64xf16, #tile.shape<"BM", "">> -> tensor<64x?xf16, #tile.shape<"", "BM">>
    %l0 = arith.addi %row, %row : index
    %l1 = arith.addi %l0, %row : index
    %l2 = arith.addi %l1, %row : index
    %l3 = arith.addi %l2, %row : index
    %l4 = arith.addi %l3, %row : index
    %l5 = arith.addi %l4, %row : index
    %l6 = arith.addi %l5, %row : index
    %l7 = arith.addi %l6, %row : index
    %l8 = arith.addi %l7, %row : index
    %l9 = arith.addi %l8, %row : index
    tile.store %t, %c[%col, %l9] : tensor<64x?xf16, #tile.shape<"", "BM">>, !tile.view<?x?xf16>
  }
}
