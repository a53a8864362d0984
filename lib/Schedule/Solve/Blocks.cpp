//===- Blocks.cpp - Straight-line code that stays together ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include <algorithm>
#include <map>

using namespace heddle::schedule;

std::vector<Block> heddle::schedule::separateBlocks(const Problem &problem) {
  std::vector<Block> blocks;
  for (size_t op = 0; op < problem.operations.size(); ++op)
    blocks.push_back({{int(op)}, {0}, problem.operations[op].issue});
  return blocks;
}

namespace {

/// How an operation meets asynchronous ones.
struct Contact {
  bool reads = false, feeds = false;
};

std::vector<Contact> findContacts(const Problem &problem) {
  std::vector<Contact> contacts(problem.operations.size());
  auto isAsynchronous = [&](int op) {
    return problem.units[problem.operations[op].unit].asynchronous;
  };
  for (const Dependence &edge : problem.dependences) {
    contacts[edge.to].reads |= isAsynchronous(edge.from);
    contacts[edge.from].feeds |= isAsynchronous(edge.to);
  }
  return contacts;
}

/// The last block that `op` waits for in its own iteration, or -1.
int lastBlockBefore(const Problem &problem, const std::vector<int> &blockOf,
                    int op) {
  int last = -1;
  for (const Dependence &edge : problem.dependences)
    if (edge.to == op && edge.distance == 0)
      last = std::max(last, blockOf[edge.from]);
  return last;
}

} // namespace

std::vector<Block> heddle::schedule::straightLineBlocks(
    const Problem &problem, const std::vector<int> &process, int64_t longest) {
  std::vector<Contact> contacts = findContacts(problem);
  std::vector<Block> blocks;
  std::vector<int> blockOf(problem.operations.size(), -1);
  std::map<std::pair<int, int>, int> open; // by process and sub-tile
  for (size_t i = 0; i < problem.operations.size(); ++i) {
    int op = int(i);
    const Operation &next = problem.operations[op];
    std::pair<int, int> key{process[op], next.sub};
    bool isAsynchronous = problem.units[next.unit].asynchronous;
    auto it = open.find(key);
    bool joins = !isAsynchronous && it != open.end() && !contacts[op].reads;
    if (joins) {
      // Blocks stand in an order that they can be executed in.
      int last = lastBlockBefore(problem, blockOf, op);
      bool isSmall = next.issue * 8 <= longest;
      joins = last <= it->second && (isSmall || last == it->second) &&
              blocks[it->second].issue + next.issue <= longest;
    }
    int64_t offset = joins ? blocks[it->second].issue : 0;
    if (joins) {
      const Block &block = blocks[it->second];
      for (const Dependence &edge : problem.dependences)
        for (size_t j = 0; j < block.ops.size(); ++j)
          if (edge.to == op && edge.from == block.ops[j] && edge.distance == 0)
            offset = std::max(offset, block.offset[j] +
                                          requiredDelay(problem, edge, false));
      // Where it would have to wait, something else may go on.
      joins = (offset - block.issue) * 8 <= longest;
    }
    int mine = joins ? it->second : int(blocks.size());
    if (!joins) {
      blocks.push_back({});
      if (!isAsynchronous)
        open[key] = mine;
    }
    Block &block = blocks[mine];
    offset = joins ? offset : 0;
    block.ops.push_back(op);
    block.offset.push_back(offset);
    block.issue = offset + next.issue;
    blockOf[op] = mine;
    if (contacts[op].feeds && !isAsynchronous)
      open.erase(key);
  }
  return blocks;
}
