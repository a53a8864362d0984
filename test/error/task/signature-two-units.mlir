// The texts of two programs in one file, with one name for two variants.
// RUN: %expect 3 heddle compile %s -o %t.ptx
// expect: 10:1: error: redefinition of symbol named 'twice' [not-well-formed]
// expect: 6:1: note: see existing symbol definition here
!t = !task.tensor<?x?xf32>
task.variant @twice of @scale leaf(reads %x: !t, writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %a, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.variant @twice of @scale leaf(reads %x: !t, writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %a, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
