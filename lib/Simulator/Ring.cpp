//===- Ring.cpp - The state of one ring -----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ring.h"

using namespace mlir;
using namespace heddle::simulator;

bool Share::isOver() const {
  return released && llvm::all_of(releasedAfter, [](const auto &task) {
           return task->hasLanded();
         });
}

Tasks TurnState::arriving() const {
  Tasks tasks;
  for (const Cell &cell : payload)
    if (cell.task && !cell.task->hasLanded())
      tasks.push_back(cell.task);
  return tasks;
}

bool TurnState::isFull() const { return published && arriving().empty(); }

bool TurnState::isRetired() const {
  return isFull() && llvm::all_of(shares, [](const Share &share) {
           return share.isOver();
         });
}

TurnState *Ring::find(int64_t turn) {
  int64_t first = acquired - int64_t(turns.size());
  if (turn < first || turn >= acquired)
    return nullptr;
  return &turns[turn - first];
}

TurnState &Ring::begin(Operation *acquire) {
  ++acquired;
  TurnState &state = turns.emplace_back();
  state.acquired = acquire;
  state.shares.resize(consumers.size());
  return state;
}

void Ring::retire() {
  while (!turns.empty() && turns.front().isRetired())
    turns.pop_front();
}
