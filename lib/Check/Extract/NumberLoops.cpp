//===- NumberLoops.cpp - What loops over numbers find -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that computes numbers from numbers, and from memory that nobody
// writes, is a function of what it reads from outside of itself. Its name is
// its text, so that processes that repeat it find the same: the turns of a loop
// that a loop in front of it has counted are one number for all of them. That
// it ends is another question, which the loop itself answers or leaves open.
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace heddle::check {

namespace {
/// Writes a loop down with its own names for values.
class LoopText {
public:
  explicit LoopText(Operation *loop) : loop(loop), out(text) {}

  /// False if it is no function of numbers.
  bool write() {
    return !loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
                  return writeOp(op) ? WalkResult::advance()
                                     : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  std::string text;
  SmallVector<mlir::Value> read; ///< numbers from outside

private:
  bool writeOp(Operation *op) {
    if (!computesNumbers(op))
      return false;
    out << op->getName() << op->getAttrDictionary() << op->getResultTypes()
        << '(';
    for (mlir::Value operand : op->getOperands())
      if (!writeValue(operand))
        return false;
    out << ')';
    // What the loop itself makes is read by nobody inside.
    for (mlir::Value result : op->getResults())
      names.try_emplace(result, names.size());
    for (mlir::Region &region : op->getRegions()) {
      out << (region.empty() ? '-' : '{');
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments()) {
          out << argument.getType() << ' ';
          names.try_emplace(argument, names.size());
        }
    }
    return true;
  }

  /// Of what is in the loop alone: a worker's number, for one, is another in
  /// each block.
  static bool computesNumbers(Operation *op) {
    if (auto gather = dyn_cast<tile::GatherOp>(op))
      return readsInput(gather);
    if (isa<scf::SCFDialect>(op->getDialect()))
      return true;
    return (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
            isa<tile::PtrAddOp>(op)) &&
           op->getNumRegions() == 0 && isMemoryEffectFree(op);
  }

  static bool readsInput(tile::GatherOp gather) {
    mlir::Value pointer = gather.getPtr();
    while (auto moved = pointer.getDefiningOp<tile::PtrAddOp>())
      pointer = moved.getPtr();
    BlockArgument argument = argumentOf(pointer);
    return argument && !isa<TensorType>(gather.getType()) && isInput(argument);
  }

  bool writeValue(mlir::Value value) {
    if (auto name = names.find(value); name != names.end()) {
      out << '%' << name->second << ' ';
      return true;
    }
    if (BlockArgument argument = argumentOf(value);
        argument && !isNumber(value.getType())) {
      out << "argument " << argument.getArgNumber() << ' ';
      return true;
    }
    if (auto moved = value.getDefiningOp<tile::PtrAddOp>()) {
      out << '+';
      return writeValue(moved.getPtr()) && writeValue(moved.getOffset());
    }
    if (!isNumber(value.getType()))
      return false;
    out << '$' << value.getType() << ' ';
    read.push_back(value);
    return true;
  }

  Operation *loop;
  llvm::raw_string_ostream out;
  llvm::DenseMap<mlir::Value, int64_t> names;
};
} // namespace

void Extractor::nameResults(Operation *loop, Statements &into) {
  LoopText function(loop);
  if (loop->getNumResults() == 0 || !function.write())
    return;
  current = &into;
  for (OpResult result : loop->getResults())
    if (isNumber(result.getType()))
      known[result] =
          apply(result, Arith::Other,
                "result " + std::to_string(result.getResultNumber()) + " of " +
                    function.text,
                function.read);
}

} // namespace heddle::check
