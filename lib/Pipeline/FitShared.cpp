//===- FitShared.cpp - Schedules again where shared memory overflowed -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An attempt's messages are kept until it is known whether it counts.
//
//===----------------------------------------------------------------------===//

#include "FitShared.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

/// The kernels, none of whose loops is pipelined any more; false if a person
/// has said that already.
static bool keepInOneProcess(ModuleOp module) {
  bool isNew = false;
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    isNew |= !kernel->hasAttr(sched::kOneProcess);
    kernel->setAttr(sched::kOneProcess, UnitAttr::get(module.getContext()));
  }
  return isNew;
}

/// A schedule that cannot be carried out is no fault of the program's. That
/// there is none is for its author to change, if anybody can.
static bool triesOneProcess(ModuleOp module, const Attempt &made) {
  const Diagnostic *error = made.error();
  if (!error)
    return false;
  const diag::Kind *kind = diag::kindOfMessage(error->str());
  return !kind || kind->outcome != diag::Outcome::Declined ||
         module->hasAttr(sched::kOrOneProcess);
}

LogicalResult heddle::pipeline::lowerToFit(ModuleOp module,
                                           const machine::Limits &limits,
                                           int mostSchedules,
                                           const Lower &lower,
                                           const Probe &probe) {
  OwningOpRef<ModuleOp> program = module.clone();
  Location start = module->getLoc();
  for (auto kernel : module.getOps<tile::KernelOp>())
    start = kernel.getLoc();
  DiagnosticEngine &engine = module.getContext()->getDiagEngine();
  auto lowerKeeping = [&](int64_t kept) {
    return [&lower, kept](ModuleOp copy) { return lower(copy, kept); };
  };
  Attempt first = attempt(module, lowerKeeping(0), probe);
  int64_t kept = 0, overflow = first.overflow;
  for (int count = 1; overflow && count < mostSchedules; ++count) {
    kept += int64_t(llvm::alignTo(overflow, limits.sharedBytesUnit));
    OwningOpRef<ModuleOp> copy = program->clone();
    Attempt next = attempt(*copy, lowerKeeping(kept), probe);
    if (next.isLowered && !next.overflow) {
      become(module, *copy);
      report(start, diag::fewer_slots)
          << "shared memory overflowed by " << first.overflow
          << " B: the schedule gives rings " << kept << " B less";
      next.say(engine);
      return success();
    }
    // There is no schedule with so little. Otherwise slots go in whole rounds:
    // a little less may change nothing.
    if (!next.overflow)
      break;
    kept += next.overflow >= overflow ? kept : 0;
    overflow = next.overflow;
  }
  if (triesOneProcess(*program, first) && keepInOneProcess(*program)) {
    Attempt plain = attempt(*program, lowerKeeping(0), probe);
    if (plain.succeeded()) {
      become(module, *program);
      report(start, diag::one_process) << "the kernel runs in program order, "
                                          "because it was not to be had as "
                                          "several processes: "
                                       << first.error()->str();
      plain.say(engine);
      return success();
    }
  }
  first.say(engine);
  return success(first.isLowered);
}
