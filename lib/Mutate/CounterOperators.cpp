//===- CounterOperators.cpp - Slots and phases ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes in slots and phases: a counter stands still, wraps at another depth,
// is lost in a loop, or is used a turn off. Counters are recognised by the form
// that the lowering gives them. Where that form changes, an operator finds no
// site; the numbers of sites in docs/trust-mutants.md show it.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle::hopper;

namespace heddle::mutate {

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

/// The slot after `slot` of a ring with more than one.
static Value nextSlot(Operation *op, StringRef name, Value slot) {
  RingOp ring = ringNamed(op, name);
  if (!ring || ring.getDepth() < 2)
    return {};
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value next =
      arith::AddIOp::create(builder, loc, slot, constant(builder, loc, 1));
  return arith::RemUIOp::create(builder, loc, next,
                                constant(builder, loc, ring.getDepth()));
}

template <typename Op> static bool useNextSlot(Operation *op) {
  auto use = dyn_cast<Op>(op);
  Value next = use ? nextSlot(op, use.getRing(), use.getSlot()) : Value();
  if (!next)
    return false;
  use.getSlotMutable().assign(next);
  return true;
}

static bool flipPhase(Operation *op) {
  auto wait = dyn_cast<WaitOp>(op);
  if (!wait)
    return false;
  OpBuilder builder(op);
  wait.getPhaseMutable().assign(
      arith::XOrIOp::create(builder, op->getLoc(), wait.getPhase(),
                            constant(builder, op->getLoc(), 1)));
  return true;
}

/// A counter's step: `%wraps ? %on_wrap : %otherwise`.
static arith::SelectOp asStep(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && select.getType().isInteger(32) &&
                 select.getCondition().getDefiningOp<arith::CmpIOp>()
             ? select
             : arith::SelectOp();
}

static bool freezePhase(Operation *op) {
  auto step = asStep(op);
  if (!step || !step.getTrueValue().getDefiningOp<arith::XOrIOp>())
    return false;
  step.getTrueValueMutable().assign(step.getFalseValue());
  return true;
}

static bool flipPhaseAlways(Operation *op) {
  auto step = asStep(op);
  if (!step || !step.getTrueValue().getDefiningOp<arith::XOrIOp>())
    return false;
  step.getFalseValueMutable().assign(step.getTrueValue());
  return true;
}

static bool freezeSlot(Operation *op) {
  auto step = asStep(op);
  auto add = step ? step.getFalseValue().getDefiningOp<arith::AddIOp>()
                  : arith::AddIOp();
  if (!add)
    return false;
  step.getResult().replaceAllUsesWith(add.getLhs());
  return true;
}

/// Where a counter is compared with the ring's depth.
static bool changeDepth(Operation *op, int64_t by) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  APInt depth;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !compare.getLhs().getType().isInteger(32) ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&depth)) ||
      !llvm::any_of(op->getUsers(),
                    [](Operation *user) { return bool(asStep(user)); }))
    return false;
  if (depth.getSExtValue() + by < 1)
    return false;
  OpBuilder builder(op);
  compare.getRhsMutable().assign(
      constant(builder, op->getLoc(), depth.getSExtValue() + by));
  return true;
}

static bool wrapLate(Operation *op) { return changeDepth(op, 1); }
static bool wrapEarly(Operation *op) { return changeDepth(op, -1); }

/// The loop hands on what its first iteration got.
static bool loseCounters(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  bool changed = false;
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (argument.getType().isInteger(32) && yield->getOperand(i) != argument) {
      yield->setOperand(i, argument);
      changed = true;
    }
  return changed;
}

/// The loop begins with slot 0 and the first phase again.
static bool restartCounters(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !loop->getParentOfType<scf::ForOp>())
    return false;
  OpBuilder builder(op);
  bool changed = false;
  for (OpOperand &init : loop.getInitArgsMutable())
    if (init.get().getType().isInteger(32)) {
      init.set(constant(builder, op->getLoc(), 0));
      changed = true;
    }
  return changed;
}

/// A slot that the loop carries for its release is the current one instead.
static bool releaseCurrent(Operation *op) {
  auto arrive = dyn_cast<ArriveOp>(op);
  auto argument =
      arrive ? dyn_cast<BlockArgument>(arrive.getSlot()) : BlockArgument();
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument == loop.getInductionVar())
    return false;
  Value yielded = loop.getTiedLoopYieldedValue(argument)->get();
  if (yielded == argument || yielded.getDefiningOp())
    return false; // the counter itself
  arrive.getSlotMutable().assign(yielded);
  return true;
}

static const Operator kOperators[] = {
    {"flip-phase", "A wait has the other parity.", flipPhase},
    {"freeze-phase", "A phase does not flip when its slot wraps.", freezePhase},
    {"hurry-phase", "A phase flips with every turn.", flipPhaseAlways},
    {"freeze-slot", "A slot does not advance.", freezeSlot},
    {"wrap-late", "One end wraps as if the ring had a slot more.", wrapLate},
    {"wrap-early", "One end wraps as if the ring had a slot less.", wrapEarly},
    {"lose-counter", "Slots and phases are not carried through a loop.",
     loseCounters},
    {"restart-counter", "Slots and phases start again in an inner loop.",
     restartCounters},
    {"release-current", "The current turn is released, not the one before.",
     releaseCurrent},
    {"wrong-tile", "A copy or read uses the next slot's tile.",
     useNextSlot<SlotOp>},
    {"wrong-arrive", "An arrival is for the next slot.", useNextSlot<ArriveOp>},
    {"wrong-wait", "A wait is for the next slot.", useNextSlot<WaitOp>},
    {"wrong-expect", "Bytes are announced for the next slot.",
     useNextSlot<ExpectOp>},
    {"wrong-completion", "A copy completes on the next slot's barrier.",
     useNextSlot<TmaLoadOp>},
};

ArrayRef<Operator> counterOperators() { return kOperators; }

} // namespace heddle::mutate
