//===- KernelFunctions.h - The functions of a kernel on the CPU -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every lowering of a kernel to the CPU shares: the values that a caller's
// slots of 64 bits hold, and the function that hands them to the body. An
// address or a number is one slot; a view is its address, its extents and its
// strides, as in the words of the runtime's launches.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_TILETOCPU_KERNELFUNCTIONS_H
#define HEDDLE_LIB_CONVERSION_TILETOCPU_KERNELFUNCTIONS_H

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace heddle {

mlir::func::FuncOp makeFunction(mlir::OpBuilder &builder, mlir::Location loc,
                                const std::string &name,
                                llvm::ArrayRef<mlir::Type> types,
                                bool isPrivate,
                                llvm::ArrayRef<mlir::Type> results = {});

/// The address of a constant with this name and, behind it, a zero.
mlir::Value addressOfText(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::ModuleOp module, const std::string &name,
                          llvm::StringRef text);

/// The types of the values that an argument of a kernel becomes. None for a
/// type that no slot holds.
llvm::SmallVector<mlir::Type> typesOfArgument(mlir::Type type);

/// The values of all arguments from an array of slots.
llvm::SmallVector<mlir::Value> unpackArguments(mlir::OpBuilder &builder,
                                               tile::KernelOp kernel,
                                               mlir::Value slots);

/// What K_shape writes.
enum class ShapeSlot {
  Instances,
  ScratchBytes, ///< that are zero before and after each instance
  Chunk,
  TileBytes, ///< for tiles in memory
  Failed     ///< the text of an assertion that does not hold, or null
};

/// `value` as `to`, which both are floats of at least 16 bits, or vectors of
/// them; to the nearest.
mlir::Value castFloat(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, mlir::Type to);

/// K_run(slots, begin, end, scratch, tiles), which calls K_body. Both return
/// the text of an assertion that does not hold, or null.
void writeEntry(mlir::OpBuilder &builder, tile::KernelOp kernel);

/// Ends K_body behind the last instance.
void returnWell(mlir::OpBuilder &builder, mlir::Location loc);

/// Stores a number or an address where K_shape's caller expects it.
void writeShapeSlot(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value out, ShapeSlot slot, mlir::Value value);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_TILETOCPU_KERNELFUNCTIONS_H
