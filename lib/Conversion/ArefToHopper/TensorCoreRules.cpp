//===- TensorCoreRules.cpp - Which dots one wgmma sequence can do
//-----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCoreRules.h"

#include "StagedOperands.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/EightBitFloat.h"
#include "heddle/Dialect/Tile/Exact.h"
#include "heddle/Support/Diagnostics/Aref.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

tile::DotOp heddle::areftohopper::dotOf(aref::StartOp start) {
  Block &body = start.getBody().front();
  auto dot = dyn_cast<tile::DotOp>(body.front());
  if (!dot || dot->getNextNode() != body.getTerminator() ||
      cast<aref::YieldOp>(body.getTerminator()).getValue() != dot.getResult())
    return nullptr;
  return dot;
}

/// The element types of the instruction: a and b alike, and the accumulator.
static bool isSupported(Type operand, bool isTf32, Type accumulator) {
  if (operand.isF16())
    return accumulator.isF32() || accumulator.isF16();
  if (operand.isBF16() || (operand.isF32() && isTf32))
    return accumulator.isF32();
  if (tile::isEightBitFloat(operand))
    return accumulator.isF32() || accumulator.isF16();
  return operand.isInteger(8) && accumulator.isInteger(32);
}

/// How else a dot could go.
static std::string orThreads(tile::DotOp dot, const machine::Costs &costs) {
  std::string reason = whyNotByThreads(dot, costs);
  return reason.empty() ? "; or leave it to threads in the table"
                        : "; left to threads, it " + reason;
}

static LogicalResult checkTypes(tile::DotOp dot, const machine::Costs &costs) {
  Type a = cast<RankedTensorType>(dot.getA().getType()).getElementType();
  Type b = cast<RankedTensorType>(dot.getB().getType()).getElementType();
  Type acc = cast<RankedTensorType>(dot.getAcc().getType()).getElementType();
  bool bothEightBit = tile::isEightBitFloat(a) && tile::isEightBitFloat(b);
  if ((a != b && !bothEightBit) || !isSupported(a, dot.getTf32(), acc))
    return report(dot, diag::dot_type)
           << "the tensor core has no product of " << a << " and " << b
           << " accumulated in " << acc
           << (a.isF32() && b.isF32()
                   ? "; say that their low bits do not count (tf32), or use "
                     "f16 or bf16 accumulated in f32"
                   : "; use f16 or bf16 accumulated in f32")
           << orThreads(dot, costs);
  return success();
}

static LogicalResult checkShape(tile::DotOp dot, int64_t warps,
                                const machine::Costs &costs) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto result = cast<RankedTensorType>(dot.getResult().getType());
  if (!result.hasStaticShape() || !a.hasStaticShape())
    return report(dot, diag::dot_extent)
           << "a dot needs extents that are known; instantiate fixes named "
              "ones";
  int64_t rows = result.getDimSize(0), columns = result.getDimSize(1),
          depth = a.getDimSize(1);
  auto height = int64_t(costs.tensor.rows);
  if (warps != 4)
    return report(dot, diag::dot_warps)
           << "a dot runs on 4 warps, but its process has " << warps;
  auto whole = dot->getAttrOfType<LocationAttr>(tile::kWholeBecauseAttr);
  if (rows != height && whole) {
    Report error = report(dot, diag::dot_extent);
    error
        << "this dot's tile of " << rows
        << " rows cannot be cut into products of " << height
        << " rows, because an operation takes all of its rows together; leave "
           "that out, or choose tiles of "
        << height << " rows";
    error.attachNote(whole) << "it is this";
    return failure();
  }
  if (rows != height)
    return report(dot, diag::dot_extent)
           << "a dot of " << rows << " rows does not fit one wgmma of "
           << height << "; split M into sub-tiles of " << height << " rows"
           << orThreads(dot, costs);
  int64_t piece = costs.limits.productColumnStep,
          most = costs.limits.wgmmaColumns;
  if (columns % piece || columns > most)
    return report(dot, diag::dot_extent)
           << "a dot of " << columns
           << " columns does not fit one wgmma; N must be a multiple of "
           << piece << ", at most " << most << orThreads(dot, costs);
  int64_t step = 256 / a.getElementTypeBitWidth();
  if (depth % step)
    return report(dot, diag::dot_extent)
           << "a dot with a contraction of " << depth
           << " is no whole number of wgmma steps; K must be a multiple of "
           << step << " for " << a.getElementType() << orThreads(dot, costs);
  return success();
}

static LogicalResult checkByThreads(tile::DotOp dot,
                                    const machine::Costs &costs) {
  if (std::string reason = whyNotByThreads(dot, costs); !reason.empty())
    return report(dot, diag::dot_extent)
           << "threads cannot compute this dot: it " << reason;
  return success();
}

/// What makes `value`, in this iteration or the one before.
static Operation *makerOf(Value value) {
  value = lookThroughStart(value);
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (loop && argument.getArgNumber() > 0)
    value = loop.getYieldedValues()[argument.getArgNumber() - 1];
  return value.getDefiningOp();
}

/// Registers may become operands through scratch memory, but only where nothing
/// is in flight that still reads the scratch of the dot before.
static LogicalResult checkOperands(tile::DotOp dot, const KernelFacts &facts) {
  StagedOperands staged = stageOperands(dot, facts);
  if (staged.any() && isa<aref::StartOp>(dot->getParentOp())) {
    bool isB = !facts.homeOf(dot.getB());
    Operation *made = makerOf(isB ? dot.getB() : dot.getA());
    bool isLoaded = isa_and_present<tile::LoadOp>(made);
    bool isGathered = isa_and_present<tile::GatherOp>(made);
    Report error = report(dot, diag::dot_operand);
    error << "operand " << (isB ? "b" : "a") << " of this dot is "
          << (isLoaded     ? "loaded to registers"
              : isGathered ? "gathered by the addresses of its elements"
                           : "computed by threads in each iteration")
          << ", but wgmma reads it from shared memory while the process goes "
             "on: "
          << (isLoaded ? "load it through a ring"
                       : "put it there by a tile.stage that has a ring");
    if (made && !isLoaded)
      error.attachNote(made->getLoc()) << "it is made here";
    return failure();
  }
  for (auto [name, tile] : {std::pair("a", staged.a), std::pair("b", staged.b)})
    if (tile && !tile.getSwizzle())
      return report(dot, diag::dot_operand)
             << "operand " << name << " of this dot has rows of "
             << tile.getBoxWidth() *
                    tile.getElementType().getIntOrFloatBitWidth() / 8
             << " bytes in shared memory; wgmma needs a multiple of 32";
  return success();
}

LogicalResult heddle::areftohopper::checkTensorCore(const KernelFacts &facts) {
  for (const ProcessFacts &process : facts.processes) {
    for (tile::DotOp dot : process.dots)
      if (isByThreads(dot)) {
        if (failed(checkByThreads(dot, facts.costs)))
          return failure();
      } else if (failed(checkTypes(dot, facts.costs)) ||
                 failed(checkShape(dot, aref::ProcessOp(process.op).getWarps(),
                                   facts.costs)) ||
                 failed(checkOperands(dot, facts)))
        return failure();
    auto result = aref::ProcessOp(process.op).walk([&](aref::StartOp start) {
      if (dotOf(start))
        return WalkResult::advance();
      report(start, diag::start_unit) << "unit \"" << start.getUnit()
                                      << "\" starts something else than one "
                                         "tile.dot, the only asynchronous "
                                         "operation besides loads into rings";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}
