//===- ControlFlow.cpp - Where diverged lanes meet again ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Post-dominators over basic blocks, after Cooper, Harvey and Kennedy, "A
// Simple, Fast Dominance Algorithm", on the reversed graph with one virtual
// exit.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"

#include <algorithm>

using namespace heddle::emulator;

namespace {
struct Block {
  uint32_t begin = 0, end = 0;
  std::vector<int> successors, predecessors;
  int order = -1;     ///< in a postorder of the reversed graph
  int dominator = -1; ///< immediate post-dominator
};

class PostDominators {
public:
  explicit PostDominators(const Entry &entry) : entry(entry) {}
  void run();
  /// First instruction of the post-dominator of the block ending at `branch`.
  uint32_t after(uint32_t branch) const;

private:
  void findBlocks();
  void connect();
  void orderFrom(int exit);
  int intersect(int a, int b) const;
  int blockAt(uint32_t instruction) const;

  const Entry &entry;
  std::vector<Block> blocks; ///< the last one is the virtual exit
  std::vector<int> reverseOrder;
};
} // namespace

static const BranchDetail *branchOf(const Instruction &instruction) {
  return instruction.isBranch
             ? static_cast<const BranchDetail *>(instruction.detail.get())
             : nullptr;
}

int PostDominators::blockAt(uint32_t instruction) const {
  auto it = std::upper_bound(
      blocks.begin(), blocks.end() - 1, instruction,
      [](uint32_t value, const Block &block) { return value < block.begin; });
  return int(it - blocks.begin()) - 1;
}

void PostDominators::findBlocks() {
  uint32_t size = uint32_t(entry.instructions.size());
  std::vector<bool> starts(size + 1, false);
  starts[0] = true;
  for (uint32_t i = 0; i < size; ++i)
    if (const BranchDetail *branch = branchOf(entry.instructions[i])) {
      starts[i + 1] = true;
      for (uint32_t target : branch->targets)
        starts[target] = true;
    }
  for (uint32_t i = 0; i < size; ++i) {
    if (starts[i])
      blocks.push_back({i, i, {}, {}, -1, -1});
    blocks.back().end = i + 1;
  }
  blocks.push_back({size, size, {}, {}, -1, -1});
}

void PostDominators::connect() {
  int exit = int(blocks.size()) - 1;
  for (int b = 0; b < exit; ++b) {
    const Instruction &last = entry.instructions[blocks[b].end - 1];
    const BranchDetail *branch = branchOf(last);
    std::vector<int> &successors = blocks[b].successors;
    bool fallsThrough = !branch || (last.guard >= 0 && !branch->isUniform);
    if (branch) {
      for (uint32_t target : branch->targets)
        successors.push_back(blockAt(target));
      // Lanes that leave early are not waited for.
      if (branch->isExit && !fallsThrough)
        successors.push_back(exit);
    }
    if (fallsThrough)
      successors.push_back(b + 1);
    for (int successor : successors)
      blocks[successor].predecessors.push_back(b);
  }
}

void PostDominators::orderFrom(int exit) {
  // Iterative depth-first walk along predecessors; kernels can be long.
  std::vector<std::pair<int, size_t>> stack{{exit, 0}};
  std::vector<bool> seen(blocks.size(), false);
  seen[exit] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next == blocks[block].predecessors.size()) {
      blocks[block].order = int(reverseOrder.size());
      reverseOrder.push_back(block);
      stack.pop_back();
      continue;
    }
    int predecessor = blocks[block].predecessors[next++];
    if (!seen[predecessor]) {
      seen[predecessor] = true;
      stack.push_back({predecessor, 0});
    }
  }
}

int PostDominators::intersect(int a, int b) const {
  while (a != b) {
    while (blocks[a].order < blocks[b].order)
      a = blocks[a].dominator;
    while (blocks[b].order < blocks[a].order)
      b = blocks[b].dominator;
  }
  return a;
}

void PostDominators::run() {
  findBlocks();
  connect();
  int exit = int(blocks.size()) - 1;
  orderFrom(exit);
  blocks[exit].dominator = exit;
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto it = reverseOrder.rbegin(); it != reverseOrder.rend(); ++it) {
      if (*it == exit)
        continue;
      int dominator = -1;
      for (int successor : blocks[*it].successors) {
        if (blocks[successor].dominator < 0)
          continue; // not reached yet, or never reaches the exit
        dominator = dominator < 0 ? successor : intersect(successor, dominator);
      }
      if (dominator != blocks[*it].dominator) {
        blocks[*it].dominator = dominator;
        changed = true;
      }
    }
  }
}

uint32_t PostDominators::after(uint32_t branch) const {
  int dominator = blocks[blockAt(branch)].dominator;
  if (dominator < 0 || dominator == int(blocks.size()) - 1)
    return kNoReconvergence;
  return blocks[dominator].begin;
}

void heddle::emulator::findReconvergence(Entry &entry) {
  PostDominators tree(entry);
  tree.run();
  entry.reconvergence.assign(entry.instructions.size(), kNoReconvergence);
  for (uint32_t i = 0; i < entry.instructions.size(); ++i)
    if (entry.instructions[i].isBranch)
      entry.reconvergence[i] = tree.after(i);
}
