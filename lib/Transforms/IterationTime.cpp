//===- IterationTime.cpp - How long an iteration takes on a machine -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iteration takes the longest of
//   - what its loads, products and instructions keep a unit busy,
//   - what one process issues, and the slot that it asks for,
//   - a slot's way round, from its load to its next, over the slots of a ring,
//   - where a product is done before the next can begin, all of a process'
//     iteration, one part after the other.
// The second to fourth hardly grow with the tiles: larger ones share them.
//
//===----------------------------------------------------------------------===//

#include "IterationTime.h"

#include "OperationCosts.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace heddle;

namespace {

/// Of one iteration, as it is.
struct Work {
  double units[4] = {};
  double threads = 0; ///< that instructions issue, in all processes
  double bytes = 0;
  double processes = 1;
  std::vector<std::pair<int64_t, int64_t>> products; ///< depth, bits
};

} // namespace

static Work workOf(scf::ForOp loop, const machine::Costs &costs) {
  Work work;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumResults() == 0 ||
        !isa<RankedTensorType>(op.getResult(0).getType()) || isFree(&op) ||
        isa<tile::SplatOp, tile::TransOp>(op))
      continue;
    schedule::Operation described = describe(&op, costs);
    work.units[described.unit] += described.reservation;
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      work.bytes += tileBytes(cast<RankedTensorType>(load.getType()));
    } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
      auto a = cast<RankedTensorType>(dot.getA().getType());
      work.products.push_back({a.getDimSize(1), a.getElementTypeBitWidth()});
      work.processes =
          std::max(work.processes, a.getDimSize(0) / costs.tensor.rows);
    } else {
      work.threads += described.issue;
    }
  }
  return work;
}

double heddle::iterationCycles(scf::ForOp loop, const machine::Costs &costs,
                               int64_t count) {
  Work work = workOf(loop, costs);
  double room = costs.limits.sharedBytesPerBlock - costs.shared.barrierBytes -
                costs.shared.stagingBytes * work.processes;
  double slots =
      std::min(costs.shared.ringDepth, std::floor(room / (count * work.bytes)));
  if (work.bytes && slots < 2)
    return std::numeric_limits<double>::infinity();
  double tensor = count * work.units[kTensor];
  double product = tensor / work.processes;
  double issue = costs.handOver.step + count * work.threads / work.processes;
  for (auto [depth, bits] : work.products)
    issue += costs.productIssue(count * depth, bits, true);
  double round = costs.copy.latency + count * work.units[kTma] +
                 2 * costs.handOver.mbarrier + product + costs.tensor.latency;
  double interval = issue;
  if (work.bytes)
    interval = std::max(interval, round / slots);
  for (double unit : work.units)
    interval = std::max(interval, count * unit);
  if (tensor + costs.tensor.latency < interval)
    interval = std::max(interval, issue + product + costs.tensor.latency);
  return interval;
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
