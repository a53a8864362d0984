//===- TilePointerOps.td - Pointers, atomics and views of pointers --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TileOps.td. Addresses as values, accesses through tiles of them,
// atomic updates, and views that the program makes of pointers. Triton's
// kernels address memory in this way; `tile-recover-views` turns such accesses
// into those of views where it can, because TMA copies only views.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_POINTER_OPS
#define HEDDLE_TILE_POINTER_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Tile_RmwKind : I32EnumAttr<"RmwKind", "what an atomic update computes", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"FAdd", 1, "fadd">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"UMin", 4, "umin">, I32EnumAttrCase<"UMax", 5, "umax">,
    I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">, I32EnumAttrCase<"Exchange", 9, "exchange">]> {
  let cppNamespace = "::heddle::tile";
  let genSpecializedAttr = 0;
}
def Tile_RmwKindAttr : EnumAttr<Tile_Dialect, Tile_RmwKind, "rmw">;

def Tile_MemoryOrder : I32EnumAttr<"MemoryOrder", "order of an atomic update", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]> {
  let cppNamespace = "::heddle::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemoryOrderAttr : EnumAttr<Tile_Dialect, Tile_MemoryOrder, "memory_order">;

def Tile_Scope : I32EnumAttr<"Scope", "who sees an atomic update", [
    I32EnumAttrCase<"Cta", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">,
    I32EnumAttrCase<"System", 2, "system">]> {
  let cppNamespace = "::heddle::tile";
  let genSpecializedAttr = 0;
}
def Tile_ScopeAttr : EnumAttr<Tile_Dialect, Tile_Scope, "scope">;

//===----------------------------------------------------------------------===//
// Addresses: scalars, or tiles of the same shape as what they are combined with
//===----------------------------------------------------------------------===//

def Tile_PtrAddOp : Tile_Op<"ptr_add", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "the address some elements further";
  let arguments = (ins AnyType:$ptr, AnyType:$offset);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let extraClassDeclaration = !strconcat(Tile_Answer.byElement, Tile_Answer.cycles);
}

class Tile_PtrConversionOp<string mnemonic> : Tile_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.byElement;
}
def Tile_PtrCastOp : Tile_PtrConversionOp<"ptr_cast"> {
  let summary = "the same address as that of another type of element";
}
def Tile_IntToPtrOp : Tile_PtrConversionOp<"int_to_ptr"> {
  let summary = "the address that a 64-bit integer is";
}
def Tile_PtrToIntOp : Tile_PtrConversionOp<"ptr_to_int"> {
  let summary = "an address as a 64-bit integer";
}

def Tile_GatherOp : Tile_Op<"gather", [MemoryEffects<[MemRead]>,
    AttrSizedOperandSegments]> {
  let summary = "reads the elements at some addresses";
  let description = [{
    `tile.gather %p mask %m : tensor<64xi1> other %o : tensor<64xf16>
      : tensor<64x!tile.ptr<f16>> -> tensor<64xf16>`.
    Where the mask is false nothing is read and the element is that of `other`,
    zero without one. A scalar address gives a scalar.
  }];
  let arguments = (ins AnyType:$ptr, Optional<AnyType>:$mask, Optional<AnyType>:$other);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $ptr (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))?
    attr-dict `:` type($ptr) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.byElement;
}

def Tile_ScatterOp : Tile_Op<"scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes elements at some addresses";
  let description = [{
    Where the mask is false nothing is written. Of several elements for one
    address any may stay (in the oracle the last in row-major order).
  }];
  let arguments = (ins AnyType:$value, AnyType:$ptr, Optional<AnyType>:$mask);
  let assemblyFormat = [{
    $value `,` $ptr (`mask` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` type($ptr)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tiedAlike;
}

def Tile_AtomicRmwOp : Tile_Op<"atomic_rmw", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "updates the elements at some addresses, each atomically";
  let description = [{
    `tile.atomic_rmw add, relaxed, gpu, %p, %v : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
      -> tensor<8xi32>`. The result is what was there before, zero where the mask
    is false. The order among elements and instances is free.
  }];
  let arguments = (ins Tile_RmwKindAttr:$kind, Tile_MemoryOrderAttr:$order,
                       Tile_ScopeAttr:$scope, AnyType:$ptr, AnyType:$value,
                       Optional<AnyType>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $kind `,` $order `,` $scope `,` $ptr `,` $value (`mask` $mask^ `:` type($mask))?
    attr-dict `:` type($ptr) `,` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tiedAlike;
}

def Tile_AtomicCasOp : Tile_Op<"atomic_cas", [MemoryEffects<[MemRead, MemWrite]>,
    AllTypesMatch<["expected", "value", "result"]>]> {
  let summary = "replaces the elements whose bits are the expected ones";
  let description = [{
    The result is what was there before, zero where the mask is false.
  }];
  let arguments = (ins Tile_MemoryOrderAttr:$order, Tile_ScopeAttr:$scope,
                       AnyType:$ptr, AnyType:$expected, AnyType:$value,
                       Optional<AnyType>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $order `,` $scope `,` $ptr `,` $expected `,` $value
    (`mask` $mask^ `:` type($mask))? attr-dict `:` type($ptr) `,` type($value)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tiedAlike;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def Tile_MakeViewOp : Tile_Op<"make_view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a view of the array at an address";
  let description = [{
    `tile.make_view %p, [%m, %k], [%s, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>`:
    extents and strides in elements, one an axis. The stride of the fastest axis
    must be 1, a static extent must be met.
    Along `far_axis`, whose stride is below 0, all places are multiples of 2^30, so
    that a tensor map can have it: it counts addresses modulo 2^64, and has a stride
    of 2^34 bytes more.
  }];
  let arguments = (ins Tile_Ptr:$ptr, Variadic<Index>:$extents, Variadic<Index>:$strides,
                       OptionalAttr<I64Attr>:$far_axis);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$ptr,
      "::mlir::ValueRange":$extents, "::mlir::ValueRange":$strides), [{
    build($_builder, $_state, result, ptr, extents, strides, ::mlir::IntegerAttr());
  }]>];
  let results = (outs Tile_View:$result);
  let assemblyFormat = [{
    $ptr `,` `[` $extents `]` `,` `[` $strides `]` attr-dict
    `:` qualified(type($ptr)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_ViewGatherOp : Tile_Op<"view_gather", [MemoryEffects<[MemRead]>]> {
  let summary = "reads rows of a view chosen by a tile of row numbers";
  let description = [{
    `tile.view_gather %a[%rows, %col] : !tile.view<?x?xf16>, tensor<32xi32>
      -> tensor<32x128xf16>`. Elements outside are zero.
  }];
  let arguments = (ins Tile_View:$view, Tile_AnyTile:$rows, Index:$column);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $view `[` $rows `,` $column `]` attr-dict
    `:` qualified(type($view)) `,` type($rows) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ViewScatterOp : Tile_Op<"view_scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes rows of a view chosen by a tile of row numbers";
  let arguments = (ins Tile_AnyTile:$value, Tile_View:$view, Tile_AnyTile:$rows, Index:$column);
  let assemblyFormat = [{
    $value `,` $view `[` $rows `,` $column `]` attr-dict
    `:` type($value) `,` qualified(type($view)) `,` type($rows)
  }];
  let hasVerifier = 1;
}

def Tile_ViewReduceOp : Tile_Op<"view_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "updates a tile of a view, each element atomically";
  let description = "`tile.view_reduce add, %t, %c[%i, %j] : ...`; elements outside are dropped.";
  let arguments = (ins Tile_RmwKindAttr:$kind, Tile_AnyTile:$value, Tile_View:$view,
                       Variadic<Index>:$offsets);
  let assemblyFormat = [{
    $kind `,` $value `,` $view `[` $offsets `]` attr-dict
    `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Tile_Answer.tiedToNothing;
}

#endif // HEDDLE_TILE_POINTER_OPS
