//===- Clock.cpp - What an agent knows of the others ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"

#include <algorithm>

using namespace heddle::emulator;

std::vector<uint32_t> &Clock::own() {
  if (!node) {
    node = new Node();
  } else if (node->holders > 1) {
    Node *copy = new Node{1, node->moments};
    --node->holders;
    node = copy;
  }
  return node->moments;
}

void Clock::set(size_t agent, uint32_t moment) {
  if ((*this)[agent] == moment)
    return;
  std::vector<uint32_t> &moments = own();
  if (agent >= moments.size())
    moments.resize(agent + 1, 0);
  moments[agent] = moment;
}

bool Clock::knows(const Clock &other) const {
  if (isSame(other) || !other.node)
    return true;
  if (!node)
    return false;
  const std::vector<uint32_t> &mine = node->moments;
  const std::vector<uint32_t> &theirs = other.node->moments;
  size_t both = std::min(mine.size(), theirs.size());
  for (size_t i = both; i < theirs.size(); ++i)
    if (theirs[i])
      return false;
  // In blocks, which the compiler vectorises; most comparisons end early.
  for (size_t begin = 0; begin < both; begin += 64) {
    bool isLess = false;
    for (size_t i = begin, end = std::min(both, begin + 64); i < end; ++i)
      isLess |= mine[i] < theirs[i];
    if (isLess)
      return false;
  }
  return true;
}

void Clock::join(const Clock &other) {
  // Sharing a node where one side knows it all keeps the number of different
  // clocks small, which everything else here lives on.
  if (knows(other))
    return;
  if (other.knows(*this)) {
    *this = other;
    return;
  }
  std::vector<uint32_t> &moments = own();
  const std::vector<uint32_t> &theirs = other.node->moments;
  if (moments.size() < theirs.size())
    moments.resize(theirs.size(), 0);
  for (size_t i = 0; i < theirs.size(); ++i)
    moments[i] = std::max(moments[i], theirs[i]);
}

void Clock::meet(const Clock &other) {
  if (isSame(other) || !node)
    return;
  if (!other.node) {
    *this = Clock();
    return;
  }
  std::vector<uint32_t> &moments = own();
  const std::vector<uint32_t> &theirs = other.node->moments;
  if (moments.size() > theirs.size())
    moments.resize(theirs.size());
  for (size_t i = 0; i < moments.size(); ++i)
    moments[i] = std::min(moments[i], theirs[i]);
}
