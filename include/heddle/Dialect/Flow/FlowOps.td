//===- FlowOps.td - Streams of coordinates, references and values --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stream rung: a graph of primitives, each of which turns streams of tokens
// into streams of tokens. Its operations are few, and they take regions of
// scalar operations, so that functions and semirings need nothing new.
// docs/rationale/flow.md has the meaning of each, token by token.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FLOW_OPS
#define HEDDLE_FLOW_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let cppNamespace = "::heddle::flow";
  let summary = "Graphs of streams that walk sparse tensors";
  let dependentDialects = ["::mlir::sparse_tensor::SparseTensorDialect"];
  let useDefaultTypePrinterParser = 1;
}

def Flow_Stream : TypeDef<Flow_Dialect, "Stream"> {
  let mnemonic = "stream";
  let summary = "tokens: what they carry, and the fibers that their stops close";
  let description = [{
    `!flow.stream<crd [i, k]>` carries coordinates, `ref` positions in the next
    level, `f32` or `f64` values. The names in brackets are the spaces whose
    fibers the stream walks, outermost first. Two streams with the same names
    have their tokens side by side; the stop `S_k` closes k + 1 of them.
  }];
  let parameters = (ins "::heddle::flow::StreamKind":$kind,
                        "::mlir::Type":$element,
                        ArrayRefParameter<"::mlir::StringAttr">:$nest);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isCrd() const { return getKind() == StreamKind::Crd; }
    bool isRef() const { return getKind() == StreamKind::Ref; }
    bool isVal() const { return getKind() == StreamKind::Val; }
    int64_t getDepth() const { return int64_t(getNest().size()); }
  }];
}

class Flow_Op<string mnemonic, list<Trait> traits = []>
    : Op<Flow_Dialect, mnemonic, traits>;

def Flow_GraphOp : Flow_Op<"graph", [IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "the streams that carry out an einsum program";
  let description = [{
    `flow.graph @product(%A: tensor<...>, ...) { ... flow.return %C : ... }`
    stands beside the program whose name it has.
  }];
  let arguments = (ins FlatSymbolRefAttr:$program,
                       TypeAttrOf<FunctionType>:$function_type,
                       StrArrayAttr:$arg_names);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntry() { return getBody().front(); }
  }];
}

class Flow_Primitive<string mnemonic, list<Trait> traits = []>
    : Flow_Op<mnemonic, !listconcat([Pure, HasParent<"GraphOp">], traits)> {
  let hasVerifier = 1;
}

def Flow_RootOp : Flow_Primitive<"root"> {
  let summary = "the one reference above the first level of every tensor";
  let results = (outs Flow_Stream:$ref);
  let assemblyFormat = "attr-dict `:` qualified(type($ref))";
}

def Flow_ScanOp : Flow_Primitive<"scan"> {
  let summary = "the coordinates and positions below each reference";
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$level, Flow_Stream:$ref);
  let results = (outs Flow_Stream:$crd, Flow_Stream:$below);
  let assemblyFormat = [{
    $tensor `level` $level `of` $ref attr-dict `:` functional-type(operands, results)
  }];
}

def Flow_RangeOp : Flow_Primitive<"range"> {
  let summary = "all coordinates of an axis, below each token";
  let description = [{
    `flow.range %A axis 1 of %i`: for each token of the stream, the coordinates
    from 0 as far as axis 1 of A goes; below an absent one, none.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$axis, Flow_Stream:$above);
  let results = (outs Flow_Stream:$crd);
  let assemblyFormat = [{
    $tensor `axis` $axis `of` $above attr-dict `:` functional-type(operands, results)
  }];
}

def Flow_RepeatOp : Flow_Primitive<"repeat"> {
  let summary = "each token once for every coordinate of its fiber";
  let arguments = (ins Flow_Stream:$stream, Flow_Stream:$crd);
  let results = (outs Flow_Stream:$repeated);
  let assemblyFormat = [{
    $stream `over` $crd attr-dict `:` functional-type(operands, results)
  }];
}

def Flow_JoinOp : Flow_Primitive<"join", [AttrSizedOperandSegments]> {
  let summary = "the coordinates that all streams have, or that any has";
  let description = [{
    `flow.join "intersect" (%c, %d) carrying (%r, %s) groups [1, 1]`: the first
    coordinates carry one stream, the second another. In a union the tokens that
    an absent coordinate would carry are absent ones.
  }];
  let arguments = (ins StrAttr:$how, Variadic<Flow_Stream>:$crds,
                       Variadic<Flow_Stream>:$carried, DenseI64ArrayAttr:$groups);
  let results = (outs Flow_Stream:$crd, Variadic<Flow_Stream>:$kept);
  let assemblyFormat = [{
    $how `(` $crds `)` `carrying` `(` $carried `)` `groups` $groups attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    bool isIntersection() { return getHow() == "intersect"; }
  }];
}

def Flow_LocateOp : Flow_Primitive<"locate"> {
  let summary = "the position of a coordinate in a dense level";
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$level,
                       Flow_Stream:$ref, Flow_Stream:$crd);
  let results = (outs Flow_Stream:$below);
  let assemblyFormat = [{
    $tensor `level` $level `of` $ref `at` $crd attr-dict
    `:` functional-type(operands, results)
  }];
}

def Flow_ValuesOp : Flow_Primitive<"values"> {
  let summary = "the value at each reference";
  let arguments = (ins AnyRankedTensor:$tensor, Flow_Stream:$ref);
  let results = (outs Flow_Stream:$values);
  let assemblyFormat = [{
    $tensor `of` $ref attr-dict `:` functional-type(operands, results)
  }];
}

def Flow_ComputeOp : Flow_Primitive<"compute", [SingleBlock]> {
  let summary = "a value of several, token by token";
  let description = [{
    An absent operand makes the result absent; with `absent 0.0` it counts as
    that number unless all are absent, and with `absent 0.0 always` also then.
  }];
  let arguments = (ins Variadic<Flow_Stream>:$streams, OptionalAttr<F64Attr>:$absent,
                       UnitAttr:$always);
  let results = (outs Flow_Stream:$values);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $streams `)` (`absent` $absent^)? (`always` $always^)? $body attr-dict
    `:` functional-type(operands, results)
  }];
}

def Flow_ReduceOp : Flow_Primitive<"reduce", [SingleBlock, AttrSizedOperandSegments]> {
  let summary = "the values of a space combined, by the coordinates inside it";
  let description = [{
    Without keys, one value a fiber: absent if the fiber has none. `per %c` are
    the coordinates to which these fibers belong, if there are any: a stop alone
    does not say whether a fiber is empty or not there at all. With keys, a
    workspace as deep as there are keys, which is emptied in order at the end of
    each fiber of the space outside of them. With `empty 0.0` and without keys, a
    fiber that has none gives that number.
  }];
  let arguments = (ins Flow_Stream:$value, Optional<Flow_Stream>:$per,
                       Variadic<Flow_Stream>:$keys, OptionalAttr<F64Attr>:$empty);
  let results = (outs Flow_Stream:$reduced, Variadic<Flow_Stream>:$sorted);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $value (`per` $per^)? (`keys` `(` $keys^ `)`)? (`empty` $empty^)? $body attr-dict
    `:` functional-type(operands, results)
  }];
}

def Flow_ForkOp : Flow_Primitive<"fork"> {
  let summary = "the elements of each fiber dealt out to parallel copies";
  let description = [{
    `flow.fork %c chunk 1 : (...) -> (...)`: of the coordinates of %c, or of what
    stands beside them, each result has its share: `chunk` tokens after one
    another, then the next result has as many, in a circle that goes on from one
    fiber to the next. All have the stops.
  }];
  let arguments = (ins Flow_Stream:$stream, I64Attr:$chunk);
  let results = (outs Variadic<Flow_Stream>:$shares);
  let assemblyFormat = [{
    $stream `chunk` $chunk attr-dict `:` functional-type(operands, results)
  }];
}

def Flow_CollectOp : Flow_Primitive<"collect"> {
  let summary = "what parallel copies made, in the order of what was dealt out";
  let description = [{
    `flow.collect (%a, %b) per %c chunk 1`: %c are the coordinates that flow.fork
    dealt out, and %a and %b what the copies made of their shares, in the same
    space or in spaces below it. The result is what one copy would have made.
  }];
  let arguments = (ins Variadic<Flow_Stream>:$shares, Flow_Stream:$per,
                       I64Attr:$chunk);
  let results = (outs Flow_Stream:$collected);
  let assemblyFormat = [{
    `(` $shares `)` `per` $per `chunk` $chunk attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// Spaces of the result below that which was dealt out.
    int64_t getDepthBelow() {
      return getCollected().getType().getDepth() - getPer().getType().getDepth();
    }
  }];
}

def Flow_YieldOp : Flow_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ComputeOp", "ReduceOp"]>]> {
  let arguments = (ins AnyFloat:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Flow_WriteOp : Flow_Primitive<"write", [AttrSizedOperandSegments]> {
  let summary = "streams become a tensor";
  let description = [{
    One stream of coordinates a level, and the values. Absent values and fibers
    without any are not written to compressed levels. `shape (%A, %B) axes
    [0, 1]`: axis 0 is as long as axis 0 of A, axis 1 as axis 1 of B. `levels
    [1, 0]`: the first stream is of level 1. Several values are those of parallel
    copies, each of which writes its part of the elements: the coordinates are
    then those of the first part, of the second, and so on. Where the tensor has
    compressed levels, elements in another order than theirs are sorted, and
    parts are put together; each moves every element twice more.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Flow_Stream>:$crds,
                       Variadic<Flow_Stream>:$values,
                       Variadic<AnyRankedTensor>:$shape,
                       DenseI64ArrayAttr:$axes,
                       OptionalAttr<DenseI64ArrayAttr>:$levels,
                       OptionalAttr<F64Attr>:$zero);
  let results = (outs AnyRankedTensor:$tensor);
  let assemblyFormat = [{
    $name `(` $crds `)` `values` $values `shape` `(` $shape `)` `axes` $axes
    (`levels` $levels^)? (`zero` $zero^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    size_t getParts() { return getValues().size(); }
    /// The coordinates of a part, one stream a level.
    ::mlir::OperandRange getCrdsOf(size_t part);
    /// The level that each of a part's streams of coordinates is of.
    ::llvm::SmallVector<int64_t> getLevelOrder();
    /// Whether elements are moved once they are written: to be sorted, or for
    /// parts to be put together.
    bool isMoved();
  }];
}

def Flow_ReturnOp : Flow_Op<"return", [HasParent<"GraphOp">, Terminator,
    ReturnLike, Pure]> {
  let summary = "what a graph computes";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` qualified(type($values)))? attr-dict";
}

#endif // HEDDLE_FLOW_OPS
