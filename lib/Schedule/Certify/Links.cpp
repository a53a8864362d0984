//===- Links.cpp - Which event cannot happen long after which -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Links.h"

#include <algorithm>

using namespace heddle::schedule;

static bool isAsynchronous(const Problem &problem, int op) {
  return problem.units[problem.operations[op].unit].asynchronous;
}

static bool isTransferred(const Problem &problem, int op) {
  for (const Transfer &transfer : problem.transfers)
    if (transfer.from == op)
      return true;
  return false;
}

static Event issueOf(int op) { return {op, false}; }

/// A unit without a queue takes operations up as they are issued.
static Event takeUpOf(const Problem &problem, int op) {
  return {op, isAsynchronous(problem, op)};
}

/// The bytes of a slot's share of `op`, over all its transfers.
static int64_t bytesOf(const Problem &problem, int op) {
  int64_t bytes = 0;
  for (const Transfer &transfer : problem.transfers)
    if (transfer.from == op)
      bytes += transfer.bytes;
  return bytes;
}

static bool isRead(const Problem &problem, int op) {
  return std::any_of(
      problem.dependences.begin(), problem.dependences.end(),
      [&](const Dependence &edge) { return edge.from == op && !edge.orders; });
}

bool heddle::schedule::takesSlots(const Problem &problem, int op) {
  return isRead(problem, op) && bytesOf(problem, op) > 0;
}

int64_t heddle::schedule::slotsFor(const Problem &problem, int op, int other,
                                   int64_t slots) {
  int64_t left = problem.machine.sharedBytes;
  int count = static_cast<int>(problem.operations.size());
  for (int rival = 0; rival < count; ++rival)
    if (rival != op && isRead(problem, rival))
      left -= bytesOf(problem, rival) * (rival == other ? slots : 1);
  int64_t mine = bytesOf(problem, op), most = problem.machine.ringDepth;
  if (mine > 0)
    most = std::min(most, left / mine);
  return most;
}

bool heddle::schedule::staysInProcess(const Problem &problem,
                                      const Dependence &edge) {
  if (edge.orders)
    return false;
  return edge.accumulates || (!isTransferred(problem, edge.from) &&
                              problem.operations[edge.from].columns == 0);
}

bool heddle::schedule::crossesAnyway(const Problem &problem,
                                     const Dependence &edge) {
  return problem.loadsApart && problem.operations[edge.from].variableLatency !=
                                   problem.operations[edge.to].variableLatency;
}

std::optional<Joint> heddle::schedule::jointOf(const Problem &problem,
                                               Link::Rule rule, int index) {
  int limit =
      static_cast<int>(rule == Link::Queue ? problem.operations.size()
                                           : problem.dependences.size());
  if (index < 0 || index >= limit)
    return std::nullopt;
  if (rule == Link::Queue) {
    if (!isAsynchronous(problem, index))
      return std::nullopt;
    return Joint{{rule, index, 0, 0}, issueOf(index), takeUpOf(problem, index)};
  }
  const Dependence &edge = problem.dependences[index];
  const Operation &from = problem.operations[edge.from],
                  &to = problem.operations[edge.to];
  bool isValue = !edge.orders && !edge.accumulates;
  Event made = takeUpOf(problem, edge.from);
  switch (rule) {
  case Link::Value:
    if (!isValue)
      return std::nullopt;
    return Joint{{rule, index,
                  from.latency + (crossesAnyway(problem, edge)
                                      ? problem.machine.handOverCycles
                                      : 0),
                  edge.distance},
                 made,
                 issueOf(edge.to)};
  case Link::Accumulate:
    if (!edge.accumulates)
      return std::nullopt;
    return Joint{{rule, index, from.reservation, edge.distance},
                 made,
                 takeUpOf(problem, edge.to)};
  case Link::Order:
    if (!edge.orders)
      return std::nullopt;
    return Joint{
        {rule, index, edge.delay, edge.distance}, made, issueOf(edge.to)};
  case Link::Copy: {
    if (!isValue || !isAsynchronous(problem, edge.from) ||
        isTransferred(problem, edge.from))
      return std::nullopt;
    int64_t reads = isAsynchronous(problem, edge.to) ? to.latency : to.issue;
    return Joint{{rule, index, reads, 1 - edge.distance},
                 takeUpOf(problem, edge.to),
                 issueOf(edge.from)};
  }
  case Link::Slot:
    if (edge.orders || !isTransferred(problem, edge.from))
      return std::nullopt;
    return Joint{
        {rule, index, to.latency + problem.machine.handOverCycles,
         std::max<int64_t>(slotsFor(problem, edge.from), 1) - edge.distance},
        takeUpOf(problem, edge.to),
        issueOf(edge.from)};
  case Link::Queue:
  case Link::Assumed:
    break;
  }
  return std::nullopt;
}

std::vector<Joint> heddle::schedule::jointsOf(const Problem &problem) {
  std::vector<Joint> joints;
  int limit = static_cast<int>(
      std::max(problem.operations.size(), problem.dependences.size()));
  for (int rule = Link::Value; rule <= Link::Slot; ++rule)
    for (int index = 0; index < limit; ++index)
      if (auto joint = jointOf(problem, Link::Rule(rule), index))
        joints.push_back(*joint);
  return joints;
}
