// A library of einsums has one program, for which its header is named.
// RUN: %expect 3 heddle compile %s --emit=library --machine=cpu-epyc -o %t
// expect: heddle: error: a library of einsums has one program; this file has 2 [kernel-choice]
!v = tensor<?xf32>
einsum.program @a(%x: !v, %y: !v) {
  %z = einsum.statement (i) += %x(i) * %y(i) : !v, !v -> !v
  einsum.return %z : !v
}
einsum.program @b(%x: !v, %y: !v) {
  %z = einsum.statement (i) += %x(i) + %y(i) : !v, !v -> !v
  einsum.return %z : !v
}
