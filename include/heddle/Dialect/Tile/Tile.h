//===- Tile.h - The tile rung
//----------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect's classes as generated from the .td files, and two notions that
// all users of tiles share: an extent, which is a number or the name of a shape
// parameter, and a renaming, which names the axes anew and moves no element.
// docs/rationale/tile.md has the semantics.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TILE_TILE_H
#define HEDDLE_DIALECT_TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "heddle/Dialect/Tile/TiedAxis.h"

#include "heddle/Dialect/Tile/TileInterfaces.h.inc"

#include "heddle/Dialect/Tile/TileDialect.h.inc"
#include "heddle/Dialect/Tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "heddle/Dialect/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Tile/TileTypes.h.inc"

namespace heddle::tile {
mlir::ParseResult parseCombiner(mlir::OpAsmParser &parser,
                                mlir::Region &combiner);
void printCombiner(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::Region &combiner);
} // namespace heddle::tile

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileOps.h.inc"

namespace heddle::tile {

/// One extent of a tile type: a number, or the name of a shape parameter that
/// `instantiate` has not fixed yet.
struct Extent {
  int64_t size = mlir::ShapedType::kDynamic;
  mlir::StringAttr name; // null when static

  bool operator==(const Extent &other) const {
    return size == other.size && name == other.name;
  }
  bool isOne() const { return size == 1; }
};

/// Is `view` made of another view, by tile.window or tile.merge?
bool isMapped(mlir::Value view);

llvm::SmallVector<Extent> getExtents(mlir::RankedTensorType type);
mlir::RankedTensorType getTileType(llvm::ArrayRef<Extent> extents,
                                   mlir::Type elementType);

/// "128x64" or "BMxBK", as diagnostics spell a shape.
std::string spellExtents(llvm::ArrayRef<Extent> extents);

/// An op that only names the axes of its operand anew. Nobody schedules it:
/// whoever reads the result reads the operand that way.
bool isRenaming(mlir::Operation *op);

/// What `value` is another name of, at last; itself if of nothing.
mlir::Value lookThroughRenaming(mlir::Value value);

/// The uses of `value` and of its other names, without the renamings
/// themselves.
llvm::SmallVector<mlir::OpOperand *> usesThroughRenaming(mlir::Value value);

/// A far axis (tile.make_view) is an axis of the view and not its fastest one.
llvm::LogicalResult verifyFarAxis(mlir::Operation *op,
                                  std::optional<int64_t> axis, ViewType view);

} // namespace heddle::tile

#endif // HEDDLE_DIALECT_TILE_TILE_H
