//===- TileOps.td - The tile rung: a sequential program over tiles ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/rationale/tile.md holds the table {TTIR operation -> tile op |
// composition | refused} and the meaning of each op. Element-wise arithmetic is
// arith and math on tensors; control flow is scf.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_OPS
#define HEDDLE_TILE_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Tile_ParamOp : Tile_Op<"param", [Symbol]> {
  let summary = "declares a named shape parameter and its legal values";
  let description = [{
    `tile.param @BM : {64, 128, 192, 256} = 128`: the value after `=` is used
    where the command line sets none. `instantiate` fixes it. Values at equal
    distances are a range, `{8, 16 to 256 step 16}`, both ends included.

    A parameter that the step of a loop or the number of instances depends on is
    a *tile shape*: any of its values covers its axis, so a compiler may choose.
    The others belong to the problem, like the depth of a head.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DenseI64ArrayAttr:$values, I64Attr:$init);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_ParamValueOp : Tile_Op<"param_value", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a named shape parameter";
  let arguments = (ins FlatSymbolRefAttr:$param);
  let results = (outs Index:$result);
  let assemblyFormat = "$param attr-dict `:` type($result)";
}

def Tile_KernelOp : Tile_Op<"kernel", [Symbol, IsolatedFromAbove,
    SingleBlock, NoTerminator, AutomaticAllocationScope,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one kernel";
  let description = [{
    Arguments are views, pointers and scalars. Before `distribute` the body is
    scalar shape arithmetic and one `tile.parallel`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrArrayAttr>:$arg_names);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntry() { return getBody().front(); }
    /// The name of argument `i` as the user wrote it ("a"), else "arg<i>".
    std::string getArgName(unsigned i);
  }];
}

def Tile_ParallelOp : Tile_Op<"parallel", [SingleBlock, NoTerminator,
    RecursiveMemoryEffects]> {
  let summary = "independent instances of a tile program";
  let description = [{
    `tile.parallel (%i, %j) to (%m, %n) { ... }`: the body runs once for each
    index tuple in [0, m) x [0, n); no instance may read what another writes.
    `distribute` maps instances to thread blocks.
  }];
  let arguments = (ins Variadic<Index>:$bounds);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_WorkerIdOp : Tile_Op<"worker_id", [Pure]> {
  let summary = "which of the persistent workers this is (0 in the oracle)";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_WorkerCountOp : Tile_Op<"worker_count", [Pure]> {
  let summary = "how many persistent workers share the instances (1 in the oracle)";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "the extent of a view along an axis";
  let arguments = (ins Tile_View:$view, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$view `,` $axis attr-dict `:` qualified(type($view))";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_LoadOp : Tile_Op<"load", [MemoryEffects<[MemRead]>,
    AttrSizedOperandSegments]> {
  let summary = "reads a tile of a view";
  let description = [{
    `tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<128x64xf16>`.
    Coordinates are in elements and may be negative; elements outside are zero.

    A tile of fewer axes than the view covers the view's last axes, and is one
    element wide along the others: `%q[%head, %row, %k]` of a view of three axes
    into a tensor<128x64xf16>.

    With `rows %r : tensor<128x1xi64>` row i of the tile lies r[i] elements
    further in memory than the view has it. Where r[i] is the least i64 there is
    no row, and its elements are zero. So rows that memory names are read: each
    is an array of its own, and the view says how long it is.
  }];
  let arguments = (ins Tile_View:$view, Variadic<Index>:$offsets,
                       Optional<Tile_AnyTile>:$rows);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`rows` $rows^ `:` type($rows))? attr-dict
    `:` qualified(type($view)) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$view,
      "::mlir::ValueRange":$offsets), [{
    build($_builder, $_state, result, view, offsets, ::mlir::Value());
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tied;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a tile of a view; elements outside are dropped";
  let description = "Axes that the tile lacks are treated as by `tile.load`.";
  let arguments = (ins Tile_AnyTile:$value, Tile_View:$view, Variadic<Index>:$offsets);
  let assemblyFormat = [{
    $value `,` $view `[` $offsets `]` attr-dict `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = Tile_Answer.tiedToNothing;
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tile whose elements are all one scalar";
  let arguments = (ins AnyType:$value);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tiedToNothing;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "converts the elements of a tile or a scalar";
  let description = [{
    Between floating-point types (round to nearest even; the same type is the
    identity), so that one text serves several element types.
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = Tile_Answer.byElement;
}

def Tile_BitReverseOp : Tile_Op<"bit_reverse", [Pure, SameOperandsAndResultType]> {
  let summary = "the bits of each integer in the opposite order";
  let arguments = (ins AnyTypeOf<[AnySignlessInteger,
                                  RankedTensorOf<[AnySignlessInteger]>]>:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let extraClassDeclaration = Tile_Answer.byElement;
}

def Tile_StageOp : Tile_Op<"stage", [Pure, SameOperandsAndResultType]> {
  let summary = "the same tile, in the memory that products read";
  let description = [{
    Says nothing about values. Threads that made a tile put it where the unit of
    products takes its operands from, an operation with a place in the schedule
    like any other. `tile-stage-operands` inserts it.
  }];
  let arguments = (ins Tile_AnyTile:$value);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let extraClassDeclaration = !strconcat(Tile_Answer.byElement, Tile_Answer.linear, [{
    double elementCycles(const ::heddle::machine::Costs &costs);
  }]);
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "acc + a . b";
  let description = [{
    `tile.dot %a, %b, %acc : tensor<MxKxT>, tensor<KxNxT> -> tensor<MxNxU>`.
    Products are exact in the accumulator's type; the order of summation is free.
    With a third axis in front, in all three tiles, there is a product at each of
    its places; `tile-split-batches` makes these dots of their own.

    Units that sum products may drop low bits of the running sum.
    `max_imprecise_acc = n` allows that for n products at most, then the sum is
    added to acc in acc's own precision. Absent or 0 means 128 where floats of 8
    bits are summed in f32 by a unit that keeps few bits of a sum (Hopper's), or
    as many as one dot has, if these are more; otherwise it sets no limit.
    `fast_sums = true` leaves the running sum to the unit.

    With `tf32`, which is for operands of f32, only the sign, the exponent and
    the upper 10 bits of the fraction of each element count.
  }];
  let arguments = (ins Tile_AnyTile:$a, Tile_AnyTile:$b, Tile_AnyTile:$acc,
                       OptionalAttr<I64Attr>:$max_imprecise_acc,
                       OptionalAttr<BoolAttr>:$fast_sums,
                       UnitAttr:$tf32);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// How many products a unit may sum by itself, if it drops bits; 0: any
    /// number. The extents are numbers.
    int64_t mostSummedProducts();
  }];
  let hasVerifier = 1;
}

def Tile_ExpandDimsOp : Tile_Op<"expand_dims", [Pure]> {
  let summary = "inserts an axis of extent 1";
  let arguments = (ins Tile_AnyTile:$value, I64Attr:$axis);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value `,` $axis attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.free, Tile_Answer.linear, Tile_Answer.tied);
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats a tile along its axes of extent 1";
  let arguments = (ins Tile_AnyTile:$value);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.free, Tile_Answer.linear, Tile_Answer.tied);
}

include "heddle/Dialect/Tile/TileShapeOps.td"
include "heddle/Dialect/Tile/TileCombineOps.td"
include "heddle/Dialect/Tile/TilePointerOps.td"
include "heddle/Dialect/Tile/TileDebugOps.td"
include "heddle/Dialect/Tile/TileViewOps.td"
include "heddle/Dialect/Tile/TileProgramOps.td"

#endif // HEDDLE_TILE_OPS
