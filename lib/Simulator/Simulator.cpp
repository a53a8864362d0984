//===- Simulator.cpp - Runs processes joined by rings ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

/// Its last step waited for a ring to which nothing has happened since. Most
/// of many processes wait, and policies ask them all.
bool Machine::stillWaits(const Process &process) const {
  const Wait &wait = process.wait;
  return process.isWaiting && wait.kind != Wait::Tasks &&
         wait.changes == wait.ring->changes && wait.landings == landings;
}

Progress Machine::step(Process &process) {
  if (process.hasEnded() || stillWaits(process))
    return Progress::Waits;
  Frame &frame = process.frames.back();
  // Only a process's own body has no terminator.
  if (frame.next == frame.block->end()) {
    process.frames.pop_back();
    return Progress::Ran;
  }
  Operation *op = &*frame.next;
  if (options.maxSteps && steps >= options.maxSteps) {
    report(op->getLoc(), diag::step_limit)
        << "the simulator stops after " << options.maxSteps
        << " operations, here in process '" << process.name() << "'";
    return Progress::Failed;
  }
  Progress progress;
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(
          op)) { // moves by itself
    progress = stepControl(process, op);
  } else {
    if (isa<aref::StartOp, aref::AwaitOp>(op))
      progress = stepFlight(process, op);
    else if (isa<aref::ArefDialect>(op->getDialect()))
      progress = stepRing(process, op);
    else
      progress = stepPlain(process, op);
    if (progress == Progress::Ran)
      ++frame.next;
  }
  steps += progress == Progress::Ran;
  process.isWaiting = progress == Progress::Waits;
  return progress;
}

LogicalResult heddle::simulator::simulate(tile::KernelOp kernel,
                                          ArrayRef<interp::Argument> arguments,
                                          const Options &options) {
  Machine machine(kernel, options);
  if (failed(machine.setUp(arguments)))
    return failure();
  switch (options.schedule) {
  case Schedule::Fair:
    return runFair(machine);
  case Schedule::Random:
    return runRandom(machine, options.seed);
  case Schedule::Adversarial:
    return runAdversarial(machine, options.seed);
  case Schedule::Timed:
    if (options.timing->units)
      return runOnUnits(machine, *options.timing, *options.run);
    return runTimed(machine, *options.timing, options.seed, *options.run);
  case Schedule::Local:
    return runLocal(machine, *options.run, options.notesSteps);
  }
  llvm_unreachable("a schedule without a policy");
}
