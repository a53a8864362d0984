//===- Choose.cpp - Rank the legal tiles of a program ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two rounds. All combinations go through the passes up to the problem, whose
// bounds rank them in milliseconds each. The best, and the program's own, are
// then scheduled and lowered whole, until enough have passed.
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Sched/Sched.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using pipeline::Rung;

namespace {

using Values = std::vector<int64_t>;

/// Keeps the first error instead of printing it, and drops remarks.
class ErrorKeeper {
public:
  explicit ErrorKeeper(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (first.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            first = diagnostic.str();
          return success();
        }) {}
  std::string first;

private:
  ScopedDiagnosticHandler handler;
};

class Chooser {
public:
  Chooser(ModuleOp module, const Options &options)
      : module(module), options(options) {}

  Choice run() {
    findParameters();
    for (const Values &values : combinations())
      choice.candidates.push_back(bounded(values));
    rank();
    solveBest();
    rank();
    return std::move(choice);
  }

  Candidate solved(const std::vector<std::string> &parameters,
                   const Values &values) {
    Candidate candidate{values, "", {}};
    OwningOpRef<ModuleOp> scheduled = instantiate(parameters, values);
    ErrorKeeper errors(module.getContext());
    if (failed(pipeline::lower(*scheduled, Rung::Tile, Rung::Sched,
                               options.lowering))) {
      candidate.refused = errors.first;
      return candidate;
    }
    int64_t blocks = 1;
    if (canLower() && failed(lowerWhole(*scheduled, blocks))) {
      candidate.refused = errors.first;
      return candidate;
    }
    forEachKernel(*scheduled, [&](tile::KernelOp kernel) {
      sched::PlanOp plan = sched::findPlan(kernel);
      add(candidate.estimate,
          estimate(kernel, describeWork(kernel, options.machine),
                   readPlan(plan, options.machine), blocks, options.machine,
                   options.extents));
    });
    return candidate;
  }

private:
  void findParameters() {
    choice.parameters = findTileShapes(module);
    llvm::erase_if(choice.parameters, [&](const std::string &name) {
      return llvm::is_contained(options.fixed, name);
    });
    for (const std::string &name : choice.parameters) {
      auto parameter = module.lookupSymbol<tile::ParamOp>(name);
      choice.own.push_back(parameter.getInit());
      legal.push_back(llvm::to_vector(parameter.getValues()));
    }
    forEachKernel(module, [&](tile::KernelOp kernel) {
      for (BlockArgument argument : kernel.getEntry().getArguments())
        choice.isOpen |= isa<tile::ViewType>(argument.getType()) &&
                         !options.extents.views.contains(
                             kernel.getArgName(argument.getArgNumber()));
    });
  }

  std::vector<Values> combinations() const {
    std::vector<Values> all = {{}};
    for (const auto &values : legal) {
      std::vector<Values> longer;
      for (const Values &begin : all)
        for (int64_t value : values) {
          longer.push_back(begin);
          longer.back().push_back(value);
        }
      all = std::move(longer);
    }
    return all;
  }

  OwningOpRef<ModuleOp> instantiate(const std::vector<std::string> &parameters,
                                    const Values &values) {
    OwningOpRef<ModuleOp> copy = module.clone();
    for (auto [name, value] : llvm::zip(parameters, values))
      copy->lookupSymbol<tile::ParamOp>(name).setInit(value);
    return copy;
  }

  static void forEachKernel(ModuleOp module,
                            llvm::function_ref<void(tile::KernelOp)> visit) {
    for (auto kernel : module.getOps<tile::KernelOp>())
      visit(kernel);
  }

  /// Kernels of a program run one after the other; what binds is said of the
  /// longest.
  static void add(Estimate &all, const Estimate &one) {
    double total = all.total + one.total;
    bool isSolved = one.isSolved && (all.isSolved || all.total == 0);
    if (one.total >= all.total)
      all = one;
    all.total = total;
    all.isSolved = isSolved;
  }

  Candidate bounded(const Values &values) {
    Candidate candidate{values, "", {}};
    OwningOpRef<ModuleOp> copy = instantiate(choice.parameters, values);
    ErrorKeeper errors(module.getContext());
    if (failed(pipeline::split(*copy, options.lowering))) {
      candidate.refused = errors.first;
      return candidate;
    }
    forEachKernel(*copy, [&](tile::KernelOp kernel) {
      add(candidate.estimate,
          estimate(kernel, describeWork(kernel, options.machine), {}, 1,
                   options.machine, options.extents));
    });
    // Without a loop to schedule, a kernel's time depends on how many blocks
    // share a multiprocessor, which lowering decides.
    candidate.estimate.isSolved = false;
    return candidate;
  }

  bool canLower() const { return pipeline::isCodeMadeFor(options.machine); }

  LogicalResult lowerWhole(ModuleOp scheduled, int64_t &blocks) {
    OwningOpRef<ModuleOp> copy = scheduled.clone();
    if (failed(pipeline::lower(*copy, Rung::Sched, Rung::Hopper,
                               options.lowering)))
      return failure();
    copy->walk([&](hopper::GridOp grid) {
      blocks = std::max<int64_t>(blocks, grid.getBlocks());
    });
    return pipeline::lower(*copy, Rung::Hopper, Rung::Nvvm, options.lowering);
  }

  /// Solved ones first, then what may be as fast, then what is refused. Of
  /// equals, to four digits, the one that differs least from the program.
  void rank() {
    auto key = [&](const Candidate &candidate) {
      int group = !candidate.refused.empty()    ? 2
                  : candidate.estimate.isSolved ? 0
                                                : 1;
      int differences = 0;
      for (auto [value, own] : llvm::zip(candidate.values, choice.own))
        differences += value != own;
      double total = candidate.estimate.total;
      double digit = std::pow(10, std::floor(std::log10(total + 1)) - 3);
      return std::tuple(group, std::round(total / digit) * digit, differences);
    };
    std::stable_sort(choice.candidates.begin(), choice.candidates.end(),
                     [&](const Candidate &a, const Candidate &b) {
                       return key(a) < key(b);
                     });
  }

  void solveBest() {
    int passed = 0;
    for (Candidate &candidate : choice.candidates) {
      bool isOwn = candidate.values == choice.own;
      bool isCheap = candidate.estimate.interval == 0;
      if (!candidate.refused.empty() ||
          (passed >= options.solve && !isOwn && !isCheap))
        continue;
      candidate = solved(choice.parameters, candidate.values);
      passed += candidate.refused.empty();
    }
  }

  ModuleOp module;
  const Options &options;
  Choice choice;
  std::vector<SmallVector<int64_t>> legal; ///< of each parameter
};

} // namespace

const Candidate *Choice::find(const Values &values) const {
  for (const Candidate &candidate : candidates)
    if (candidate.values == values)
      return &candidate;
  return nullptr;
}

const Candidate *Choice::best() const {
  auto isTaken = [](const Candidate *candidate) {
    return candidate && candidate->refused.empty() &&
           candidate->estimate.isSolved;
  };
  const Candidate *first = candidates.empty() ? nullptr : &candidates.front();
  const Candidate *mine = find(own);
  if (!isTaken(first))
    return nullptr;
  bool isWorthIt = !isTaken(mine) ||
                   first->estimate.total < (1 - kMargin) * mine->estimate.total;
  return isWorthIt ? first : mine;
}

Choice heddle::tilechoice::chooseTiles(ModuleOp module,
                                       const Options &options) {
  return Chooser(module, options).run();
}

Candidate heddle::tilechoice::estimateTiles(ModuleOp module,
                                            const Choice &choice,
                                            const Values &values,
                                            const Options &options) {
  return Chooser(module, options).solved(choice.parameters, values);
}
