//===- TileProgramOps.td - Programs of several kernels --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TileOps.td. Memory that is private to an instance, and programs
// that launch kernels one after the other with allocations between them, whose
// sizes may be numbers that a kernel wrote: count, sum, allocate, fill. They are
// what results of unknown size need, sparse ones for example.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_PROGRAM_OPS
#define HEDDLE_TILE_PROGRAM_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ScratchOp : Tile_Op<"scratch", [HasParent<"KernelOp">]> {
  let summary = "memory of its own for each instance";
  let description = [{
    `%w = tile.scratch %n : !tile.ptr<f32>`: n elements that are zero when an
    instance begins and that it leaves zero, so that a worker needs one copy
    and never clears it. Stands in the kernel, before tile.parallel.
  }];
  let arguments = (ins Index:$count);
  let results = (outs Tile_Ptr:$result);
  let assemblyFormat = "$count attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ProgramOp : Tile_Op<"program", [Symbol, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "kernels launched one after the other";
  let description = [{
    `tile.program @p(%n: index, %x: !tile.ptr<f32>) { ... }` holds arithmetic on
    `index`, allocations, launches and a `tile.give`. Each launch sees what
    those before it wrote.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrArrayAttr>:$arg_names);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntry() { return getBody().front(); }
    std::string getArgName(unsigned i);
  }];
}

def Tile_AllocateOp : Tile_Op<"allocate", [HasParent<"ProgramOp">]> {
  let summary = "an array, all zero if it says so";
  let arguments = (ins Index:$count, UnitAttr:$zeroed);
  let results = (outs Tile_Ptr:$result);
  let assemblyFormat = "$count (`zeroed` $zeroed^)? attr-dict `:` qualified(type($result))";
}

def Tile_ReadOp : Tile_Op<"read", [HasParent<"ProgramOp">]> {
  let summary = "an element of an array, as a number";
  let arguments = (ins Tile_Ptr:$ptr, Index:$index);
  let results = (outs Index:$result);
  let assemblyFormat = "$ptr `[` $index `]` attr-dict `:` qualified(type($ptr))";
  let hasVerifier = 1;
}

def Tile_LimitOp : Tile_Op<"limit", [HasParent<"ProgramOp">]> {
  let summary = "ends the program with a sentence if a number is too large";
  let arguments = (ins Index:$value, I64Attr:$most, StrAttr:$what);
  let assemblyFormat = "$value `to` $most `for` $what attr-dict";
}

def Tile_LaunchOp : Tile_Op<"launch", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs all instances of a kernel";
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$operands);
  let assemblyFormat = "$kernel `(` $operands `)` attr-dict `:` type($operands)";
}

def Tile_GiveOp : Tile_Op<"give", [HasParent<"ProgramOp">, Terminator,
    SameVariadicOperandSize]> {
  let summary = "the arrays that a program gives back, and their lengths";
  let arguments = (ins StrArrayAttr:$names, Variadic<Tile_Ptr>:$arrays,
                       Variadic<Index>:$counts);
  let assemblyFormat = "$names (`:` $arrays^ `counts` $counts `:` qualified(type($arrays)))? attr-dict";
  let hasVerifier = 1;
}

#endif // HEDDLE_TILE_PROGRAM_OPS
