//===- Lowering.h - The walk over the tree of instances ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the instances of a mapping. Out: a tile.kernel. One walk in the order of
// the program: an inner variant's body is followed where it stands, a leaf's
// operations are copied with the extents of their tensors. A tensor that an
// instance has below global memory is a tile, loaded where it comes from there
// and stored where it goes back; nothing else moves.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TASKS_LOWERING_H
#define HEDDLE_LIB_FRONTEND_TASKS_LOWERING_H

#include "Instances.h"
#include "Pins.h"
#include "Values.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

namespace heddle::task {

class Lowering {
public:
  Lowering(mlir::ModuleOp module, Mapping &mapping)
      : module(module), mapping(mapping), builder(module.getContext()) {}

  /// Puts the kernel and its parameters before the variants.
  mlir::LogicalResult run();

private:
  /// One execution of a variant.
  struct Frame {
    explicit Frame(Instance &instance) : instance(&instance) {}

    Instance *instance;
    llvm::DenseMap<mlir::Value, Number> numbers;
    llvm::DenseMap<mlir::Value, Tensor> tensors;
    /// Scalars that are no index, and where lists begin.
    llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  };
  /// By the names in a leaf's types, what they stand for.
  struct Binding {
    Axis axis;
    mlir::Operation *where;
  };
  using Bindings = llvm::MapVector<mlir::StringAttr, Binding>;

  // Lowering.cpp: the kernel and the host.
  mlir::FailureOr<Frame> makeKernel();
  mlir::LogicalResult lowerHost(Frame &frame);
  mlir::LogicalResult lowerParallel(Frame &frame, mlir::Operation *op);

  // LowerInner.cpp: bodies that launch.
  mlir::LogicalResult lowerBody(Frame &frame, mlir::Block &body);
  mlir::LogicalResult lowerOp(Frame &frame, mlir::Operation *op);
  mlir::LogicalResult lowerMake(Frame &frame, MakeOp op);
  mlir::LogicalResult lowerElement(Frame &frame, ElementOp op);
  mlir::LogicalResult lowerPiece(Frame &frame, PieceOp op);
  mlir::LogicalResult lowerPieceAxis(Frame &frame, PieceOp op, int64_t axis,
                                     Axis &piece);
  mlir::LogicalResult lowerSrange(Frame &frame, SrangeOp op);
  mlir::LogicalResult lowerFold(Frame &frame, PrangeOp op);
  mlir::LogicalResult lowerLaunch(Frame &frame, LaunchOp op);
  mlir::LogicalResult passTensor(Frame &frame, LaunchOp op, unsigned index,
                                 Frame &callee);
  mlir::LogicalResult pinHome(Instance &instance, unsigned index,
                              std::optional<Memory> memory, int64_t source);
  mlir::LogicalResult returnTensor(Frame &frame, LaunchOp op, unsigned index,
                                   Frame &callee);
  mlir::LogicalResult lowerScalar(Frame &frame, mlir::Operation *op);
  bool lowerPlace(Frame &frame, mlir::Operation *op);
  llvm::SmallVector<Cell *> writtenIn(Frame &frame, mlir::Operation *op);

  // LowerLeaf.cpp: bodies that compute.
  mlir::LogicalResult lowerLeaf(Frame &frame);
  mlir::LogicalResult bindNames(Frame &frame, mlir::Operation *access,
                                mlir::RankedTensorType tile,
                                const Tensor &tensor, Bindings &bindings);
  mlir::Value combine(int64_t reduction, mlir::Value a, mlir::Value b);
  mlir::LogicalResult copyLeafOp(Frame &frame, mlir::Operation *op,
                                 const Bindings &bindings);

  // LowerTurns.cpp: the order of sums.
  mlir::FailureOr<mlir::Value> byIndex(LaunchOp op, llvm::StringRef name,
                                       mlir::Value added, const Tensor &piece);
  mlir::LogicalResult checkTurns();

  // Numbers.cpp: indices.
  Number tunable(Frame &frame, TunableOp op);
  Number knownNumber(tile::Extent extent);
  /// The extent of a block or a tile: known, and of a size that there is.
  mlir::FailureOr<tile::Extent> blockOf(Frame &frame, mlir::Value value,
                                        int64_t axis, mlir::Operation *user);
  Number extentOf(const Tensor &tensor, int64_t axis);
  mlir::FailureOr<Number> inside(const Tensor &tensor, InsideOp op);
  mlir::FailureOr<Number> count(Frame &frame, CountOp op);
  mlir::FailureOr<Number> numberOf(Frame &frame, mlir::Value value,
                                   mlir::Operation *user);
  /// As a value at the place of the builder; an error for a folded index.
  mlir::FailureOr<mlir::Value> asValue(const Number &number,
                                       mlir::Operation *user);
  mlir::Value valueOf(tile::Extent extent);
  mlir::Value dimOf(mlir::Value view, int64_t axis);
  mlir::Value constant(int64_t number);
  /// The extent of a tensor along an axis, whoever knows it.
  mlir::Value extentValue(const Tensor &tensor, int64_t axis);

  /// An error at `op`, with the launches that led there as notes.
  mlir::LogicalResult refuse(mlir::Operation *op, const diag::Kind &kind,
                             const llvm::Twine &message);

  mlir::ModuleOp module;
  Mapping &mapping;
  mlir::OpBuilder builder;
  mlir::Location here = builder.getUnknownLoc();
  tile::KernelOp kernel;
  mlir::Operation *parallel = nullptr;
  std::deque<Cell> cells; ///< stay where they are
  std::deque<Fold> folds;
  const Fold *openFold = nullptr; ///< around the builder
  llvm::SmallVector<std::pair<LaunchOp, Instance *>> stack;
  bool isOnHost = true;
  bool isReduced = false; ///< several blocks add to one piece
  bool isRounded = false; ///< and the order of that shows
  int64_t copied = 0;     ///< operations so far
  llvm::StringSet<> parameters;
  PinList pins;
};

} // namespace heddle::task

#endif // HEDDLE_LIB_FRONTEND_TASKS_LOWERING_H
