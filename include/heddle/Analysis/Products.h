//===- Products.h - By which instruction a product goes ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile.dot with known extents, and a machine. Out: whether the unit of
// products takes it (wgmma on Hopper: a warp group, 64 rows, asynchronous), or
// the threads of a process compute it themselves: warps by mma.sync, or each
// thread its sums one by one. Split, staging and the schedule ask here, so that
// they agree; what the schedule chose stands in its table.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_PRODUCTS_H
#define HEDDLE_ANALYSIS_PRODUCTS_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

namespace heddle {

enum class ProductForm {
  Group,   ///< wgmma
  Warps,   ///< mma.sync
  Threads, ///< multiplications and additions one by one
};

/// What an operand of a dot renames the axes of.
struct Contracted {
  mlir::Value value;
  int64_t axis; ///< of `value`, over which the product sums
};
Contracted findContracted(mlir::OpOperand &operand);

/// May wgmma compute it? Its rows may still have to be split.
bool fitsWarpGroup(tile::DotOp dot, const machine::Costs &costs);

/// The same of (b^T a^T), which is the transpose of the dot's product.
bool fitsWarpGroupSwapped(tile::DotOp dot, const machine::Costs &costs);

/// Operand a of 8 bits that threads narrow from sums of wgmma, element by
/// element: a warp holds what its fragments want, so that they come from
/// registers.
bool isNarrowedSum(mlir::OpOperand &operand, const machine::Costs &costs);

/// The same of what `op` makes.
bool narrowsSums(mlir::Operation *op, const machine::Costs &costs);

/// Empty if threads can compute it without the unit of products, else why not,
/// as the end of a sentence about the dot.
std::string whyNotByThreads(tile::DotOp dot, const machine::Costs &costs);

/// The best form without the unit of products, of a dot that has one.
ProductForm formByThreads(tile::DotOp dot);

/// How it goes on the machine of `costs`, behind the split into sub-tiles. What
/// has no form is left to the unit of products, which says why it cannot.
ProductForm formOf(tile::DotOp dot, const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_PRODUCTS_H
