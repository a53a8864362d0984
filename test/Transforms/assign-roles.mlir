// Chained loads are in chained processes; what they make addresses of goes with them.
// RUN: heddle compile %examples/embedding/bag_weighted.mlir --machine=dae --emit=sched | FileCheck %s
// CHECK: sched.plan @bag_weighted attributes {sched.machine = "dae"}
// CHECK-NEXT: sched.process "read_offsets" on "access"
// CHECK-NEXT: sched.process "read_indices" on "access"
// CHECK-NEXT: sched.process "read_table" on "access"
// CHECK-NEXT: sched.process "execute" on "execute"
// CHECK: sched.table "loop" ii 0 control "count"
// CHECK-DAG: "load_indices" on "access" {{.*}} in "read_indices" via "indices"
// CHECK-DAG: "load_table" on "access" {{.*}} in "read_table" via "table"
// Only who computes reads a weight, as he does the row, so both are one turn.
// CHECK-DAG: "load_weights" on "access" {{.*}} in "read_table" via "table"
// CHECK-DAG: "mulf" on "execute" {{.*}} in "execute" loc
// CHECK: sched.table "tiles" ii 0 control "replicate"
// CHECK-DAG: "load_offsets" on "access" {{.*}} in "read_offsets" via "offsets"
// CHECK-DAG: "load_offsets_2" on "access" {{.*}} in "read_offsets" via "offsets"
// CHECK-DAG: "unsplat" on "access" {{.*}} in "read_indices"
// CHECK-DAG: "store_out" on "execute"

// Neighbouring loads that one process needs share a ring, of whatever views they are: one turn, and not three.
// RUN: heddle compile %examples/embedding/triples.mlir --machine=dae --emit=sched | FileCheck %s --check-prefix=SHARED
// SHARED: sched.ring "heads" depth 128
// SHARED-NEXT: sched.ring "entities" depth
// SHARED-NOT: sched.ring
// SHARED: "load_kinds" on "access" {{.*}} via "heads"
// SHARED: "load_entities" on "access" {{.*}} via "entities"
// SHARED: "load_relations" on "access" {{.*}} via "entities"
// SHARED: "load_entities_2" on "access" {{.*}} via "entities"
// Not so what different processes need: a neighbour goes to who reads rows, its number to who computes. That stands
// apart from the row in the program, and is moved beside it.
// RUN: heddle compile %examples/embedding/message_passing.mlir --machine=dae --emit=sched | FileCheck %s --check-prefix=APART
// APART-DAG: "load_neighbours" on "access" {{.*}} via "neighbours"
// APART-DAG: "load_a" on "access" {{.*}} in "read_y" via "y"

// Several iterations go together: rows of 32 have slots enough for turns that all of a group share, and for the rest;
// rows of 128 have not, and keep their turns. Nor does anything where a turn and a loop's end cost nothing.
// RUN: heddle compile %examples/embedding/bag_sum.mlir --set D=32 --machine=dae --emit=sched | FileCheck %s --check-prefix=SHORT
// SHORT: sched.ring "table" depth {{[0-9]+}} rest {{[0-9]+}}
// SHORT: sched.table "loop" ii 0 control "count" groups {{[248]}}
// SHORT: sched.table "tiles" ii 0 control "replicate" {
// RUN: heddle compile %examples/embedding/bag_sum.mlir --set D=128 --machine=dae --emit=sched | FileCheck %s --check-prefix=LONG
// LONG: sched.ring "table" depth {{[0-9]+}} loc
// LONG: sched.table "loop" ii 0 control "count" groups {{[248]}}
// RUN: %python -c "import json, sys; m = json.load(open(sys.argv[1])); [u[k].update(value=0) for u in m['units'] for k in ('turn', 'loop')]; json.dump(m, open(sys.argv[2], 'w'))" %source/machines/dae.json %t.json
// RUN: heddle compile %examples/embedding/bag_sum.mlir --set D=32 --machine=%t.json --emit=sched | FileCheck %s --check-prefix=FREE
// FREE-NOT: groups
// FREE-NOT: rest

// Of several numbers made of one process's loads, that process makes one and sends it: a mean's
// divisor is made of two offsets.
// RUN: heddle compile %examples/embedding/bag_mean.mlir --machine=dae --emit=aref | FileCheck %s --check-prefix=MEAN
// MEAN: aref.ring "numbers.{{[0-9]+}}" depth 64 : !aref.ring<[f32]>
// MEAN: aref.process "execute"
// MEAN-NOT: tile.unsplat
// MEAN: arith.divf

// An index that is made of what the kernel writes is not known ahead, nor is what it addresses.
// RUN: heddle compile %s --machine=dae --emit=sched 2> %t.err | FileCheck %s --check-prefix=LEFT
// RUN: FileCheck %s --check-prefix=WHY < %t.err
// LEFT: "load_state" on "execute" {{.*}} in "execute" {because = "reads what 'store_state' may write"}
// LEFT: "load_table" on "execute" {{.*}} in "execute" {because = "needs an address or a bound from 'load_state', which does not read ahead"}
// LEFT: "load_next" on "access" {{.*}} in "read_next" via "next"
// WHY: remark: 'load_state' stays with who computes: it reads what 'store_state' may write [role-left]
// WHY: remark: 'load_table' stays with who computes: it needs an address or a bound from 'load_state', which does not read ahead [role-left]
// WHY-NOT: remark
tile.kernel @walk(%state: !tile.view<?xi32>, %next: !tile.view<?xi32>, %table: !tile.view<?xf32>,
                  %out: !tile.view<?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.parallel (%i) to (%c1) {
    scf.for %step = %c0 to %steps step %c1 {
      %s = tile.load %state[%c0] : !tile.view<?xi32> -> tensor<1xi32>
      %s_i = tile.unsplat %s : tensor<1xi32> -> i32
      %place = arith.index_cast %s_i : i32 to index
      %x = tile.load %table[%place] : !tile.view<?xf32> -> tensor<1xf32>
      tile.store %x, %out[%step] : tensor<1xf32>, !tile.view<?xf32>
      %n = tile.load %next[%step] : !tile.view<?xi32> -> tensor<1xi32>
      tile.store %n, %state[%c0] : tensor<1xi32>, !tile.view<?xi32>
    }
  }
}

// Right all the same.
// RUN: %python %S/../Simulator/Inputs/role_tables.py %s --scalar steps=5 --view state=1xi32 --values state=2 \
// RUN:   --view next=5xi32 --values next=1,4,0,3,2 --view table=5 --view out=5 | FileCheck %s --check-prefix=RIGHT
// RIGHT: 2 loops: 27 plans, 270 runs agree with the oracle

// Whatever the program, its plan is one that can be carried out: masks of addresses go through rings too.
// RUN: heddle simulate %examples/gather_rows.mlir --set BN=32 --machine=dae --order=adversarial --view x=100x64 --view from=1xi32 \
// RUN:   --view to=1xi32 --view y=300x64 --scalar x_rows=100 --scalar y_rows=300 --scalar columns=64 | FileCheck %s --check-prefix=EQUAL
// RUN: heddle simulate %examples/softmax.mlir --machine=dae --order=random --view x=33x200 --view y=33x200 | FileCheck %s --check-prefix=EQUAL
// RUN: heddle simulate %examples/conv/patches.mlir --machine=dae --order=random --view x=2x9x9x16 --view f=3x3x16x32 --view y=2x7x7x32 | FileCheck %s --check-prefix=EQUAL
// EQUAL: y: equal to the oracle
