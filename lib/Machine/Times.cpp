//===- Times.cpp - How long a machine takes, by its costs -----------------===//
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

#include "heddle/Machine/Times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::machine {

static double wordsOf(int64_t bits) { return double((bits + 31) / 32); }

Work Times::arithmetic(double count, int64_t bits) const {
  return {count * (bits > 32 ? one.wide : one.arithmetic), 0};
}

Work Times::compare(double count, int64_t bits) const {
  return {count * one.compare * wordsOf(bits), 0};
}

Work Times::integer(double count, int64_t bits) const {
  return {count * one.integer * wordsOf(bits), 0};
}

Work Times::widen(int64_t bits) const { return {one.widen * wordsOf(bits), 0}; }

Span Times::ofElements(const Work &work, double elements) const {
  double groups = elements / groupThreads;
  bool isSpecial = work.special > 0;
  Span span;
  span.reservation =
      wholeCycles(groups * (isSpecial ? work.special : work.alu));
  span.issue = wholeCycles(groups * work.issue());
  span.latency =
      span.issue + wholeCycles(isSpecial ? one.specialLatency : one.latency);
  return span;
}

Span Times::ofReduction(const Work &combiner, double pairs,
                        const Exchange &exchange) const {
  Span span;
  span.reservation = wholeCycles(pairs * combiner.alu);
  span.issue =
      wholeCycles(pairs * combiner.issue() + exchange.shuffles * one.shuffle);
  span.latency =
      span.issue +
      wholeCycles(exchange.steps * (one.shuffleLatency + one.latency) +
                  one.latency);
  return span;
}

Span Times::ofBranch(int64_t reservation, int64_t issue) const {
  return {reservation, issue, issue + wholeCycles(one.latency)};
}

Span Times::ofWarpProduct(double multiplied, int64_t bits, double read) const {
  int64_t cycles = wholeCycles(
      multiplied * (2 * double(bits) / 16 / costs.tensor.warpFlopsPerCycle) +
      read * one.memory / groupThreads);
  return ofBranch(cycles, cycles);
}

Span Times::ofThreadProduct(double multiplied, int64_t bits,
                            double read) const {
  int64_t cycles = wholeCycles(arithmetic(multiplied, bits).alu / groupThreads +
                               read * one.memory / groupThreads);
  return ofBranch(cycles, cycles);
}

Span Times::ofProduct(int64_t rows, int64_t columns, int64_t depth,
                      int64_t bits, bool sharedA) const {
  Span span;
  span.reservation = productCycles(rows, columns, depth, bits, sharedA);
  span.issue = productIssue(depth, bits, sharedA);
  span.latency = span.reservation + wholeCycles(costs.tensor.latency);
  return span;
}

int64_t Times::productCycles(int64_t m, int64_t n, int64_t k, int64_t bits,
                             bool sharedA) const {
  const Costs::Tensor &tensor = costs.tensor;
  double rows = std::ceil(m / tensor.rows) * tensor.rows;
  double cycles = 2 * rows * n * k * bits / (16 * tensor.flopsPerCycle);
  if (tensor.sharedBytesPerCycle > 0) {
    // Each product of `tensor.rows` rows reads all of B.
    double elements = rows / tensor.rows * n * k + (sharedA ? rows * k : 0);
    cycles = std::max(cycles, elements * bits / 8 / tensor.sharedBytesPerCycle);
  }
  return wholeCycles(cycles);
}

int64_t Times::productIssue(int64_t k, int64_t bits, bool sharedA) const {
  const Costs::Tensor &tensor = costs.tensor;
  double step = sharedA ? tensor.issueStep : tensor.issueRegisterStep;
  return wholeCycles(tensor.issue + std::ceil(k * bits / 256.0) * step);
}

Span Times::ofCopy(double bytes) const {
  Span span;
  span.reservation = wholeCycles(moving(bytes));
  span.issue = wholeCycles(costs.copy.issue);
  span.latency = span.reservation + wholeCycles(costs.copy.latency);
  return span;
}

Span Times::ofGather(const Span &issued) const {
  Span span = issued;
  span.latency = span.issue + wholeCycles(costs.copy.latency);
  return span;
}

Span Times::ofThreadCopy(double bytes) const {
  double pieces = std::ceil(
      bytes / double(costs.limits.accessBytes * costs.limits.threadsPerGroup));
  Span span;
  span.reservation =
      wholeCycles(std::max(pieces * costs.threadCopy.move, moving(bytes)));
  span.issue = wholeCycles(pieces * costs.threadCopy.issue);
  span.latency = span.issue + wholeCycles(costs.copy.latency);
  return span;
}

double Times::movedByAll() const {
  return costs.copy.bytesPerCycle * double(costs.limits.multiprocessors);
}

double Times::untilAway(double bytes) const {
  return bytes != 0 ? moving(bytes) + costs.copy.latency : 0;
}

double Times::pitchFactor(int64_t pitchBytes) const {
  const Costs::Copy &copy = costs.copy;
  return pitchBytes % int64_t(copy.sectorBytes) ? copy.offSectors
         : pitchBytes % int64_t(copy.lineBytes) ? copy.offLines
                                                : 1;
}

std::array<std::pair<int64_t, double>, 2> Times::pitchPenalties() const {
  const Costs::Copy &copy = costs.copy;
  return {{{int64_t(copy.lineBytes), copy.offLines - 1},
           {int64_t(copy.sectorBytes), copy.offSectors - copy.offLines}}};
}

int64_t Times::inSharedMemory(double bytes) const {
  double rate = costs.tensor.sharedBytesBothWays;
  return rate > 0 && bytes > 0 ? wholeCycles(bytes / rate) : 0;
}

double Times::loadColumns(double columns) const {
  return columns * costs.tensorMemory.loadColumn;
}

double Times::storeColumns(double columns) const {
  return columns * costs.tensorMemory.storeColumn;
}

double Times::passRow(double elements) const {
  return one.memory * elements / groupThreads;
}

double Times::interval(const Iteration &iteration, int64_t count) const {
  double room = costs.limits.sharedBytesPerBlock - costs.shared.barrierBytes -
                costs.shared.stagingBytes * iteration.processes;
  double slots = std::min(costs.shared.ringDepth,
                          std::floor(room / (count * iteration.bytes)));
  if (iteration.bytes && slots < 2)
    return std::numeric_limits<double>::infinity();
  double tensor = count * iteration.products;
  double product = tensor / iteration.processes;
  double issue =
      costs.handOver.step + count * iteration.threads / iteration.processes;
  for (auto [depth, bits] : iteration.depths)
    issue += productIssue(count * depth, bits, true);
  double round = costs.copy.latency + count * iteration.copies +
                 2 * costs.handOver.mbarrier + product + costs.tensor.latency;
  double interval = std::max(
      {issue, count * iteration.copies, tensor, count * iteration.others});
  if (iteration.bytes)
    interval = std::max(interval, round / slots);
  if (tensor + costs.tensor.latency < interval)
    interval = std::max(interval, issue + product + costs.tensor.latency);
  return interval;
}

} // namespace heddle::machine
