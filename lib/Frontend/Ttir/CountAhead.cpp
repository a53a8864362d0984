//===- CountAhead.cpp - A while with products, counted in front of it -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `while` is one process's, since only who computes its condition knows when
// it ends. Where numbers alone decide that, as in stream-K, whose steps differ
// but follow from each other, or in a list of blocks, each of which names the
// next in memory that the kernel never writes, a loop over these numbers says
// how often it runs; the `while` itself is then a loop that many times, which
// processes can share. What the numbers cost is little beside a product.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

namespace heddle::ttir {
/// What decides how often a `while` runs.
struct Deciders {
  llvm::SetVector<unsigned> carried; ///< by their numbers
  llvm::SetVector<Operation *> front, body;
};
} // namespace heddle::ttir

/// The argument of the kernel that an address or a descriptor goes back to;
/// null where that is not plain to see.
static Value argumentOf(Value address) {
  while (Operation *def = address.getDefiningOp()) {
    if (!isa<AddPtrOp, SplatOp, BroadcastOp, ExpandDimsOp, MakeTensorDescOp>(
            def))
      return {};
    address = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(address);
  return isa<FuncOp>(argument.getOwner()->getParentOp()) ? address : Value();
}

/// Whether `load` reads a number that the kernel never writes.
static bool readsInput(LoadOp load) {
  Value input = argumentOf(load.getPtr());
  if (!input || isa<TensorType>(load.getResult().getType()))
    return false;
  return !load->getParentOfType<FuncOp>()
              .walk([&](MemoryEffectOpInterface op) {
                if (!op.hasEffect<MemoryEffects::Write>() ||
                    isa<AssertOp, PrintOp>(op))
                  return WalkResult::advance();
                Value written = argumentOf(op->getOperand(0));
                return written && written != input ? WalkResult::advance()
                                                   : WalkResult::interrupt();
              })
              .wasInterrupted();
}

namespace {
/// Collects the operations that `value` is made of in its block, and the
/// block's arguments that these read.
class Slice {
public:
  Slice(Block &block, llvm::SetVector<Operation *> &ops,
        llvm::function_ref<bool(BlockArgument)> add)
      : block(block), ops(ops), add(add) {}

  bool collect(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() != &block || add(argument);
    Operation *def = value.getDefiningOp();
    if (!block.getParentOp()->isAncestor(def) || ops.contains(def))
      return true;
    auto load = dyn_cast<LoadOp>(def);
    if (def->getBlock() != &block || def->getNumRegions() ||
        !(load ? readsInput(load) : isMemoryEffectFree(def)) ||
        llvm::any_of(def->getResultTypes(), llvm::IsaPred<TensorType>))
      return false;
    for (Value operand : def->getOperands())
      if (!collect(operand))
        return false;
    ops.insert(def); // behind what it reads
    return true;
  }

private:
  Block &block;
  llvm::SetVector<Operation *> &ops;
  llvm::function_ref<bool(BlockArgument)> add;
};
} // namespace

static bool findDeciders(scf::WhileOp op, Deciders &deciders) {
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  scf::ConditionOp condition = op.getConditionOp();
  bool multiplies = after.walk([](DotOp) { return WalkResult::interrupt(); })
                        .wasInterrupted();
  auto isCarried = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &before;
  };
  if (!multiplies || !llvm::all_of(condition.getArgs(), isCarried))
    return false;
  auto add = [&](BlockArgument argument) {
    if (argument.getOwner() == &after)
      argument =
          cast<BlockArgument>(condition.getArgs()[argument.getArgNumber()]);
    if (isa<TensorType>(argument.getType()))
      return false;
    deciders.carried.insert(argument.getArgNumber());
    return true;
  };
  if (!Slice(before, deciders.front, add).collect(condition.getCondition()))
    return false;
  for (unsigned i = 0; i < deciders.carried.size(); ++i) {
    Value next = after.getTerminator()->getOperand(deciders.carried[i]);
    if (!Slice(after, deciders.body, add).collect(next))
      return false;
  }
  return true;
}

/// How often it runs, by a loop over what decides.
FailureOr<Value> Converter::countAhead(scf::WhileOp op,
                                       const Deciders &deciders) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> inits;
  for (unsigned number : deciders.carried)
    inits.push_back(get(op.getInits()[number]));
  inits.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  auto convertAll = [&](const llvm::SetVector<Operation *> &ops) {
    return success(llvm::all_of(
        ops, [&](Operation *inner) { return succeeded(convertOp(inner)); }));
  };
  Block *front = builder.createBlock(&loop.getBefore(), {}, types, locs);
  for (auto [number, argument] :
       llvm::zip(deciders.carried, front->getArguments()))
    bind(before.getArgument(number), argument);
  if (failed(convertAll(deciders.front)))
    return failure();
  scf::ConditionOp::create(builder, loc, get(condition.getCondition()),
                           front->getArguments());
  Block *body = builder.createBlock(&loop.getAfter(), {}, types, locs);
  for (auto [handed, inside] :
       llvm::zip(condition.getArgs(), after.getArguments())) {
    auto *place = llvm::find(deciders.carried,
                             cast<BlockArgument>(handed).getArgNumber());
    if (place != deciders.carried.end())
      bind(inside, body->getArgument(place - deciders.carried.begin()));
  }
  if (failed(convertAll(deciders.body)))
    return failure();
  SmallVector<Value> next;
  for (unsigned number : deciders.carried)
    next.push_back(get(after.getTerminator()->getOperand(number)));
  next.push_back(
      arith::AddIOp::create(builder, loc, body->getArguments().back(),
                            arith::ConstantIndexOp::create(builder, loc, 1)));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResults().back();
}

FailureOr<bool> Converter::convertByCount(scf::WhileOp op) {
  Deciders deciders;
  if (!findDeciders(op, deciders))
    return false;
  FailureOr<Value> count = countAhead(op, deciders);
  if (failed(count))
    return failure();
  Location loc = op.getLoc();
  auto loop = scf::ForOp::create(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, 0), *count,
      arith::ConstantIndexOp::create(builder, loc, 1), get(op.getInits()));
  bindCarried(op, loop);
  if (failed(convertBody(*op.getAfterBody(), *loop.getBody())))
    return failure();
  return true;
}
