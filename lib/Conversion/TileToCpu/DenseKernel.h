//===- DenseKernel.h - A kernel of tiles as loops over vectors --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile kernel with views, or with tiles of several axes. Out: the
// functions K_run and K_shape. PlaceTiles says which tiles are in memory; a
// loop over the rows of a tile, and over vectors in a row, makes each of them,
// and what has no place is computed in registers on the way. Products are
// summed in a tile of registers from packed operands.
//
// One class, one file a concern: Lanes.cpp computes some lanes of a tile,
// ViewRows.cpp finds a row's elements in a view, Fill.cpp loops over rows,
// Products.cpp sums products, Reductions.cpp reduces, DenseKernel.cpp has the
// rest: functions, control flow, scalars.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_TILETOCPU_DENSEKERNEL_H
#define HEDDLE_LIB_CONVERSION_TILETOCPU_DENSEKERNEL_H

#include "Demand.h"
#include "KernelFunctions.h"
#include "PlaceTiles.h"

#include "heddle/Analysis/ViewMap.h"
#include "heddle/Dialect/Report.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace heddle::dense {

/// What the tiles of a worker may take: caches of today several times over, and
/// little enough for every worker to have as much.
inline constexpr int64_t kMostTileBytes = int64_t(16) << 20;

/// A view on the way down; one that is made of others has no address.
struct ViewValue {
  mlir::Value address;
  llvm::SmallVector<mlir::Value> extents, strides;
};

/// Where a row of a tile lies in a view. Columns from `first` to `end` are
/// inside of it, `stride` elements apart (null: side by side) from the one at
/// `address`, which stands for column 0.
struct Row {
  mlir::Value address, first, end, stride;
};

/// What Lanes.cpp needs beside a tile: where the row is in memory that a load
/// of the expression reads.
struct RowContext {
  llvm::DenseMap<mlir::Operation *, Row> rows;
};

/// A tile in memory, or another name of one.
struct Access {
  mlir::Value base;
  mlir::Type element;
  llvm::SmallVector<int64_t> strides;
};

class DenseKernel {
public:
  DenseKernel(tile::KernelOp kernel, mlir::OpBuilder &builder,
              const machine::Processor &processor)
      : kernel(kernel), builder(builder), loc(kernel.getLoc()),
        processor(processor) {}

  mlir::LogicalResult run();

private:
  using Values = llvm::ArrayRef<mlir::Value>;

  // Functions, control flow and scalars (DenseKernel.cpp).
  mlir::LogicalResult check();
  mlir::LogicalResult writeBody();
  mlir::LogicalResult writeShape();
  void bindArguments(mlir::ValueRange values);
  mlir::FailureOr<mlir::Value> convertPrologue(mlir::Value scratch);
  mlir::LogicalResult convertInstance(mlir::Value number);
  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(mlir::Operation &op);
  mlir::LogicalResult convertScalar(mlir::Operation &op);
  mlir::LogicalResult convertFor(mlir::scf::ForOp loop);
  /// The loop, and the point that an iteration is for.
  std::pair<mlir::scf::ForOp, mlir::Value> makeLoop(mlir::scf::ForOp from,
                                                    mlir::ValueRange starts);
  mlir::LogicalResult convertIf(mlir::scf::IfOp branch);
  mlir::LogicalResult convertWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult convertPointerOp(mlir::Operation &op);
  void convertView(mlir::Operation &op);
  mlir::Value checkAssertion(tile::AssertOp op, mlir::Value failed);
  Report refuse(mlir::Operation &op);

  // Small things.
  mlir::Type pointer() {
    return mlir::LLVM::LLVMPointerType::get(builder.getContext());
  }
  mlir::Value number(int64_t value);
  mlir::Value word(int64_t value);
  mlir::Value toI64(mlir::Value value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value least(mlir::Value a, mlir::Value b);
  mlir::Value most(mlir::Value a, mlir::Value b);
  /// a / b rounded up for a >= 0; 0 for b = 0.
  mlir::Value ceilDivide(mlir::Value a, mlir::Value b);
  mlir::Value isLess(mlir::Value a, mlir::Value b); ///< signed
  mlir::Value gep(mlir::Type element, mlir::Value base, mlir::Value offset);
  mlir::Value vectorOf(mlir::Value scalar, int64_t lanes);
  mlir::Type vectorType(mlir::Type element, int64_t lanes);
  /// The type of an element in registers, and in memory.
  mlir::Type elementType(mlir::Type tile);
  static mlir::Type inMemory(mlir::Type element);
  mlir::Value load(mlir::Type element, mlir::Value at, int64_t lanes);
  void store(mlir::Value value, mlir::Value at);
  using LoopBody = llvm::function_ref<mlir::LogicalResult(mlir::Value)>;
  int64_t stepOf(mlir::Value tile);
  mlir::LogicalResult loop(mlir::Value end, int64_t step, LoopBody body);

  // Some lanes of a tile (Lanes.cpp).
  std::optional<Access> findAccess(mlir::Value tile);
  Access accessPlace(const Place &place, mlir::Type element);
  mlir::Value elementAt(const Access &access, Values at);
  mlir::Value loadLanes(const Access &access, Values at, int64_t lanes);
  /// The elements of a tile at `at` and the lanes - 1 behind it along the last
  /// axis; a scalar if it is one lane. Null, with a diagnostic, if an
  /// operation has no lowering.
  mlir::Value lanes(mlir::Value tile, Values at, int64_t lanes,
                    const RowContext &context);
  mlir::Value makeElementwise(mlir::Operation *op, mlir::ValueRange operands,
                              int64_t lanes);
  mlir::Value readRow(const Row &row, mlir::Type element, mlir::Value column,
                      int64_t lanes);
  void writeRow(const Row &row, mlir::Value value, mlir::Value column,
                mlir::Value end);
  mlir::Value maskOf(mlir::Value column, mlir::Value first, mlir::Value end,
                     int64_t lanes);

  // Rows of views (ViewRows.cpp).
  mlir::FailureOr<Row> findRow(mlir::Operation *op, mlir::Value view,
                               mlir::ValueRange offsets, mlir::Value tile,
                               Values at);
  Row rowOfMap(const ViewMap &map, mlir::ValueRange digits, unsigned moving,
               mlir::Value isInside, mlir::Value count);
  mlir::Value extentOf(const ViewMap::Extent &extent);
  mlir::Value sumOf(const ViewMap::Sum &sum, mlir::ValueRange digits);
  /// Decodes a coordinate into digits, the slowest first; clears `isInside`
  /// where it lies outside.
  void decode(const ViewMap &map, llvm::ArrayRef<unsigned> digits,
              mlir::Value coordinate,
              llvm::SmallVectorImpl<mlir::Value> &values,
              mlir::Value &isInside);
  using RunBody =
      llvm::function_ref<void(Row run, mlir::Value column, mlir::Value count)>;
  void forEachRun(const ViewMap &map, llvm::SmallVector<mlir::Value> digits,
                  mlir::Value isInside, mlir::Value start, int64_t extent,
                  RunBody body);
  mlir::LogicalResult storeRow(tile::StoreOp op, Values at, mlir::Value end,
                               const RowContext &context);

  // Whole tiles (Fill.cpp).
  using RowBody = llvm::function_ref<mlir::LogicalResult(
      Values row, const RowContext &context)>;
  /// Calls `body` with the coordinates of each row's first element, below the
  /// limits along the other axes. `roots` are the tiles that it reads.
  mlir::LogicalResult forEachRow(Values roots, Values limits, RowBody body);
  mlir::LogicalResult forEachRow(Values roots, Values starts, Values limits,
                                 RowBody body);
  mlir::LogicalResult findRows(mlir::Value root, Values at,
                               RowContext &context);
  mlir::LogicalResult fill(mlir::Value tile, const Access &to, Values limits);
  mlir::LogicalResult copyTile(const Access &from, const Access &to,
                               mlir::Value tile, Values limits);
  mlir::LogicalResult fillReshaped(tile::ReshapeOp op);
  mlir::LogicalResult materialize(mlir::Value tile);
  mlir::LogicalResult convertStore(tile::StoreOp op);
  mlir::LogicalResult convertScatter(tile::ScatterOp op);
  llvm::SmallVector<mlir::Value> limitsOf(mlir::Value tile,
                                          mlir::Operation *before);
  mlir::Value remaining(const End &end);

  // Products.cpp and Reductions.cpp.
  mlir::LogicalResult convertDot(tile::DotOp op);
  mlir::LogicalResult packLeft(tile::DotOp op, mlir::Value to,
                               const DotPlaces &places, Values limits);
  mlir::LogicalResult packRight(tile::DotOp op, mlir::Value to,
                                const DotPlaces &places, Values limits);
  mlir::Value toSum(mlir::Value value, tile::DotOp op, unsigned operand);
  void sumProducts(tile::DotOp op, const DotPlaces &places, mlir::Value left,
                   mlir::Value right, Values limits);
  mlir::LogicalResult convertReduce(tile::ReduceOp op);
  mlir::LogicalResult reduceRows(tile::ReduceOp op, Values limits);
  mlir::LogicalResult reduceAcross(tile::ReduceOp op, Values limits);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  combine(mlir::Region &combiner, Values a, Values b, int64_t lanes);

  tile::KernelOp kernel;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const machine::Processor &processor;
  tile::ParallelOp parallel;
  TilePlan plan;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, ViewValue> views;
  llvm::DenseMap<mlir::Value, ViewMap> maps;
  mlir::Value memory; ///< of the tiles
  int assertions = 0;
};

} // namespace heddle::dense

#endif // HEDDLE_LIB_CONVERSION_TILETOCPU_DENSEKERNEL_H
