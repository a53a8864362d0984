//===- TileAssemblyOps.td - Instructions of one machine, as text ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the other operations, since few know it: who asks no more than
// TileOpInterface treats it like arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_ASSEMBLY_OPS
#define HEDDLE_TILE_ASSEMBLY_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_InlineAsmOp : Tile_Op<"inline_asm", [Pure]> {
  let summary = "instructions of one machine, for a few elements at a time";
  let description = [{
    `tile.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" pack 1 (%x) : (T) -> T`:
    PTX for `pack` elements of each operand, whichever these are, so each
    element of a result depends on those at its place alone. Elements of fewer
    than 32 bits share registers of 32, the first in the lowest bits. Only
    instructions that compute registers from registers are taken
    (Dialect/Tile/Assembly.h). No oracle and no other machine runs it.
  }];
  let arguments = (ins Variadic<AnyType>:$values, StrAttr:$text, StrAttr:$constraints,
                       I64Attr:$pack);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $text `,` $constraints `pack` $pack `(` $values `)` attr-dict
    `:` functional-type($values, $results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.byElement;
}

#endif // HEDDLE_TILE_ASSEMBLY_OPS
