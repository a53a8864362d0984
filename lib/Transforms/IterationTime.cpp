//===- IterationTime.cpp - How long an iteration takes on a machine -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an iteration consists of is counted here; how long that takes is
// machine::Times'.
//
//===----------------------------------------------------------------------===//

#include "IterationTime.h"

#include "OperationCosts.h"

#include "heddle/Machine/Times.h"

#include <algorithm>

using namespace mlir;
using namespace heddle;

static machine::Iteration iterationOf(scf::ForOp loop,
                                      const machine::Costs &costs) {
  machine::Iteration iteration;
  double units[4] = {};
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumResults() == 0 ||
        !isa<RankedTensorType>(op.getResult(0).getType()) || isFree(&op) ||
        isa<tile::SplatOp, tile::TransOp>(op))
      continue;
    schedule::Operation described = describe(&op, costs);
    units[described.unit] += double(described.reservation);
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      iteration.bytes += tileBytes(cast<RankedTensorType>(load.getType()));
    } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
      auto a = cast<RankedTensorType>(dot.getA().getType());
      iteration.depths.push_back({a.getDimSize(1), a.getElementTypeBitWidth()});
      iteration.processes =
          std::max(iteration.processes, a.getDimSize(0) / costs.tensor.rows);
    } else {
      iteration.threads += double(described.issue);
    }
  }
  iteration.copies = units[kTma];
  iteration.products = units[kTensor];
  iteration.others = std::max(units[kAlu], units[kSpecial]);
  return iteration;
}

double heddle::iterationCycles(scf::ForOp loop, const machine::Costs &costs,
                               int64_t count) {
  return machine::Times(costs).interval(iterationOf(loop, costs), count);
}

int64_t heddle::chooseJoined(scf::ForOp loop, const machine::Costs &costs,
                             int64_t extent) {
  std::vector<std::pair<double, int64_t>> times;
  for (int64_t count = 1;
       count == 1 || count * extent <= costs.limits.tmaBoxExtent; count *= 2)
    times.push_back({iterationCycles(loop, costs, count) / count, count});
  double best = std::min_element(times.begin(), times.end())->first;
  for (auto [time, count] : times)
    if (time <= (1 + costs.choices.modelError) * best)
      return count;
  return 1;
}
