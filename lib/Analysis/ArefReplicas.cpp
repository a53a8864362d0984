//===- ArefReplicas.cpp - Replicas among the processes of rings -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rings are what differs here, or what is read of a slot. Of an ordering
// credit, one process fills the slots that the other gets, and both wait and
// arrive: the steps are the same on the hopper rung.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/ArefReplicas.h"

#include "heddle/Analysis/CompareProcesses.h"
#include "heddle/Dialect/Sched/Sched.h"

using namespace mlir;

namespace heddle::aref {

namespace {

bool isCredit(Operation *op) {
  return cast<RingType>(op->getOperand(0).getType()).getPayload().empty();
}

/// A step's name; of a credit, the one that the other side has as well.
StringRef nameOf(Operation *op) {
  if (isa<AcquireOp>(op) && isCredit(op))
    return GetOp::getOperationName();
  if (isa<PublishOp>(op) && isCredit(op))
    return ReleaseOp::getOperationName();
  return op->getName().getStringRef();
}

/// But for what ties an operation to its schedule.
SmallVector<NamedAttribute> attributesOf(Operation *op) {
  SmallVector<NamedAttribute> result;
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (StringRef name = attribute.getName(); name != sched::kOpName &&
                                              name != sched::kSubIndex &&
                                              name != sched::kOriginal)
      result.push_back(attribute);
  return result;
}

class ArefRules : public ProcessRules {
public:
  void begin() override {
    rings.clear();
    back.clear();
  }
  bool areAlike(Operation *a, Operation *b) override {
    return nameOf(a) == nameOf(b) && attributesOf(a) == attributesOf(b);
  }
  SmallVector<OpOperand *> readBy(Operation &op) override {
    // The ring and the token. After what a credit is handed on is in the order
    // of steps.
    bool handsOn = isa<PublishOp, ReleaseOp>(op) && isCredit(&op);
    SmallVector<OpOperand *> operands;
    for (OpOperand &operand : op.getOpOperands())
      if (!handsOn || operand.getOperandNumber() < 2)
        operands.push_back(&operand);
    return operands;
  }
  /// Sub-tiles may share a slot.
  bool isElement(OpResult value) override {
    return isa<GetOp>(value.getOwner()) && value.getResultNumber() >= 2;
  }
  bool areSameOutside(Value a, Value b) override {
    auto one = a.getDefiningOp<RingOp>(), other = b.getDefiningOp<RingOp>();
    if (!one || !other)
      return a == b;
    if (one.getDepth() != other.getDepth() ||
        one.getRing().getType() != other.getRing().getType())
      return false;
    return rings.try_emplace(a, b).first->second == b &&
           back.try_emplace(b, a).first->second == a;
  }

private:
  DenseMap<Value, Value> rings, back;
};

} // namespace

bool areReplicas(ArrayRef<ProcessOp> processes, Operation *&difference) {
  ProcessOp first = processes.front();
  SmallVector<Operation *> ops;
  for (ProcessOp process : processes) {
    if (process.getWarps() != first.getWarps() ||
        process.getRegisters() != first.getRegisters())
      return false;
    ops.push_back(process);
  }
  ArefRules rules;
  return compareProcesses(ops, rules, difference).has_value();
}

} // namespace heddle::aref
