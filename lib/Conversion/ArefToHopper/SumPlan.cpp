//===- SumPlan.cpp - Decide: which sums threads carry in parts--------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumPlan.h"

#include "CombineLayouts.h"
#include "heddle/Analysis/DelayedSums.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

/// How all values of the sum lie in parts; nothing if they do not agree, or if
/// a thread holds all that it would add.
static std::optional<SumInParts> planParts(const DelayedSum &sum,
                                           const LayoutMap &layouts) {
  tile::ReduceOp first = sum.reductions.front();
  auto axis = int64_t(first.getAxis());
  auto partsOf = [&](tile::ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getValues().front().getType());
    return partialType(type, reduce.getAxis(), readLayout(reduce, layouts),
                       machine::Combining::Threads);
  };
  SumInParts plan{first, partsOf(first)};
  bool agree = llvm::all_of(sum.reductions,
                            [&](tile::ReduceOp reduce) {
                              return int64_t(reduce.getAxis()) == axis &&
                                     partsOf(reduce) == plan.parts;
                            }) &&
               llvm::all_of(sum.values, [&](Value value) {
                 return !isa<RankedTensorType>(value.getType()) ||
                        layouts.lookup(value) ==
                            sliceAxis(readLayout(first, layouts), axis);
               });
  if (!agree || plan.parts.getDimSize(axis) == 1)
    return std::nullopt;
  return plan;
}

SumPlan::SumPlan(Operation *process, const LayoutMap &layouts) {
  for (const DelayedSum &sum : followDelayedSums(process)) {
    std::optional<SumInParts> plan = planParts(sum, layouts);
    if (!plan)
      continue;
    for (Value value : sum.values)
      sumOf[value] = sums.size();
    read.insert_range(sum.whole);
    sums.push_back(*plan);
  }
}

const SumInParts *SumPlan::find(Value value) const {
  auto found = sumOf.find(value);
  return found == sumOf.end() ? nullptr : &sums[found->second];
}
