//===- EinsumOps.td - The einsum rung: statements, and their plans --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rung above tile: statements over tensors whose types say how they are
// stored, without loops and without an order. The plan beside a program holds
// everything that the way down decides, so that it can be read and edited.
// docs/rationale/einsum.md has the meaning of each.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_EINSUM_OPS
#define HEDDLE_EINSUM_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Einsum_Dialect : Dialect {
  let name = "einsum";
  let cppNamespace = "::heddle::einsum";
  let summary = "Sums of products over tensors with formats";
  let dependentDialects = ["::mlir::sparse_tensor::SparseTensorDialect"];
}

class Einsum_Op<string mnemonic, list<Trait> traits = []>
    : Op<Einsum_Dialect, mnemonic, traits>;

def Einsum_ProgramOp : Einsum_Op<"program", [Symbol, IsolatedFromAbove,
    SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "statements, one after the other";
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       StrArrayAttr:$arg_names);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntry() { return getBody().front(); }
  }];
}

def Einsum_StatementOp : Einsum_Op<"statement", [HasParent<"ProgramOp">, Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "one tensor as a sum of products";
  let description = [{
    ```
    %C = einsum.statement (i, k) += %A(i, j) * %B(j, k)
      : tensor<?x?xf32, #csr>, tensor<?x?xf32> -> tensor<?x?xf32>
    ```
    Each term is summed over those of its indices that the result lacks.
    `over "min-plus"` names a semiring other than "plus-times": its first
    operation takes the place of the sum, its second that of the product, and an
    element that is not stored is its zero.
    ```
    %P = einsum.statement (i, j) += 0.125 * %S(i, j) - %m(i) where %S(i, j) then exp
    %Q = einsum.statement (i, j) += %P(i, j) * reciprocal(%d(i)) where %P(i, j)
    ```
    A factor may be a function of elements, a term has a number in front, `where`
    names a tensor where the result has its elements, and `then` what is computed
    of them. Operands are the factors, then what `where` names.
  }];
  let arguments = (ins StrAttr:$name, StrArrayAttr:$output,
                       ArrayAttr:$accesses, DenseI64ArrayAttr:$terms,
                       OptionalAttr<StrAttr>:$semiring,
                       OptionalAttr<ArrayAttr>:$functions,
                       OptionalAttr<DenseF64ArrayAttr>:$coefficients,
                       UnitAttr:$masked, OptionalAttr<StrArrayAttr>:$then,
                       Variadic<AnyRankedTensor>:$operands);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many of the operands are factors: all, or all but the mask.
    unsigned getNumFactors() { return getNumOperands() - getMasked(); }
  }];
}

def Einsum_ReturnOp : Einsum_Op<"return", [HasParent<"ProgramOp">, Terminator,
    ReturnLike]> {
  let summary = "what a program computes";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` qualified(type($values)))? attr-dict";
}

def Einsum_PlanOp : Einsum_Op<"plan", [SingleBlock, NoTerminator]> {
  let summary = "how the statements of a program are carried out";
  let arguments = (ins FlatSymbolRefAttr:$program);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$program attr-dict-with-keyword $body";
}

def Einsum_NestOp : Einsum_Op<"nest", [HasParent<"PlanOp">]> {
  let hasVerifier = 1;
  let summary = "the loops of one term of a statement";
  let description = [{
    ```
    einsum.nest "C" term 0 order ["i", "j", "k"] loops ["dense", "walk A", "dense"]
      parallel "i" chunk 64 vector "k" width 64 into "registers" assemble "none"
    ```
    Loops from the outermost in. `vector` is the axis whose elements lie side by
    side in registers, `width` how many of them; "" and 1 if none. `ahead 5`
    asks for rows that memory names five iterations before their own. `into` is
    where sums grow: "registers", "memory" (the result itself) or "bitmap" (a
    workspace of one row with a bitmap of what is in it). `assemble` is how a
    sparse result gets its positions: "none", "same A" (those of A), "count-fill",
    or "count-scatter" (the elements of one operand, each to the end of its row).
    `because` has a reason for each entry, for the reader.
  }];
  let arguments = (ins StrAttr:$statement, I64Attr:$term, StrArrayAttr:$order,
                       StrArrayAttr:$loops, StrAttr:$parallel, I64Attr:$chunk,
                       StrAttr:$vector, I64Attr:$width,
                       OptionalAttr<I64Attr>:$ahead, StrAttr:$into,
                       StrAttr:$assemble, OptionalAttr<DictionaryAttr>:$because);
  let assemblyFormat = [{
    $statement `term` $term `order` $order `loops` $loops
    `parallel` $parallel `chunk` $chunk `vector` $vector `width` $width
    (`ahead` $ahead^)? `into` $into `assemble` $assemble (`because` $because^)? attr-dict
  }];
}

def Einsum_StreamsOp : Einsum_Op<"streams", [HasParent<"PlanOp">]> {
  let hasVerifier = 1;
  let summary = "how streams carry out a statement";
  let description = [{
    `einsum.streams "C" order ["k", "i", "j"] region 0`: all indices of the
    statement from the outermost in. Statements of one region hand their results
    on as streams; others write and read them. `copies ["A"]`: A is stored in
    another order and is read from a transposed copy; of the result, its elements
    are sorted before they are stored. `parallel ["i", "k"] by [4, 2] chunks
    [1, 8]`: what lies below i is there 4 times, and in each of these what lies
    below k twice; coordinates of i are dealt out one by one, those of k in runs
    of 8. Without `chunks` all are dealt out one by one.
  }];
  let arguments = (ins StrAttr:$statement, StrArrayAttr:$order,
                       OptionalAttr<StrArrayAttr>:$copies,
                       OptionalAttr<StrArrayAttr>:$parallel,
                       OptionalAttr<DenseI64ArrayAttr>:$by,
                       OptionalAttr<DenseI64ArrayAttr>:$chunks,
                       I64Attr:$in_region,
                       OptionalAttr<DictionaryAttr>:$because);
  let assemblyFormat = [{
    $statement `order` $order (`copies` $copies^)?
    (`parallel` $parallel^ `by` $by)? (`chunks` $chunks^)? `region` $in_region
    (`because` $because^)? attr-dict
  }];
}

#endif // HEDDLE_EINSUM_OPS
