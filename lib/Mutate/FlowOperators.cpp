//===- FlowOperators.cpp - Turns that some iterations leave out or repeat ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes in control flow and in names: a loop runs once too often or too
// rarely, an event is left out in some iterations, belongs to another ring or
// to the other side, two counters are exchanged, a declaration is another
// one's. Each event is right where it happens, so only a count of turns over
// all iterations can notice.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle::hopper;

namespace heddle::mutate {

/// A loop in which a process meets others; null for all else.
static scf::ForOp asTurns(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return {};
  bool meets = false;
  loop->walk([&](Operation *each) {
    meets |= isa<WaitOp, ArriveOp, ExpectOp, SyncOp>(each);
  });
  return meets ? loop : scf::ForOp();
}

static Value plusStep(scf::ForOp loop, Value bound) {
  OpBuilder builder(loop);
  return arith::AddIOp::create(builder, loop.getLoc(), bound, loop.getStep());
}

static bool runLonger(Operation *op) {
  scf::ForOp loop = asTurns(op);
  if (loop)
    loop.setUpperBound(plusStep(loop, loop.getUpperBound()));
  return bool(loop);
}

static bool startLater(Operation *op) {
  scf::ForOp loop = asTurns(op);
  if (loop)
    loop.setLowerBound(plusStep(loop, loop.getLowerBound()));
  return bool(loop);
}

/// The innermost loop of the process around an event.
static scf::ForOp loopAround(Operation *op) {
  for (Operation *up = op->getParentOp(); !isa<ProcessOp, KernelOp>(up);
       up = up->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(up))
      return loop;
  return {};
}

/// Under `iteration != lower bound` or `iteration == lower bound`.
template <typename Op>
static bool guard(Operation *op, arith::CmpIPredicate predicate) {
  if (!isa<Op>(op) || op->getNumResults() != 0)
    return false;
  scf::ForOp loop = loopAround(op);
  if (!loop)
    return false;
  OpBuilder builder(op);
  Value holds =
      arith::CmpIOp::create(builder, op->getLoc(), predicate,
                            loop.getInductionVar(), loop.getLowerBound());
  auto branch = scf::IfOp::create(builder, op->getLoc(), holds);
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  return true;
}

template <typename Op> static bool skipFirst(Operation *op) {
  return guard<Op>(op, arith::CmpIPredicate::ne);
}

template <typename Op> static bool onlyFirst(Operation *op) {
  return guard<Op>(op, arith::CmpIPredicate::eq);
}

/// Another ring with as many slots, so that the slot stays one of its own.
static bool arriveElsewhere(Operation *op) {
  auto arrive = dyn_cast<ArriveOp>(op);
  if (!arrive)
    return false;
  RingOp own = ringNamed(op, arrive.getRing());
  for (auto ring : op->getParentOfType<KernelOp>().getOps<RingOp>())
    if (ring != own && own && ring.getDepth() == own.getDepth()) {
      arrive.setRing(ring.getSym());
      return true;
    }
  return false;
}

template <typename Op> static bool exchangeSides(Operation *op) {
  auto event = dyn_cast<Op>(op);
  if (event)
    event.setSide(event.getSide() == "full" ? "empty" : "full");
  return bool(event);
}

/// The first two neighbouring counters that a loop hands on differently.
static bool exchangeCounters(Operation *op) {
  scf::ForOp loop = asTurns(op);
  if (!loop)
    return false;
  Operation *yield = loop.getBody()->getTerminator();
  for (unsigned i = 0; i + 1 < yield->getNumOperands(); ++i) {
    Value first = yield->getOperand(i), second = yield->getOperand(i + 1);
    if (first == second || !first.getType().isInteger(32) ||
        !second.getType().isInteger(32))
      continue;
    yield->setOperand(i, second);
    yield->setOperand(i + 1, first);
    return true;
  }
  return false;
}

/// A buffer lies over the one declared before it.
static bool aliasBuffers(Operation *op) {
  auto buffer = dyn_cast<BufferOp>(op);
  if (!buffer)
    return false;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (auto other = dyn_cast<BufferOp>(before)) {
      if (other.getOffset() == buffer.getOffset())
        return false;
      buffer.setOffset(other.getOffset());
      return true;
    }
  return false;
}

static bool electNobody(Operation *op) {
  auto process = dyn_cast<ProcessOp>(op);
  if (!process || !process.getElected())
    return false;
  process.setElected(false);
  return true;
}

static const Operator kOperators[] = {
    {"run-longer", "A loop of turns runs once too often.", runLonger},
    {"start-later", "A loop of turns leaves out its first iteration.",
     startLater},
    {"skip-first-arrive", "A loop's first iteration does not arrive.",
     skipFirst<ArriveOp>},
    {"only-first-arrive", "Only a loop's first iteration arrives.",
     onlyFirst<ArriveOp>},
    {"skip-first-wait", "A loop's first iteration does not wait.",
     skipFirst<WaitOp>},
    {"only-first-wait", "Only a loop's first iteration waits.",
     onlyFirst<WaitOp>},
    {"skip-first-copy", "A loop's first iteration does not copy.",
     skipFirst<TmaLoadOp>},
    {"only-first-copy", "Only a loop's first iteration copies.",
     onlyFirst<TmaLoadOp>},
    {"only-first-fence", "Only a loop's first iteration fences.",
     onlyFirst<FenceAsyncOp>},
    {"only-first-sync", "Only a loop's first iteration meets the others.",
     onlyFirst<SyncOp>},
    {"only-first-store-wait",
     "Only a loop's first iteration waits for its TMA stores.",
     onlyFirst<TmaStoreWaitOp>},
    {"arrive-elsewhere", "An arrival is for another ring.", arriveElsewhere},
    {"arrive-other-side", "An arrival is for the ring's other side.",
     exchangeSides<ArriveOp>},
    {"wait-other-side", "A wait is for the ring's other side.",
     exchangeSides<WaitOp>},
    {"exchange-counters", "A loop hands on two counters in each other's place.",
     exchangeCounters},
    {"alias-buffers", "Two buffers have the same bytes.", aliasBuffers},
    {"elect-nobody", "All threads do the work of one.", electNobody},
};

ArrayRef<Operator> flowOperators() { return kOperators; }

} // namespace heddle::mutate
