//===- MergeReplicas.cpp - One process for a process and its replicas -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number that grows evenly from replica to replica is a multiple of the
// replica's number, any other one is chosen by it.
//
//===----------------------------------------------------------------------===//

#include "MergeReplicas.h"

#include "heddle/Analysis/HopperReplicas.h"
#include "heddle/Conversion/DebugWaits.h"
#include "heddle/Dialect/Replicas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

using namespace mlir;

namespace heddle::tonvvm {

namespace {

/// Numbers that depend on which of the replicas runs a process.
class Choices {
public:
  explicit Choices(hopper::ProcessOp process)
      : builder(process.getContext()), loc(process.getLoc()) {
    Block &body = process.getBody().front();
    number = body.addArgument(builder.getI32Type(), loc);
    place = OpBuilder::InsertPoint(&body, body.begin());
  }

  /// One of `values`, an i32.
  Value choose(const std::vector<int64_t> &values) {
    Value &chosen = known[values];
    if (chosen)
      return chosen;
    builder.restoreInsertionPoint(place);
    bool isEven = true;
    for (size_t i = 0; i < values.size(); ++i)
      isEven &= values[i] == int64_t(i) * values[1];
    if (isEven)
      return chosen = arith::MulIOp::create(builder, loc, number,
                                            constant(values[1]));
    chosen = constant(values[0]);
    for (size_t i = 1; i < values.size(); ++i)
      chosen = arith::SelectOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number,
                                constant(int64_t(i))),
          constant(values[i]), chosen);
    return chosen;
  }

  /// Gives `operand` what each replica reads there.
  void apply(OpOperand &operand, ArrayRef<NumberChange> changes) {
    std::vector<int64_t> more, flips;
    for (const NumberChange &change : changes) {
      more.push_back(change.more);
      flips.push_back(change.flip);
    }
    bool isFlip = llvm::any_of(flips, [](int64_t flip) { return flip != 0; });
    Value chosen = choose(isFlip ? flips : more);
    builder.setInsertionPoint(operand.getOwner());
    Value value = operand.get();
    chosen = convert(chosen, value.getType());
    operand.set(
        isFlip
            ? arith::XOrIOp::create(builder, loc, value, chosen).getResult()
            : arith::AddIOp::create(builder, loc, value, chosen).getResult());
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value convert(Value i32, Type type) {
    if (auto tile = dyn_cast<RankedTensorType>(type))
      return tile::SplatOp::create(builder, loc, tile,
                                   convert(i32, tile.getElementType()));
    if (type.isIndex())
      return arith::IndexCastOp::create(builder, loc, type, i32);
    if (type.getIntOrFloatBitWidth() > 32)
      return arith::ExtSIOp::create(builder, loc, type, i32);
    if (type.getIntOrFloatBitWidth() < 32)
      return arith::TruncIOp::create(builder, loc, type, i32);
    return i32;
  }

  OpBuilder builder;
  Location loc;
  Value number; ///< of the replica, i32
  OpBuilder::InsertPoint place;
  std::map<std::vector<int64_t>, Value> known;
};

} // namespace

static LogicalResult merge(ArrayRef<hopper::ProcessOp> processes,
                           MergedReplicas &merged) {
  hopper::ProcessOp leader = processes.front();
  Operation *difference = nullptr;
  auto numbers = hopper::compareProcesses(processes, difference);
  if (!numbers)
    return reportNoReplica(processes.back(), leader, difference);
  Choices choices(leader);
  for (auto &[operand, changes] : numbers->operands)
    choices.apply(*operand, changes);
  for (auto &[op, bytes] : numbers->places)
    merged.shifts[op] = choices.choose(bytes);
  merged.counts[leader] = int64_t(processes.size());
  for (hopper::ProcessOp replica : processes.drop_front())
    replica.erase();
  return success();
}

/// Do the processes of a kernel say which of them they are, in stamps or in
/// what a wait leaves that traps? Then each has its own code.
static bool isInstrumented(hopper::KernelOp kernel) {
  return kernel->getParentOfType<ModuleOp>()->hasAttr(kDebugWaitsAttribute) ||
         kernel.walk([](hopper::StampOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

FailureOr<MergedReplicas> mergeReplicas(hopper::KernelOp kernel) {
  MergedReplicas merged;
  if (isInstrumented(kernel))
    return merged;
  for (auto &[name, processes] :
       groupReplicas<hopper::ProcessOp>(kernel.getBody())) {
    if (failed(
            verifyReplicas(name, llvm::to_vector_of<Operation *>(processes))))
      return failure();
    if (processes.size() > 1 && failed(merge(processes, merged)))
      return failure();
  }
  return merged;
}

} // namespace heddle::tonvvm
