//===- Converter.h - One kernel of TTIR on its way to tile ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation in, a few out, in order: nothing is improved here. The table in
// docs/rationale/tile.md says what each becomes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TTIR_CONVERTER_H
#define HEDDLE_LIB_FRONTEND_TTIR_CONVERTER_H

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Frontend/Ttir/Ttir.h"
#include "heddle/Support/Diagnostics/Ttir.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

#include <array>
#include <optional>

namespace heddle::ttir {

struct Counted;  // ConvertControl.cpp
struct Deciders; // CountAhead.cpp

/// The tile form of a type of TTIR.
mlir::Type convertType(mlir::Type type);

/// A type, or with a byte in place of a truth value, which takes one in memory.
mlir::Type inMemory(mlir::Type type);

/// That a tile of heddle's may have: the verifier of the tile rung objects to
/// more.
inline constexpr int64_t kMostAxes = 5;

/// Whether a tile has more axes than one of heddle's, and is kept along one.
bool isFlat(llvm::ArrayRef<int64_t> shape);

/// What an access to a descriptor moves. Its elements have a sign in TTIR,
/// which those of tiles have not: operations say how they read them.
mlir::RankedTensorType getBlock(TensorDescType descriptor);

/// Puts operations on tiles in the place of functions of their elements.
mlir::LogicalResult inlineMaps(FuncOp function);

class Converter {
public:
  explicit Converter(FuncOp function)
      : function(function), builder(function.getContext()) {}

  /// Puts the tile.kernel before the function.
  mlir::LogicalResult run();

private:
  // Convert.cpp: the kernel around the operations.
  struct Signature;
  mlir::LogicalResult makeSignature(Signature &signature);
  std::array<bool, 3> findGridAxes();
  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(mlir::Operation *op);
  mlir::LogicalResult convertArith(mlir::Operation *op);

  // ConvertBlocks.cpp: `stop` is the block that a chain is followed to; null
  // stands for the program's end.
  struct Ending;
  mlir::LogicalResult convertFunctionBlock(mlir::Block &block);
  mlir::FailureOr<Ending> convertBlocks(mlir::Block &block, mlir::Block *stop);
  mlir::FailureOr<Ending> followTo(mlir::Block *next, mlir::ValueRange operands,
                                   mlir::Block *stop);
  mlir::FailureOr<Ending> convertBranch(mlir::cf::CondBranchOp branch,
                                        mlir::Block *stop);
  mlir::FailureOr<Ending>
  makeBranch(mlir::Location loc, mlir::Value condition, mlir::Block *stop,
             llvm::function_ref<mlir::FailureOr<Ending>()> makeThen,
             llvm::function_ref<mlir::FailureOr<Ending>()> makeElse);
  mlir::Value makeAny(mlir::Location loc, mlir::Type type);
  mlir::LogicalResult reportBlocks(mlir::Operation *end);

  // ConvertControl.cpp
  mlir::LogicalResult convert(mlir::scf::ForOp op);
  mlir::LogicalResult convertUnsigned(mlir::scf::ForOp op);
  mlir::LogicalResult convertLoop(mlir::scf::ForOp from, mlir::scf::ForOp to);
  mlir::LogicalResult convert(mlir::scf::IfOp op);
  mlir::LogicalResult convert(mlir::scf::WhileOp op);
  mlir::LogicalResult convertCounted(mlir::scf::WhileOp op,
                                     const Counted &counted);
  /// What a `while` hands to its body and leaves behind, as what a loop carries
  /// in its place.
  void bindCarried(mlir::scf::WhileOp from, mlir::scf::ForOp to);
  mlir::FailureOr<mlir::Value> countAhead(mlir::scf::WhileOp op,
                                          const Deciders &deciders);
  /// Whether it became a loop over its number of turns.
  mlir::FailureOr<bool> convertByCount(mlir::scf::WhileOp op);
  mlir::LogicalResult convert(GetProgramIdOp op);
  mlir::LogicalResult convert(GetNumProgramsOp op);
  mlir::LogicalResult convertBody(mlir::Block &from, mlir::Block &to);

  // ConvertShape.cpp
  mlir::Value reshape(mlir::Location loc, mlir::Value value,
                      llvm::ArrayRef<int64_t> shape);
  /// Binds `to` in the shape that stands for that of `from`.
  void bindShaped(mlir::Value from, mlir::Value to);
  mlir::LogicalResult convert(ReduceOp op);
  mlir::LogicalResult convert(ScanOp op);
  mlir::LogicalResult convert(BroadcastOp op);
  mlir::LogicalResult convert(TransOp op);
  mlir::LogicalResult convert(GatherOp op);
  mlir::LogicalResult convert(JoinOp op);
  mlir::LogicalResult convert(SplitOp op);
  mlir::LogicalResult convertShape(mlir::Operation *op);

  // ConvertProduct.cpp
  mlir::LogicalResult convert(DotOp op);
  mlir::FailureOr<mlir::Value> multiply(DotOp op, mlir::Value a, mlir::Value b,
                                        mlir::Value c);

  // ConvertScaled.cpp
  mlir::LogicalResult convert(DotScaledOp op);

  // ConvertCompute.cpp
  mlir::LogicalResult convert(mlir::arith::ConstantOp op);
  mlir::LogicalResult convert(mlir::arith::CmpIOp op);
  mlir::LogicalResult convert(MakeRangeOp op);
  mlir::LogicalResult convert(ClampFOp op);
  mlir::LogicalResult convert(FpToFpOp op);
  mlir::LogicalResult convert(InlineAsmOp op);
  mlir::LogicalResult convertScalarMath(mlir::Operation *op);
  mlir::LogicalResult convertCombiner(mlir::Region &from, mlir::Region &to);

  // ConvertLibrary.cpp
  mlir::LogicalResult convert(ExternElementwiseOp op);
  bool convertExact(ExternElementwiseOp op);
  bool convertQuestion(ExternElementwiseOp op);
  bool convertExpanded(ExternElementwiseOp op);

  // ConvertMemory.cpp
  mlir::LogicalResult convert(LoadOp op);
  mlir::LogicalResult convert(StoreOp op);
  mlir::LogicalResult convert(AtomicRmwOp op);
  mlir::LogicalResult convert(AtomicCasOp op);
  /// Tiles whose first element stands for a scalar.
  struct FirstElement {
    int64_t count = 0;
    mlir::Value mask;
    mlir::Type typeOf(mlir::Type element) const {
      return mlir::RankedTensorType::get(count, element);
    }
  };
  FirstElement asFirstElement(mlir::Location loc, mlir::Value mask);
  mlir::Value repeat(mlir::Location loc, mlir::Value scalar,
                     const FirstElement &first);
  mlir::Value takeFirst(mlir::Location loc, mlir::Value tile);
  mlir::LogicalResult convert(BitcastOp op);
  /// Truth values of bytes, which are 0 where false, and the other way round.
  mlir::Value fromByte(mlir::Location loc, mlir::Value byte);
  mlir::Value asStored(mlir::Location loc, mlir::Value value);
  mlir::LogicalResult convert(MakeTensorDescOp op);
  mlir::FailureOr<mlir::Value> padWithNan(DescriptorLoadOp op,
                                          mlir::Value tile);
  mlir::LogicalResult convertDescriptorAccess(mlir::Operation *op);
  mlir::LogicalResult convertMessage(mlir::Operation *op);

  mlir::Value get(mlir::Value value) { return values.lookup(value); }
  llvm::SmallVector<mlir::Value> get(mlir::ValueRange list);
  void bind(mlir::Value from, mlir::Value to) { values.map(from, to); }
  /// An op of the tile dialect for `op` with its results' types and location.
  template <typename Op, typename... Args>
  mlir::LogicalResult make(mlir::Operation *op, Args &&...args) {
    bind(op->getResult(0), Op::create(builder, op->getLoc(),
                                      convertType(op->getResult(0).getType()),
                                      std::forward<Args>(args)...));
    return mlir::success();
  }
  mlir::Value asIndex(mlir::Location loc, mlir::Value value);
  llvm::SmallVector<mlir::Value> asIndices(mlir::Location loc,
                                           mlir::ValueRange list);
  mlir::Value fromIndex(mlir::Location loc, mlir::Value index, mlir::Type type);
  mlir::LogicalResult refuse(mlir::Operation *op);

  FuncOp function;
  mlir::OpBuilder builder;
  mlir::IRMapping values;
  /// Blocks of the function that are converted.
  llvm::SmallPtrSet<mlir::Block *, 8> followed;
  /// By axis; null where the program does not ask for it.
  std::array<mlir::Value, 3> programs, grid;
};

} // namespace heddle::ttir

#endif // HEDDLE_LIB_FRONTEND_TTIR_CONVERTER_H
