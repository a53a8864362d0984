//===- TaskOps.td - Tasks and their mapping -----------------------*- tablegen -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of tasks in two texts: variants, which say what is computed with
// which privileges, and a mapping, which says where and with which numbers.
// docs/rationale/task.md has the meaning of each operation. The dialect is
// read and converted to tile (lib/Frontend/Tasks); no rung below knows it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TASK_OPS
#define HEDDLE_TASK_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Task_Dialect : Dialect {
  let name = "task";
  let cppNamespace = "::heddle::task";
  let summary = "Tasks with privileges, and a mapping that cannot make them wrong";
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Task_Shaped<string name, string typeMnemonic> : TypeDef<Task_Dialect, name> {
  let mnemonic = typeMnemonic;
  let parameters = (ins "int64_t":$rank, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Task_Tensor : Task_Shaped<"Array", "tensor"> {
  let summary = "a tensor, or a piece of one: `!task.tensor<?x?xf16>`";
  let description = [{
    Extents are no part of the type. Coordinates of a piece count from its own
    origin.
  }];
}

def Task_Partition : Task_Shaped<"Partition", "partition"> {
  let summary = "a tensor cut into blocks, whose pieces `task.piece` names";
}

class Task_Op<string mnemonic, list<Trait> traits = []>
    : Op<Task_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// The logical program
//===----------------------------------------------------------------------===//

def Task_VariantOp : Task_Op<"variant", [Symbol, IsolatedFromAbove, SingleBlock,
    NoTerminator, HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one way to do a task";
  let description = [{
    ```
    task.variant @step of @product leaf(reads %a: !task.tensor<?x?xf16>,
                                        reads writes %s: !task.tensor<?x?xf32>, %n: index) {
    ```
    Variants of one task have one signature; the mapping chooses among them. An
    `inner` variant computes indices, cuts tensors and launches tasks; it
    touches no element. Iterations of a prange may share a piece that each only
    `reduces(add)`, `(min)` or `(max)`: what a leaf writes to it is added to what
    is there, or is the lesser or greater of both. A `leaf` reads its tensors as tiles, computes with
    operations of the tile rung, and writes tiles; it launches nothing.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$task,
                       UnitAttr:$leaf, DenseI64ArrayAttr:$privileges,
                       StrArrayAttr:$arg_names);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntry() { return getBody().front(); }
    ::mlir::TypeRange getArgumentTypes() { return getBody().getArgumentTypes(); }
    ::llvm::StringRef getArgName(unsigned index) {
      return ::mlir::cast<::mlir::StringAttr>(getArgNames()[index]).getValue();
    }
    bool mayRead(unsigned index) { return getPrivileges()[index] & 1; }
    bool mayWrite(unsigned index) { return getPrivileges()[index] & 2; }
    /// kReducesAdd and the like; 0 for none.
    int64_t getReduction(unsigned index) { return getPrivileges()[index] & ~3; }
  }];
}

def Task_TunableOp : Task_Op<"tunable", [Pure]> {
  let summary = "a number that the mapping binds at compile time";
  let arguments = (ins StrAttr:$tunable);
  let results = (outs Index:$result);
  let assemblyFormat = "$tunable attr-dict";
}

def Task_ExtentOp : Task_Op<"extent", [Pure]> {
  let summary = "the extent of a tensor along an axis; of a block, the block's";
  let description = [{
    A block at the edge has its full extent here, whatever of it lies inside:
    elements outside read as zero and are not written (`task.inside` counts
    those inside).
  }];
  let arguments = (ins Task_Tensor:$tensor, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `,` $axis attr-dict `:` qualified(type($tensor))";
  let hasVerifier = 1;
}

def Task_InsideOp : Task_Op<"inside", [Pure]> {
  let summary = "how many elements of a piece along an axis lie inside its tensor";
  let arguments = (ins Task_Tensor:$tensor, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `,` $axis attr-dict `:` qualified(type($tensor))";
  let hasVerifier = 1;
}

def Task_ElementOp : Task_Op<"element"> {
  let summary = "a number of a list that only the device knows, as an index";
  let description = [{
    `task.element %groups[%i] : !task.tensor<?xi32>`: of an argument that its
    variant only reads. The number may choose a block; which blocks are written
    it cannot, since two of them may be one.
  }];
  let arguments = (ins Task_Tensor:$tensor, Index:$place);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `[` $place `]` attr-dict `:` qualified(type($tensor))";
  let hasVerifier = 1;
}

def Task_MakeOp : Task_Op<"make"> {
  let summary = "a tensor of this execution of the variant, undefined at first";
  let arguments = (ins Variadic<Index>:$extents);
  let results = (outs Task_Tensor:$result);
  let assemblyFormat = "`[` $extents `]` attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Task_BlocksOp : Task_Op<"blocks", [Pure]> {
  let summary = "cuts a tensor into blocks";
  let description = [{
    `task.blocks %a by [%u, all] : !task.tensor<?x?xf16>`: an extent for each
    axis that is cut, `all` for one that is left whole.
  }];
  let arguments = (ins Task_Tensor:$tensor, Variadic<Index>:$extents,
                       DenseBoolArrayAttr:$whole);
  let results = (outs Task_Partition:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The extent of a block along `axis`; null where the axis is whole.
    ::mlir::Value getBlock(int64_t axis);
  }];
}

def Task_CountOp : Task_Op<"count", [Pure]> {
  let summary = "the number of blocks along an axis; the last may be ragged";
  let arguments = (ins Task_Partition:$partition, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$partition `,` $axis attr-dict `:` qualified(type($partition))";
  let hasVerifier = 1;
}

def Task_PieceOp : Task_Op<"piece", [Pure, AttrSizedOperandSegments]> {
  let summary = "one block of a partition, a tensor with coordinates of its own";
  let description = [{
    `task.piece %p[%i, all] : !task.partition<?x?xf16>`. With `when %flag` behind
    the indices it is there only if the flag holds; else what is written to it
    is dropped, as beyond an edge.
  }];
  let arguments = (ins Task_Partition:$partition, Variadic<Index>:$indices,
                       Optional<I1>:$condition, DenseBoolArrayAttr:$whole);
  let results = (outs Task_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    BlocksOp getBlocks();
    /// The block's number along `axis`; null where the axis is whole.
    ::mlir::Value getIndex(int64_t axis);
  }];
}

def Task_SrangeOp : Task_Op<"srange", [SingleBlock, NoTerminator]> {
  let summary = "iterations in order: `task.srange %k to %n { ... }`";
  let arguments = (ins Index:$bound);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Task_PrangeOp : Task_Op<"prange", [SingleBlock, NoTerminator]> {
  let summary = "iterations that do not see one another";
  let description = [{
    `task.prange (%i, %j) to (%m, %n) { ... }`: no iteration writes what another
    reads or writes, which is proved. The meaning is that of the iterations in
    order.
  }];
  let arguments = (ins Variadic<Index>:$bounds);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Task_LaunchOp : Task_Op<"launch"> {
  let summary = "does a task, by the variant that the mapping chooses";
  let arguments = (ins FlatSymbolRefAttr:$task, Variadic<AnyType>:$arguments);
  let assemblyFormat = [{
    $task `(` $arguments `)` attr-dict (`:` qualified(type($arguments))^)?
  }];
}

def Task_ReadOp : Task_Op<"read"> {
  let summary = "the elements of a leaf's tensor as a tile";
  let description = [{
    `task.read %a : !task.tensor<?x?xf16> -> tensor<?x?xf16, #tile.shape<"M", "K">>`.
    Names stand for the extents of what the leaf is launched with: each is one
    number throughout the leaf.
  }];
  let arguments = (ins Task_Tensor:$tensor);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor attr-dict `:` qualified(type($tensor)) `->` type($result)";
  let hasVerifier = 1;
}

def Task_WriteOp : Task_Op<"write"> {
  let summary = "a tile becomes the elements of a leaf's tensor, all of them";
  let arguments = (ins AnyRankedTensor:$value, Task_Tensor:$tensor);
  let assemblyFormat = [{
    $value `,` $tensor attr-dict `:` type($value) `,` qualified(type($tensor))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The mapping
//===----------------------------------------------------------------------===//

def Task_MappingOp : Task_Op<"mapping", [Symbol, SingleBlock, NoTerminator,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "where the tasks run: instances, and lines for the whole kernel";
  let description = [{
    The entry is an instance on the host. It may be a kernel of tile text, too:
    then there are no instances, `task.tune` sets the kernel's parameters, and
    pins speak of its plan.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$entry);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `entry` $entry attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Task_InstanceOp : Task_Op<"instance", [HasParent<"MappingOp">, SingleBlock,
    NoTerminator]> {
  let summary = "one use of a variant at one place of the tree";
  let description = [{
    ```
    task.instance @block runs @product_block on block
        memories [global, global, global] calls [@clear, @step, @copy] {
      task.tune "W" = 64
      task.pin "pipeline" = 4
    }
    ```
    Levels are host, block, warpgroup, warp, thread; memories, one for each
    tensor argument, are global, shared, register, none.
  }];
  let arguments = (ins StrAttr:$sym, FlatSymbolRefAttr:$variant, StrAttr:$level,
                       StrArrayAttr:$memories, ArrayAttr:$calls);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Task_TuneOp : Task_Op<"tune", [ParentOneOf<["InstanceOp", "MappingOp"]>]> {
  let summary = "binds a tunable: `= 64`, or a set to choose from `= 64 of {32, 64}`";
  let arguments = (ins StrAttr:$tunable, I64Attr:$value,
                       OptionalAttr<DenseI64ArrayAttr>:$choices);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Task_PinOp : Task_Op<"pin", [ParentOneOf<["InstanceOp", "MappingOp"]>]> {
  let summary = "fixes a decision that the compiler would make";
  let description = [{
    `task.pin "pipeline" = 4`. docs/tasks.md lists what can be pinned; what can
    not is refused by name.
  }];
  let arguments = (ins StrAttr:$pin, OptionalAttr<StrAttr>:$argument, AnyAttr:$value);
  let assemblyFormat = "$pin (`of` $argument^)? `=` $value attr-dict";
}

#endif // HEDDLE_TASK_OPS
