//===- HopperReplicas.cpp - Replicas among a kernel's warp groups ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is a number on the hopper rung: besides operands, where rings, buffers
// and barriers are, which operations name.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/HopperReplicas.h"

#include "heddle/Dialect/Replicas.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

namespace {

/// The ring of `op`'s kernel that has the name, which the verifier requires.
RingOp findRing(Operation *op, StringRef name) {
  for (auto ring : op->getParentOfType<KernelOp>().getOps<RingOp>())
    if (ring.getSym() == name)
      return ring;
  return RingOp();
}

/// Where the ring, buffer or barrier that an operation names is, in bytes or as
/// the barrier's number; nothing for other operations.
std::optional<int64_t> placeOf(Operation *op) {
  auto barrier = [&](StringRef name, StringRef side) {
    RingOp found = findRing(op, name);
    return int64_t(side == "full" ? found.getFull() : found.getEmpty());
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<WaitOp, ArriveOp>(
          [&](auto op) { return barrier(op.getRing(), op.getSide()); })
      .Case<ExpectOp, TmaLoadOp>(
          [&](auto op) { return barrier(op.getRing(), "full"); })
      .Case([&](SlotOp slot) {
        return int64_t(findRing(op, slot.getRing()).getOffset() +
                       slot.getOffset());
      })
      .Case([&](BufferOp buffer) { return int64_t(buffer.getOffset()); })
      .Case([&](SyncOp sync) { return int64_t(sync.getId()); })
      .Default([](Operation *) { return std::nullopt; });
}

/// How far apart the slots of a ring are; 0 of an operation without one.
int64_t strideOf(Operation *op) {
  auto slot = dyn_cast<SlotOp>(op);
  return slot ? int64_t(findRing(op, slot.getRing()).getSlotBytes()) : 0;
}

/// Attributes that say where a place is, which `placeOf` has looked at.
bool saysWhere(Operation *op, StringRef attribute) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<WaitOp>(
          [&](auto) { return attribute == "ring" || attribute == "side"; })
      .Case<ArriveOp>([&](auto) {
        return attribute == "ring" || attribute == "side" ||
               attribute == "operandSegmentSizes"; // of what is read, later
      })
      .Case<ExpectOp, TmaLoadOp>([&](auto) { return attribute == "ring"; })
      .Case<SlotOp>(
          [&](auto) { return attribute == "ring" || attribute == "offset"; })
      .Case<BufferOp>(
          [&](auto) { return attribute == "sym" || attribute == "offset"; })
      .Case<SyncOp>([&](auto) { return attribute == "id"; })
      .Default([](Operation *) { return false; });
}

/// An operand that only says what an operation stands behind: the steps are in
/// the same order, and no code reads it.
bool isOnlyOrder(OpOperand &operand) {
  auto arrive = dyn_cast<ArriveOp>(operand.getOwner());
  if (!arrive)
    return false;
  auto [first, count] = arrive.getODSOperandIndexAndLength(1);
  return operand.getOperandNumber() >= first &&
         operand.getOperandNumber() < first + count;
}

SmallVector<OpOperand *> readBy(Operation &op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op.getOpOperands())
    if (!isOnlyOrder(operand))
      operands.push_back(&operand);
  return operands;
}

/// But for places, and for what ties an operation to its schedule.
bool haveEqualAttributes(Operation *a, Operation *b) {
  if (a->getName() != b->getName())
    return false;
  auto others = [](Operation *op) {
    SmallVector<NamedAttribute> result;
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (StringRef name = attribute.getName();
          !name.starts_with("sched.") && !saysWhere(op, name))
        result.push_back(attribute);
    return result;
  };
  return others(a) == others(b) && strideOf(a) == strideOf(b);
}

class HopperRules : public ProcessRules {
public:
  bool areAlike(Operation *a, Operation *b) override {
    return haveEqualAttributes(a, b);
  }
  SmallVector<OpOperand *> readBy(Operation &op) override {
    return hopper::readBy(op);
  }
  std::optional<int64_t> placeOf(Operation *op) override {
    return hopper::placeOf(op);
  }
};

} // namespace

/// Can they be told apart by their warps alone, one group of as many warps
/// behind the other?
static bool haveLikeWarps(ArrayRef<ProcessOp> processes) {
  ProcessOp first = processes.front();
  for (auto [i, process] : llvm::enumerate(processes)) {
    ProcessOp other = process;
    if (other.getWarps() != first.getWarps() ||
        other.getFirstWarp() != first.getFirstWarp() + i * first.getWarps() ||
        other.getRegisters() != first.getRegisters() ||
        other.getElected() != first.getElected())
      return false;
  }
  return true;
}

std::optional<ReplicaNumbers> compareProcesses(ArrayRef<ProcessOp> processes,
                                               Operation *&difference) {
  if (!haveLikeWarps(processes))
    return std::nullopt;
  SmallVector<Operation *> ops(processes.begin(), processes.end());
  HopperRules rules;
  return heddle::compareProcesses(ops, rules, difference);
}

void partReplicas(ArrayRef<ProcessOp> group,
                  function_ref<void(ProcessOp, Operation *)> tell) {
  ArrayRef<ProcessOp> last = group;
  for (Operation *difference = nullptr;
       last.size() > 1 && !compareProcesses(last, difference);
       last = last.drop_front(), difference = nullptr)
    tell(last.front(), difference);
  if (last.size() == group.size())
    return;
  for (ProcessOp process : group)
    process->removeAttr(kReplicaOf);
  ProcessOp leader = last.front();
  for (ProcessOp process : last.drop_front())
    process->setAttr(kReplicaOf, leader.getSymAttr());
}

} // namespace heddle::hopper
