//===- FuseLoops.cpp - One loop of two that follow each other ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products, and a second one that carries on what it ends with,
// from where it ends, in the same steps; their bodies differ in what lies
// between the loads and the products, as where only the second masks. Out: one
// loop, what differs under a condition that is the same for all of a tile. A
// schedule and its rings then serve both. Stands on the tile rung, because two
// loops would be scheduled one after the other, each with a prologue.
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"
#include "HandedOn.h"
#include "LoopPair.h"
#include "Signs.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_FUSELOOPS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

//===----------------------------------------------------------------------===//
// Decide
//===----------------------------------------------------------------------===//

static bool holdsDot(scf::ForOp loop) {
  return !loop.getBody()->getOps<tile::DotOp>().empty();
}

/// The loop whose results are all that `second` begins with.
static scf::ForOp findFirst(scf::ForOp second) {
  if (second.getInitArgs().empty())
    return {};
  auto first = second.getInitArgs().front().getDefiningOp<scf::ForOp>();
  return first && first != second && first->getBlock() == second->getBlock() &&
                 holdsDot(first) && holdsDot(second)
             ? first
             : scf::ForOp();
}

/// Empty, or why the second is not what comes after the first.
static std::string whyApart(scf::ForOp first, scf::ForOp second,
                            AddressForms &forms) {
  if (!llvm::equal(ValueRange(first.getResults()), second.getInitArgs()))
    return "the second does not carry on each value of the first";
  for (Value result : first.getResults())
    if (!result.hasOneUse())
      return "a result of the first is used elsewhere too";
  Polynomial step = forms.scalar(first.getStep());
  if (!(step == forms.scalar(second.getStep())))
    return "their steps differ";
  Polynomial end = forms.scalar(first.getUpperBound());
  if (!(end == forms.scalar(second.getLowerBound())))
    return "the second does not begin where the first ends";
  Polynomial range = end - forms.scalar(first.getLowerBound());
  if (!range.dividedBy(step))
    return "nothing says that the first goes to its end in whole steps";
  Signs signs(forms);
  std::vector<Signs::Demand> demands;
  if (!signs.isNotNegative(range, demands) || !demands.empty())
    return "nothing says that the first does not end before it begins";
  return "";
}

/// What stands between the loops must stand before both.
static std::string whyStuck(scf::ForOp first, scf::ForOp second) {
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    if (!isPure(op) || op->getNumRegions())
      return "'" + op->getName().getStringRef().str() + "' stands between them";
  return "";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {

/// Makes the one loop, in the order of the second body.
class Fuser {
public:
  explicit Fuser(LoopPair &pair)
      : pair(pair), first(pair.first), second(pair.second), builder(second) {}

  void run();

private:
  Value get(Value a, Value b);
  void emitAlternatives(Value a, Value b);
  bool isReady(Value value, const IRMapping &known, scf::ForOp loop);
  Value rebuild(Value value, IRMapping &known, scf::ForOp loop);
  std::vector<LoopPair::Alternative>
  listOthers(ArrayRef<LoopPair::Alternative> chosen, bool ready);
  DenseSet<Value> findHeld();

  LoopPair &pair;
  scf::ForOp first, second;
  OpBuilder builder;
  IRMapping common;            ///< values of the second that are one
  IRMapping inFirst, inSecond; ///< what branches read
  llvm::MapVector<LoopPair::Alternative, Value> made;
  std::vector<LoopPair::Alternative> alternatives; ///< in order of their use
  Value isInFirst;
};

} // namespace

/// The one value that two partners read.
Value Fuser::get(Value a, Value b) {
  if (pair.isOne(a, b))
    return common.lookupOrDefault(b);
  if (!made.count({a, b}))
    emitAlternatives(a, b);
  return made.lookup({a, b});
}

/// Whether all that `value` is computed from is there or outside the loop.
bool Fuser::isReady(Value value, const IRMapping &known, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  if (known.contains(value) || !op || op->getBlock() != loop.getBody())
    return true;
  return !pair.isPaired(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isReady(operand, known, loop);
         });
}

/// `value` of one of the loops, where the builder stands.
Value Fuser::rebuild(Value value, IRMapping &known, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  if (known.contains(value) || !op || op->getBlock() != loop.getBody())
    return known.lookupOrDefault(value);
  for (Value operand : op->getOperands())
    rebuild(operand, known, loop);
  builder.clone(*op, known);
  return known.lookup(value);
}

/// Alternatives without a conditional, but for those `chosen` from now: which
/// could be chosen from too, or which could not.
std::vector<LoopPair::Alternative>
Fuser::listOthers(ArrayRef<LoopPair::Alternative> chosen, bool ready) {
  std::vector<LoopPair::Alternative> others;
  for (const LoopPair::Alternative &other : alternatives) {
    bool isReadyNow = isReady(other.first, inFirst, first) &&
                      isReady(other.second, inSecond, second);
    if (isReadyNow == ready && !made.count(other) &&
        !llvm::is_contained(chosen, other) &&
        !llvm::is_contained(others, other))
      others.push_back(other);
  }
  return others;
}

/// Values of the one loop that operations to come read whichever loop they are
/// of.
DenseSet<Value> Fuser::findHeld() {
  DenseSet<Value> held;
  auto hold = [&](Operation *a, Operation *b) {
    for (auto [ofA, ofB] : llvm::zip(a->getOperands(), b->getOperands()))
      if (pair.isOne(ofA, ofB) && common.contains(ofB))
        held.insert(common.lookup(ofB));
  };
  auto isThere = [&](Value value) { return common.contains(value); };
  for (Operation &op : second.getBody()->without_terminator())
    if (Operation *partner = pair.partnerOf(&op);
        partner && llvm::none_of(op.getResults(), isThere))
      hold(partner, &op);
  hold(first.getBody()->getTerminator(), second.getBody()->getTerminator());
  return held;
}

/// Chooses between the values of the pair, and of all others that can be chosen
/// between by now: they share what they are computed from.
void Fuser::emitAlternatives(Value a, Value b) {
  std::vector<LoopPair::Alternative> chosen = {{a, b}};
  llvm::append_range(chosen, listOthers(chosen, true));
  std::vector<LoopPair::Alternative> handedOn = chooseHandedOn(
      {pair, inFirst, inSecond, findHeld()}, chosen, listOthers(chosen, false));
  for (const LoopPair::Alternative &further : handedOn)
    if (!llvm::is_contained(chosen, further))
      chosen.push_back(further);
  SmallVector<Type> types;
  for (const auto &[valueA, valueB] : chosen)
    types.push_back(valueA.getType());
  Location loc = second.getLoc();
  auto branch = scf::IfOp::create(builder, loc, types, isInFirst, true);
  auto fill = [&](Block *block, IRMapping known, scf::ForOp loop, bool isA) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    SmallVector<Value> values;
    for (const auto &[valueA, valueB] : chosen)
      values.push_back(rebuild(isA ? valueA : valueB, known, loop));
    scf::YieldOp::create(builder, loc, values);
  };
  fill(branch.thenBlock(), inFirst, first, true);
  fill(branch.elseBlock(), inSecond, second, false);
  for (auto [index, alternative] : llvm::enumerate(chosen))
    made[alternative] = branch.getResult(index);
  for (const auto &[valueA, valueB] : handedOn) {
    inFirst.map(valueA, made.lookup({valueA, valueB}));
    inSecond.map(valueB, made.lookup({valueA, valueB}));
  }
}

void Fuser::run() {
  Location loc = second.getLoc();
  for (Operation *op = first->getNextNode(); op != second;) {
    Operation *next = op->getNextNode();
    op->moveBefore(first);
    op = next;
  }
  auto loop = scf::ForOp::create(builder, loc, first.getLowerBound(),
                                 second.getUpperBound(), second.getStep(),
                                 first.getInitArgs());
  if (!loop.getBody()->empty())
    loop.getBody()->back().erase();
  builder.setInsertionPointToEnd(loop.getBody());
  inFirst.map(first.getBody()->getArguments(), loop.getBody()->getArguments());
  inSecond.map(second.getBody()->getArguments(),
               loop.getBody()->getArguments());
  common = inSecond;
  isInFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            loop.getInductionVar(), first.getUpperBound());
  auto collect = [&](Operation *a, Operation *b) {
    for (auto [ofA, ofB] : llvm::zip(a->getOperands(), b->getOperands()))
      if (!pair.isOne(ofA, ofB))
        alternatives.push_back({ofA, ofB});
  };
  for (Operation &op : second.getBody()->without_terminator())
    if (Operation *partner = pair.partnerOf(&op))
      collect(partner, &op);
  Operation *endA = first.getBody()->getTerminator(),
            *endB = second.getBody()->getTerminator();
  collect(endA, endB);

  for (Operation &op : second.getBody()->without_terminator()) {
    Operation *partner = pair.partnerOf(&op);
    if (!partner)
      continue;
    for (auto [a, b] : llvm::zip(partner->getOperands(), op.getOperands()))
      get(a, b);
    Operation *copy = builder.clone(op, common);
    for (auto [operand, a, b] : llvm::zip(
             copy->getOpOperands(), partner->getOperands(), op.getOperands()))
      operand.set(get(a, b));
    inFirst.map(partner->getResults(), copy->getResults());
    inSecond.map(op.getResults(), copy->getResults());
  }
  SmallVector<Value> results;
  for (auto [a, b] : llvm::zip(endA->getOperands(), endB->getOperands()))
    results.push_back(get(a, b));
  scf::YieldOp::create(builder, loc, results);
  second->replaceAllUsesWith(loop);
  second->erase();
  first->erase();
}

namespace {

struct FuseLoopsPass : heddle::impl::FuseLoopsBase<FuseLoopsPass> {
  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) {
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp second : loops)
        if (scf::ForOp first = findFirst(second))
          fuse(kernel, first, second);
    });
  }

  /// Forms are of the kernel as it is, so each pair gets its own.
  void fuse(tile::KernelOp kernel, scf::ForOp first, scf::ForOp second) {
    AddressForms forms(kernel);
    std::string reason = whyApart(first, second, forms);
    if (reason.empty())
      reason = whyStuck(first, second);
    LoopPair pair(first, second);
    if (reason.empty())
      reason = pair.match();
    if (reason.empty())
      return Fuser(pair).run();
    Report remark = report(second, diag::loops_not_fused);
    remark << "this loop is not joined to the one before, which it carries on: "
           << reason;
    remark.attachNote(first.getLoc()) << "the one before";
  }
};

} // namespace
