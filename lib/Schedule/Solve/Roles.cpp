//===- Roles.cpp - Who does what, and which loads share a ring ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include <algorithm>
#include <set>

using namespace heddle::schedule;

namespace {

/// The name without the sub-tile's number: sub-tiles of one operation count as
/// one reader.
std::string baseName(const Operation &op) {
  return op.sub < 0 ? op.name : op.name.substr(0, op.name.rfind('.'));
}

std::set<std::string> readersOf(const Problem &problem, int from) {
  std::set<std::string> readers;
  for (const Dependence &edge : problem.dependences)
    if (edge.from == from)
      readers.insert(baseName(problem.operations[edge.to]));
  return readers;
}

/// Loads that feed an operation together share a ring: one barrier pair a step
/// is cheaper than several. Others have rings of their own, so that a slot goes
/// back as soon as its own readers are done.
std::vector<Ring> chooseRings(const Problem &problem) {
  std::vector<Ring> rings;
  std::vector<std::set<std::string>> readers; // by ring
  for (const Transfer &transfer : problem.transfers) {
    std::set<std::string> mine = readersOf(problem, transfer.from);
    size_t ring = 0;
    while (ring < readers.size() && std::none_of(
                                        mine.begin(), mine.end(),
                                        [&](const std::string &name) {
                                          return readers[ring].contains(name);
                                        }))
      ++ring;
    if (ring == readers.size()) {
      readers.emplace_back();
      rings.push_back({baseName(problem.operations[transfer.from]), 1, {}});
    }
    readers[ring].insert(mine.begin(), mine.end());
    rings[ring].operations.push_back(transfer.from);
  }
  if (rings.size() == 1)
    rings.front().name = "loads";
  return rings;
}

} // namespace

Roles heddle::schedule::rolesFor(const Problem &problem, int compute) {
  Roles roles;
  bool hasLoads =
      std::any_of(problem.operations.begin(), problem.operations.end(),
                  [](const Operation &op) { return op.variableLatency; });
  int64_t left = problem.machine.registersPerLane;
  if (hasLoads) {
    roles.processes.push_back({"load", 4, problem.machine.loaderRegisters});
    left -= problem.machine.loaderRegisters;
  }
  int64_t registers =
      std::min(problem.machine.maxRegisters, left / compute) / 8 * 8;
  for (int i = 0; i < compute; ++i)
    roles.processes.push_back({"mma." + std::to_string(i), 4, registers});
  int first = hasLoads ? 1 : 0;
  for (const Operation &op : problem.operations)
    roles.process.push_back(
        op.variableLatency ? 0 : first + std::max(op.sub, 0) % compute);
  roles.rings = chooseRings(problem);
  return roles;
}

int64_t heddle::schedule::slotBytes(const Problem &problem, const Ring &ring) {
  int64_t bytes = 0;
  for (int op : ring.operations)
    for (const Transfer &transfer : problem.transfers)
      if (transfer.from == op)
        bytes += transfer.bytes;
  return bytes;
}

void heddle::schedule::fillSharedMemory(const Problem &problem,
                                        std::vector<Ring> &rings) {
  int64_t used = 0;
  for (const Ring &ring : rings)
    used += ring.depth * slotBytes(problem, ring);
  auto grow = [&](Ring &ring) {
    int64_t more = slotBytes(problem, ring);
    if (ring.depth >= problem.machine.ringDepth ||
        used + more > problem.machine.sharedBytes)
      return;
    used += more;
    ++ring.depth;
  };
  int64_t round = 0;
  for (const Ring &ring : rings)
    round += slotBytes(problem, ring);
  auto isShallow = [&](const Ring &ring) {
    return ring.depth < problem.machine.ringDepth;
  };
  while (used + round <= problem.machine.sharedBytes &&
         std::any_of(rings.begin(), rings.end(), isShallow))
    for (Ring &ring : rings)
      grow(ring);
}
