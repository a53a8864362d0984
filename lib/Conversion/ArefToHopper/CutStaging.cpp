//===- CutStaging.cpp - Decide: smaller buffers where few are left --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutStaging.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

/// The largest chunks of what a process stores, halved; nothing if one of them
/// cannot be.
static SmallVector<std::pair<Stored, StorePlan>>
halveLargest(const ProcessFacts &process, const LayoutMap &layouts,
             int64_t largest, const KernelPlan &plan) {
  SmallVector<std::pair<Stored, StorePlan>> halves;
  for (Stored store : process.written()) {
    const StorePlan &whole = plan.stores.find(store)->second;
    if (!whole.isTma() || whole.chunk.getSizeBytes() < largest)
      continue;
    std::optional<StorePlan> half =
        halveRows(whole, layouts.stored.lookup(store));
    if (!half)
      return {};
    halves.push_back({store, std::move(*half)});
  }
  return halves;
}

bool heddle::areftohopper::cutUnstaged(const KernelFacts &facts,
                                       const SharedRequest &request,
                                       const SharedPlan &shared,
                                       KernelPlan &plan) {
  bool isCut = false;
  for (auto [index, process] : llvm::enumerate(facts.processes)) {
    const StagingRequest &staging = request.staging[index];
    if (!staging.count || !shared.staging[index].empty())
      continue;
    for (auto &[store, half] : halveLargest(
             process, plan.processes[index].layouts, staging.bytes, plan)) {
      plan.stores[store] = std::move(half);
      isCut = true;
    }
  }
  return isCut;
}
