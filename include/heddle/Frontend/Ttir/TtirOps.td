//===- TtirOps.td - The tt dialect, as far as TTIR text needs it ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the text of TTIR of Triton 3.6 and 3.8 says, and no more: the operations
// are read and converted to tile, never transformed, so they have no verifiers
// of their own (what is wrong shows when the tile operation is made) and words
// such as `relaxed` stay words. An operation that is not here is refused by name
// (lib/Frontend/Ttir/UnknownOps.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FRONTEND_TTIR_OPS
#define HEDDLE_FRONTEND_TTIR_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tt_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::heddle::ttir";
  let summary = "Triton's tile IR, read only";
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Tt_Ptr : TypeDef<Tt_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "an address in global memory";
  let parameters = (ins "::mlir::Type":$pointee, DefaultValuedParameter<"int64_t", "1">:$space);
  let assemblyFormat = "`<` $pointee (`,` $space^)? `>`";
}

def Tt_TensorDesc : TypeDef<Tt_Dialect, "TensorDesc"> {
  let mnemonic = "tensordesc";
  let summary = "an array in global memory and the block that one access moves";
  let description = [{
    `!tt.tensordesc<tensor<128x64xf16>>` up to Triton 3.6, and
    `!tt.tensordesc<128x64xf16>` from 3.7.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$block);
  let hasCustomAssemblyFormat = 1;
}

class Tt_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tt_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Tt_FuncOp : Tt_Op<"func", [AffineScope, AutomaticAllocationScope,
    IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "a kernel";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    /// The name of argument `index`: what the Python function calls it where
    /// the text has locations, else what the text calls the value.
    std::string getArgName(unsigned index);
  }];
}

def Tt_ReturnOp : Tt_Op<"return", [Pure, ReturnLike, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Tt_CallOp : Tt_Op<"call"> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class Tt_GridOp<string mnemonic> : Tt_Op<mnemonic, [Pure]> {
  let arguments = (ins StrAttr:$axis);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<Word>($axis) attr-dict `:` type($result)";
}
def Tt_GetProgramIdOp : Tt_GridOp<"get_program_id">;
def Tt_GetNumProgramsOp : Tt_GridOp<"get_num_programs">;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def Tt_MakeRangeOp : Tt_Op<"make_range", [Pure]> {
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

/// `tt.NAME %x {...} : T -> U`.
class Tt_UnaryOp<string mnemonic, dag extra = (ins)> : Tt_Op<mnemonic, [Pure]> {
  let arguments = !con((ins AnyType:$src), extra);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}
def Tt_SplatOp : Tt_UnaryOp<"splat">;
def Tt_BroadcastOp : Tt_UnaryOp<"broadcast">;
def Tt_ExpandDimsOp : Tt_UnaryOp<"expand_dims", (ins I32Attr:$axis)>;
def Tt_TransOp : Tt_UnaryOp<"trans", (ins DenseI32ArrayAttr:$order)>;
def Tt_IntToPtrOp : Tt_UnaryOp<"int_to_ptr">;
def Tt_PtrToIntOp : Tt_UnaryOp<"ptr_to_int">;
def Tt_BitcastOp : Tt_UnaryOp<"bitcast">;

def Tt_ReshapeOp : Tt_Op<"reshape", [Pure]> {
  let arguments = (ins AnyRankedTensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
}

def Tt_UnsplatOp : Tt_Op<"unsplat", [Pure]> {
  let arguments = (ins AnyRankedTensor:$src);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
}

class Tt_PairOp<string mnemonic> : Tt_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}
def Tt_CatOp : Tt_PairOp<"cat">;
def Tt_JoinOp : Tt_PairOp<"join">;

def Tt_SplitOp : Tt_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyRankedTensor:$src);
  let results = (outs AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($lhs)";
}

def Tt_GatherOp : Tt_Op<"gather", [Pure]> {
  let arguments = (ins AnyRankedTensor:$src, AnyRankedTensor:$indices, I32Attr:$axis);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

def Tt_HistogramOp : Tt_Op<"histogram", [Pure]> {
  let arguments = (ins AnyRankedTensor:$src, Optional<AnyRankedTensor>:$mask);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
}

def Tt_FpToFpOp : Tt_Op<"fp_to_fp", [Pure]> {
  let arguments = (ins AnyType:$src, OptionalAttr<StrAttr>:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` custom<Word>($rounding)^)? `:` type($src) `->` type($result)
  }];
}

def Tt_ClampFOp : Tt_Op<"clampf", [Pure, AllTypesMatch<["x", "min", "max", "result"]>]> {
  let arguments = (ins AnyType:$x, AnyType:$min, AnyType:$max, StrAttr:$propagateNan);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` custom<Word>($propagateNan) attr-dict
    `:` type($result)
  }];
}

def Tt_PreciseSqrtOp : Tt_Op<"precise_sqrt", [Pure, AllTypesMatch<["x", "result"]>]> {
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class Tt_BinaryOp<string mnemonic>
    : Tt_Op<mnemonic, [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let arguments = (ins AnyType:$x, AnyType:$y);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}
def Tt_PreciseDivFOp : Tt_BinaryOp<"precise_divf">;
def Tt_MulhiUIOp : Tt_BinaryOp<"mulhiui">;

def Tt_ExternElementwiseOp : Tt_Op<"extern_elementwise"> {
  let arguments = (ins Variadic<AnyType>:$operands, StrAttr:$libname, StrAttr:$libpath,
                       StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs AnyType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}

def Tt_InlineAsmOp : Tt_Op<"elementwise_inline_asm"> {
  let arguments = (ins StrAttr:$text, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$text attr-dict ($values^ `:` type($values))? `->` type($results)";
}

def Tt_DotOp : Tt_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c,
                       OptionalAttr<StrAttr>:$inputPrecision,
                       OptionalAttr<I32Attr>:$maxNumImpreciseAcc);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` custom<Word>($inputPrecision)^)? attr-dict
    `:` type($a) `*` type($b) `->` type($result)
  }];
}

// A tile of numbers of few bits, each with one scale for 32 along K; of 4 bits,
// two are a byte.
def Tt_DotScaledOp : Tt_Op<"dot_scaled",
    [Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c,
                       Optional<AnyRankedTensor>:$a_scale, Optional<AnyRankedTensor>:$b_scale,
                       StrAttr:$a_elem_type, StrAttr:$b_elem_type, BoolAttr:$fastMath,
                       DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
                       DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c
    `lhs` `=` custom<Word>($a_elem_type) `rhs` `=` custom<Word>($b_elem_type) attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

def Tt_ReduceOp : Tt_Op<"reduce", [SingleBlock, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$combiner);
}
def Tt_ScanOp : Tt_Op<"scan", [SingleBlock, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
}
class Tt_RegionReturnOp<string mnemonic> : Tt_Op<mnemonic, [Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
def Tt_MapElementwiseOp : Tt_Op<"map_elementwise", [RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region AnyRegion:$body);
}
def Tt_ReduceReturnOp : Tt_RegionReturnOp<"reduce.return">;
def Tt_ScanReturnOp : Tt_RegionReturnOp<"scan.return">;
def Tt_MapElementwiseReturnOp : Tt_RegionReturnOp<"map_elementwise.return">;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Tt_AddPtrOp : Tt_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let arguments = (ins AnyType:$ptr, AnyType:$offset);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
}

def Tt_LoadOp : Tt_Op<"load", [AttrSizedOperandSegments, MemoryEffects<[MemRead]>]> {
  let arguments = (ins AnyType:$ptr, Optional<AnyType>:$mask, Optional<AnyType>:$other,
                       UnitAttr:$isVolatile);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
}
def Tt_StoreOp : Tt_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins AnyType:$ptr, AnyType:$value, Optional<AnyType>:$mask);
  let hasCustomAssemblyFormat = 1;
}

def Tt_AtomicRmwOp : Tt_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$kind, StrAttr:$order, StrAttr:$scope, AnyType:$ptr,
                       AnyType:$value, Optional<AnyType>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Word>($kind) `,` custom<Word>($order) `,` custom<Word>($scope) `,`
    $ptr `,` $value (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}
def Tt_AtomicCasOp : Tt_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$order, StrAttr:$scope, AnyType:$ptr, AnyType:$expected,
                       AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<Word>($order) `,` custom<Word>($scope) `,` $ptr `,` $expected `,` $value attr-dict
    `:` functional-type(operands, $result)
  }];
}

def Tt_MakeTensorDescOp : Tt_Op<"make_tensor_descriptor", [Pure, AttrSizedOperandSegments]> {
  let arguments = (ins Tt_Ptr:$base, Variadic<AnyInteger>:$shape, Variadic<I64>:$strides,
                       OptionalAttr<I32Attr>:$padding);
  let results = (outs Tt_TensorDesc:$result);
  let hasCustomAssemblyFormat = 1;
}
def Tt_DescriptorLoadOp : Tt_Op<"descriptor_load", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins Tt_TensorDesc:$desc, Variadic<AnyInteger>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
}
def Tt_DescriptorStoreOp : Tt_Op<"descriptor_store", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins Tt_TensorDesc:$desc, AnyRankedTensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
}
def Tt_DescriptorReduceOp : Tt_Op<"descriptor_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$kind, Tt_TensorDesc:$desc, AnyRankedTensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    custom<Word>($kind) `,` $desc `[` $indices `]` `,` $src attr-dict
    `:` qualified(type($desc)) `,` type($src)
  }];
}
def Tt_DescriptorGatherOp : Tt_Op<"descriptor_gather", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins Tt_TensorDesc:$desc, AnyRankedTensor:$rows, I32:$column);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` attr-dict `:` functional-type(operands, results)
  }];
}
def Tt_DescriptorScatterOp : Tt_Op<"descriptor_scatter", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins Tt_TensorDesc:$desc, AnyRankedTensor:$rows, I32:$column,
                       AnyRankedTensor:$src);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` `,` $src attr-dict `:` type(operands)
  }];
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

def Tt_AssertOp : Tt_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins AnyType:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}
def Tt_PrintOp : Tt_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<AnyType>:$values,
                       OptionalAttr<DenseI32ArrayAttr>:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $values^ `:` type($values))?";
}

#endif // HEDDLE_FRONTEND_TTIR_OPS
