//===- TileBase.td - The tile dialect, its types and attributes ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its attributes, its types and the base class of its operations.
// They are apart from TileOps.td because the other .td files of the tile
// dialect include them, and because HopperOps.td uses the types without the
// operations.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_BASE
#define HEDDLE_TILE_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/TensorEncoding.td"
include "heddle/Dialect/Tile/TileInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::heddle::tile";
  let summary = "A sequential program over tiles";
  let description = [{
    Values are tiles (builtin tensors) and scalars. The dialect knows no threads,
    no memory spaces and no asynchrony.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

def Tile_ShapeAttr : AttrDef<Tile_Dialect, "Shape",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "shape";
  let summary = "named extents of a tile whose parameters are not fixed yet";
  let description = [{
    The encoding of a tile type before `instantiate`: one entry per axis, a
    parameter name for a dynamic extent, "" for a static one.
    `tensor<?x?xf16, #tile.shape<"BM", "BK">>`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = "`<` $names `>`";
}

def Tile_OrderAttr : AttrDef<Tile_Dialect, "Order"> {
  let mnemonic = "order";
  let summary = "storage order of a view, fastest axis first";
  let description = "`#tile.order<1, 0>` is row-major: axis 1 has stride 1.";
  let parameters = (ins ArrayRefParameter<"int64_t">:$axes);
  let assemblyFormat = "`<` $axes `>`";
  let genVerifyDecl = 1;
}

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_View : Tile_Type<"View", "view"> {
  let summary = "a strided array in global memory";
  let description = [{
    `!tile.view<?x?xf16, #tile.order<0, 1>>`: a pointer with run-time shape and
    strides (in elements). The fastest axis has stride 1. Reads outside give
    zero, writes outside are dropped. Without an order it is row-major.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Axis rank-1 has stride 1, axis 0 the largest.
    bool isRowMajor() const;
    /// The order of the last `rank` axes among themselves, numbered from 0: that
    /// of a tile which covers those.
    ::llvm::SmallVector<int64_t> getTileOrder(int64_t rank) const;
    static ViewType getRowMajor(::llvm::ArrayRef<int64_t> shape,
                                ::mlir::Type elementType);
  }];
}

def Tile_Ptr : Tile_Type<"Ptr", "ptr"> {
  let summary = "the address of an element in global memory";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
}

def Tile_AnyTile : AnyTypeOf<[AnyRankedTensor]>;

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic,
         !listconcat([Tile_TileOpInterface], traits)>;

/// The parts of an operation's class that answer TileOpInterface.
class Tile_Answers {
  string byElement = [{
    bool goesByElement() { return true; }
  }];
  string free = [{
    bool isFree() { return true; }
  }];
  string linear = [{
    bool isLinear() { return true; }
  }];
  string cycles = [{
    double elementCycles(const ::heddle::machine::Costs &costs);
  }];
  string tied = [{
    std::string tieAxes(::mlir::Value value, int64_t axis,
                        ::llvm::SmallVectorImpl<TiedAxis> &tied);
  }];
  /// All operands and results are split alike.
  string tiedAlike = [{
    std::string tieAxes(::mlir::Value, int64_t axis,
                        ::llvm::SmallVectorImpl<TiedAxis> &tied) {
      tieAll(getOperation(), axis, tied);
      return {};
    }
  }];
  /// Each part is made, or used, by itself.
  string tiedToNothing = [{
    std::string tieAxes(::mlir::Value, int64_t,
                        ::llvm::SmallVectorImpl<TiedAxis> &) { return {}; }
  }];
}
def Tile_Answer : Tile_Answers;

#endif // HEDDLE_TILE_BASE
