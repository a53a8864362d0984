//===- ScheduleReport.cpp - A program's schedules in words ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Report/ScheduleReport.h"

#include "heddle/Report/ScheduleTable.h"

#include "heddle/Pipeline/General.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

ScheduleReport::ScheduleReport(mlir::ModuleOp module,
                               const machine::Costs &costs) {
  assumptions = pipeline::assumptionsOf(module);
  raw_string_ostream stream(table);
  module.walk([&](sched::PlanOp plan) {
    printSchedule(plan, stream);
    for (const PlannedLoop &loop : readPlan(plan, costs))
      add(plan.getKernel().str(), loop);
  });
}

void ScheduleReport::add(const std::string &kernel, const PlannedLoop &loop) {
  loops.push_back(
      schedule::explain(kernel, loop.problem, loop.solution, loop.isPipelined));
}

void ScheduleReport::print(raw_ostream &os) const {
  os << table;
  if (!assumptions.empty())
    os << "\nassumed, and checked by each launch\n";
  for (const std::string &sentence : assumptions)
    os << "  " << sentence << "\n";
  for (const schedule::Explanation &loop : loops) {
    os << "\nloop " << loop.timeline.loop << " of " << loop.timeline.kernel
       << ": what binds it\n";
    for (const std::string &sentence : loop.sentences)
      os << "  " << sentence << "\n";
  }
  if (!tiles.sentences.empty())
    os << "\n" << tiles.title << "\n";
  for (const std::string &sentence : tiles.sentences)
    os << "  " << sentence << "\n";
}
