// --set names an alias of a type and one of an attribute.
// RUN: %expect 3 heddle compile %s --set kind=f32
// expect: heddle: error: setting-ambiguous.mlir: 'kind' may mean !kind or #kind; write it with its sigil [setting]
!kind = f16
#kind = 1 : i64
tile.kernel @k(%a: !tile.view<?x!kind>) {
}
