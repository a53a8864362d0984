//===- Setup.cpp - Collect rings and processes ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of the aref rung and its arguments. Out: a Machine whose
// processes stand at their first operations. Every operation is checked before
// any runs, so that an order of execution cannot hide one that the simulator
// does not know.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

Machine::Machine(tile::KernelOp kernel, const Options &options)
    : kernel(kernel), options(options),
      evaluatorOptions{options.output, options.maxSteps, options.worker,
                       options.workers},
      evaluator(kernel, evaluatorOptions) {}

static bool isAref(Operation *op) {
  return isa<aref::ArefDialect>(op->getDialect());
}

/// An error unless the simulator or the oracle knows `op` and its values.
LogicalResult Machine::checkOp(Operation *op) {
  bool isControl = isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op);
  if (!isAref(op) && failed(evaluator.checkOp(op)))
    return failure();
  for (Type type : op->getResultTypes()) {
    if (auto flight = dyn_cast<aref::FlightType>(type))
      type = flight.getValue();
    bool isProtocol = isa<aref::ArefDialect>(type.getDialect());
    if (!(isProtocol && (isControl || isAref(op))) &&
        failed(evaluator.checkType(op, type)))
      return failure();
  }
  return success();
}

LogicalResult Machine::collectRing(aref::RingOp op) {
  auto &ring = rings[op.getRing()];
  ring = std::make_unique<Ring>();
  ring->op = op;
  for (Type type : op.getRing().getType().getPayload())
    if (failed(evaluator.checkType(op, type)))
      return failure();
  for (Operation *user : op->getUsers()) {
    // The verifier has seen to it that there is one, and one producer.
    auto owner = user->getParentOfType<aref::ProcessOp>();
    Process *process = llvm::find_if(processes, [&](const auto &process) {
                         return process->op == owner;
                       })->get();
    if (isa<aref::AcquireOp, aref::CloseOp>(user))
      ring->producer = process;
    else if (isa<aref::GetOp, aref::MoreOp>(user) &&
             !llvm::is_contained(ring->consumers, process))
      ring->consumers.push_back(process);
  }
  llvm::sort(ring->consumers, [](const Process *a, const Process *b) {
    return a->index < b->index;
  });
  ring->got.resize(ring->consumers.size());
  return success();
}

/// What stands in front of the processes is theirs in common.
LogicalResult Machine::runShared(Operation *op) {
  if (!isMemoryEffectFree(op))
    return report(op, diag::outside_process)
           << "'" << op->getName()
           << "' stands outside every process, which may not "
              "read or write memory there";
  interp::Inputs inputs;
  for (Value operand : op->getOperands())
    inputs.push_back({operand, shared.lookup(operand).datum});
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto it = shared.find(operand); it != shared.end())
        inputs.push_back({operand, it->second.datum});
  });
  interp::Outputs results;
  if (failed(evaluator.evaluate(op, inputs, results)))
    return failure();
  for (auto [result, datum] : llvm::zip_equal(op->getResults(), results))
    shared[result] = Cell::ofData(datum);
  return success();
}

LogicalResult Machine::setUp(ArrayRef<interp::Argument> arguments) {
  WalkResult checked = kernel.getBody().walk(
      [&](Operation *op) { return WalkResult(checkOp(op)); });
  if (checked.wasInterrupted())
    return failure();
  for (auto op : kernel.getEntry().getOps<aref::ProcessOp>()) {
    auto &process = processes.emplace_back(std::make_unique<Process>());
    process->op = op;
    process->index = processes.size() - 1;
    process->frames.emplace_back(op, &op.getBody().front());
  }
  if (processes.empty())
    return report(kernel, diag::no_kernel)
           << "kernel @" << kernel.getSymName()
           << " has no aref.process; the simulator runs programs of the aref "
              "rung";
  interp::Outputs data;
  if (failed(evaluator.bindArguments(arguments, data)))
    return failure();
  for (auto [value, datum] :
       llvm::zip_equal(kernel.getEntry().getArguments(), data))
    shared[value] = Cell::ofData(datum);
  for (Operation &op : kernel.getEntry()) {
    if (isa<aref::ProcessOp>(op))
      continue;
    auto ring = dyn_cast<aref::RingOp>(op);
    if (failed(ring ? collectRing(ring) : runShared(&op)))
      return failure();
  }
  return success();
}
