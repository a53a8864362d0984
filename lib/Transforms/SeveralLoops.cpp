//===- SeveralLoops.cpp - The loops of a kernel, one after another --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeveralLoops.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

static std::string processOf(const SolvedLoop &solved, Operation *op) {
  const schedule::Solution &solution = *solved.plan.outcome.solution;
  for (auto [known, process] : llvm::zip(solved.exported.ops, solution.process))
    if (known == op)
      return solution.processes[process].name;
  return "";
}

/// The process that holds `value` in registers behind these loops: who made it,
/// or what it is computed from. Rings hand on what is loaded and staged.
static std::string holderOf(ArrayRef<SolvedLoop> loops, Value value) {
  value = tile::lookThroughRenaming(value);
  Operation *op = value.getDefiningOp();
  if (!op || !isa<RankedTensorType>(value.getType()) ||
      isa<tile::LoadOp, tile::StageOp>(op))
    return "";
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop) {
    if (op->getNumRegions() == 0)
      for (Value operand : op->getOperands())
        if (std::string holder = holderOf(loops, operand); !holder.empty())
          return holder;
    return "";
  }
  auto found = llvm::find_if(
      loops, [&](const SolvedLoop &solved) { return solved.loop == loop; });
  if (found == loops.end() || !found->plan.outcome.solution)
    return "";
  unsigned number = cast<OpResult>(value).getResultNumber();
  Value yielded = tile::lookThroughRenaming(loop.getYieldedValues()[number]);
  if (yielded == loop.getRegionIterArg(number))
    return holderOf(loops, loop.getInitArgs()[number]);
  return processOf(*found, yielded.getDefiningOp());
}

bool heddle::pinToHolders(ArrayRef<SolvedLoop> earlier, SolvedLoop &later) {
  if (earlier.empty() || !later.plan.outcome.solution)
    return false;
  schedule::Partial pinned = later.described.pinned;
  pinned.operations.resize(later.exported.ops.size());
  bool isChanged = false;
  auto pin = [&](Operation *op, const std::string &holder) {
    auto known = llvm::find(later.exported.ops, op);
    if (holder.empty() || known == later.exported.ops.end())
      return;
    pinned.operations[known - later.exported.ops.begin()].process = holder;
    isChanged |= processOf(later, op) != holder;
  };
  for (Operation *op : later.exported.ops)
    for (Value operand : op->getOperands())
      if (!later.loop->isProperAncestor(tile::lookThroughRenaming(operand)
                                            .getParentBlock()
                                            ->getParentOp()))
        pin(op, holderOf(earlier, operand));
  for (auto [init, yielded] :
       llvm::zip(later.loop.getInitArgs(), later.loop.getYieldedValues()))
    pin(tile::lookThroughRenaming(yielded).getDefiningOp(),
        holderOf(earlier, init));
  if (isChanged)
    later.described.pinned = std::move(pinned);
  return isChanged;
}

int64_t heddle::registersOf(ArrayRef<schedule::Process> processes) {
  int64_t sum = 0;
  for (const schedule::Process &process : processes)
    sum += process.registers * process.warps;
  return sum;
}

std::vector<schedule::Process> heddle::processesOf(ArrayRef<SolvedLoop> loops,
                                                   int64_t registers) {
  std::vector<schedule::Process> given, needed;
  auto raise = [](std::vector<schedule::Process> &list,
                  schedule::Process process) {
    auto known = llvm::find_if(
        list, [&](const auto &other) { return other.name == process.name; });
    if (known == list.end())
      list.push_back(std::move(process));
    else
      *known = {known->name, std::max(known->warps, process.warps),
                std::max(known->registers, process.registers)};
  };
  for (const SolvedLoop &solved : loops) {
    const schedule::Problem &problem = solved.described.problem;
    const schedule::Solution &solution = *solved.plan.outcome.solution;
    for (auto [index, process] : llvm::enumerate(solution.processes)) {
      raise(given, process);
      schedule::Process least = process;
      if (int64_t held = schedule::peakRegisters(problem, solution, int(index)))
        least.registers =
            llvm::alignTo(held + problem.machine.overheadRegisters, 8);
      raise(needed, std::move(least));
    }
  }
  return registersOf(given) <= registers ? given : needed;
}

LogicalResult heddle::reportCrowded(ArrayRef<SolvedLoop> loops,
                                    int64_t registers) {
  scf::ForOp last = loops.back().loop;
  return report(last, diag::no_schedule)
         << "no schedule for the " << loops.size()
         << " loops together: their processes need "
         << registersOf(processesOf(loops, registers))
         << " registers in a lane of all warps, and there are " << registers
         << "; choose smaller tiles";
}

/// The slots of all rings, if each ring has so many.
static int64_t
ringBytes(const SolvedLoop &solved,
          llvm::function_ref<int64_t(const schedule::Ring &)> depth) {
  int64_t sum = 0;
  for (const schedule::Ring &ring : solved.plan.outcome.solution->rings)
    for (const schedule::Transfer &transfer : solved.exported.problem.transfers)
      if (llvm::is_contained(ring.operations, transfer.from))
        sum += transfer.bytes * depth(ring);
  return sum;
}

std::vector<int64_t> heddle::leftToOthers(ArrayRef<SolvedLoop> loops) {
  std::vector<int64_t> once;
  int64_t used = 0, loaded = 0;
  for (const SolvedLoop &solved : loops) {
    used += ringBytes(solved, [](const auto &ring) { return ring.depth; });
    once.push_back(ringBytes(solved, [](const auto &) { return 1; }));
    loaded += once.back();
  }
  if (loops.size() < 2 || loaded == 0 ||
      used <= loops.front().exported.problem.machine.sharedBytes)
    return {};
  for (auto [solved, bytes] : llvm::zip(loops, once)) {
    double all = solved.exported.problem.machine.sharedBytes;
    bytes = int64_t(all - all * double(bytes) / double(loaded));
  }
  return once;
}
