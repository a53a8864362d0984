//===- ReadPlan.cpp - A plan's tables as plain data -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Transforms/ReadPlan.h"

#include "CopyingWarps.h"
#include "ExportProblem.h"
#include "OperationCosts.h"

#include "heddle/Schedule/Timeline.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;

namespace {

class PlanReader {
public:
  PlanReader(sched::PlanOp plan, const machine::Costs &machine)
      : plan(plan), costs(machine) {
    costs.limits = machine::shareOf(costs.limits, plan.getBlocks());
    kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(
        plan, plan.getKernelAttr());
    for (auto process : plan.getBody().getOps<sched::ProcessOp>())
      processes.push_back({process.getSym().str(), int64_t(process.getWarps()),
                           int64_t(process.getRegisters())});
    // Stores in a pipelined loop take threads' time and no unit of their own.
    llvm::StringSet<> names, stores;
    kernel.walk(
        [&](tile::StoreOp store) { stores.insert(sched::opName(store)); });
    plan.walk([&](sched::EntryOp entry) {
      if (stores.contains(entry.getOp()))
        names.insert(entry.getProcess());
    });
    storing = names.size();
  }

  std::vector<PlannedLoop> run() {
    std::vector<PlannedLoop> loops;
    for (auto table : plan.getBody().getOps<sched::TableOp>())
      if (scf::ForOp loop = sched::findLoop(kernel, table.getLoop()))
        if (std::optional<PlannedLoop> planned = read(table, loop))
          loops.push_back(std::move(*planned));
    return loops;
  }

  std::vector<PlannedOperation> readOperations() {
    std::vector<PlannedOperation> operations;
    for (auto table : plan.getBody().getOps<sched::TableOp>()) {
      scf::ForOp loop = sched::findLoop(kernel, table.getLoop());
      if (!loop)
        continue;
      LoopProblem exported = exportLoop(table, loop);
      const schedule::Problem &problem = exported.problem;
      for (auto [operation, op] :
           llvm::zip_equal(problem.operations, exported.ops))
        operations.push_back({operation, problem.units[operation.unit],
                              problem.machine.handOverCycles, stepsOf(op)});
    }
    return operations;
  }

private:
  /// With the times of processes of as many warps as the plan says.
  LoopProblem exportLoop(sched::TableOp table, scf::ForOp loop) {
    LoopProblem exported = exportProblem(kernel, loop, costs, storing);
    llvm::StringMap<int64_t> warps;
    for (auto entry : table.getBody().getOps<sched::EntryOp>())
      if (auto process = findProcess(entry.getProcess());
          process != processes.end())
        warps[entry.getOp()] = process->warps;
    divideCopies(exported, costs, [&](tile::LoadOp load) {
      return warps.lookup(sched::opName(load)) / 4;
    });
    return exported;
  }

  std::vector<schedule::Process>::iterator findProcess(StringRef name) {
    return llvm::find_if(processes,
                         [&](auto &known) { return known.name == name; });
  }

  std::optional<PlannedLoop> read(sched::TableOp table, scf::ForOp loop) {
    PlannedLoop planned;
    LoopProblem exported = exportLoop(table, loop);
    planned.problem = std::move(exported.problem);
    planned.isPipelined = table.getIi() > 0;
    if (planned.problem.operations.empty())
      return std::nullopt;
    llvm::StringMap<sched::EntryOp> entries;
    for (auto entry : table.getBody().getOps<sched::EntryOp>())
      entries[entry.getOp()] = entry;
    if (!planned.isPipelined) {
      planned.problem.loadsApart = false;
      if (processes.size() > 1)
        return std::nullopt;
      planned.solution =
          schedule::inProgramOrder(planned.problem, processes.front());
      return planned;
    }
    schedule::Solution &solution = planned.solution;
    solution.ii = table.getIi();
    solution.processes = processes;
    for (auto [index, operation] : llvm::enumerate(planned.problem.operations))
      place(planned, static_cast<int>(index), entries.at(operation.name));
    // A person may write otherwise; then bounds are those of all schedules.
    planned.problem.loadsApart =
        schedule::keepsLoadsApart(planned.problem, solution);
    schedule::queueUp(planned.problem, solution);
    return planned;
  }

  void place(PlannedLoop &planned, int index, sched::EntryOp entry) {
    schedule::Operation &operation = planned.problem.operations[index];
    schedule::Solution &solution = planned.solution;
    operation.unit = unitNamed(planned.problem, entry.getUnit());
    solution.start.push_back(entry.getStart());
    solution.latency.push_back(entry.getLatency());
    solution.process.push_back(
        static_cast<int>(findProcess(entry.getProcess()) - processes.begin()));
    if (auto name = entry.getRing())
      ringNamed(solution, *name).operations.push_back(index);
  }

  /// The table may name a unit that this machine's problems do not use.
  static int unitNamed(schedule::Problem &problem, StringRef name) {
    auto unit = llvm::find_if(problem.units,
                              [&](auto &known) { return known.name == name; });
    int index = static_cast<int>(unit - problem.units.begin());
    if (unit == problem.units.end())
      problem.units.push_back({name.str(), sched::isAsynchronousUnit(name)});
    return index;
  }

  schedule::Ring &ringNamed(schedule::Solution &solution, StringRef name) {
    for (schedule::Ring &ring : solution.rings)
      if (ring.name == name)
        return ring;
    solution.rings.push_back({name.str(), 1, {}});
    for (auto ring : plan.getBody().getOps<sched::RingOp>())
      if (ring.getSym() == name)
        solution.rings.back().depth = ring.getDepth();
    return solution.rings.back();
  }

  sched::PlanOp plan;
  machine::Costs costs; ///< of a block's share
  tile::KernelOp kernel;
  std::vector<schedule::Process> processes;
  int64_t storing = 0; ///< of them
};

} // namespace

std::vector<PlannedLoop> heddle::readPlan(sched::PlanOp plan,
                                          const machine::Costs &costs) {
  return PlanReader(plan, costs).run();
}

std::vector<PlannedOperation>
heddle::readOperations(sched::PlanOp plan, const machine::Costs &costs) {
  return PlanReader(plan, costs).readOperations();
}

std::vector<schedule::Problem>
heddle::readProblems(ModuleOp module, const machine::Costs &costs) {
  std::vector<schedule::Problem> problems;
  module.walk([&](tile::KernelOp kernel) {
    kernel.walk([&](scf::ForOp loop) {
      if (isPipelined(loop))
        problems.push_back(exportProblem(kernel, loop, costs).problem);
    });
  });
  return problems;
}
