//===- Policies.cpp - Who moves next --------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The orders in which the moves of a Machine are made. A missing wait shows in
// some orders only: fair lands work soon, random draws each move, and
// adversarial lands nothing before every process is stuck. They choose moves
// and hold no rules, so no order can permit what another forbids.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <random>

using namespace mlir;
using namespace heddle::simulator;

LogicalResult heddle::simulator::runFair(Machine &machine) {
  while (true) {
    bool moved = false;
    Tasks before = machine.getLandable();
    for (auto &process : machine.getProcesses()) {
      Progress progress = machine.step(*process);
      if (progress == Progress::Failed)
        return failure();
      moved |= progress == Progress::Ran;
    }
    for (auto &task : before)
      if (failed(machine.land(task)))
        return failure();
    if (!moved && before.empty() && machine.getLandable().empty())
      return machine.finish();
  }
}

LogicalResult heddle::simulator::runRandom(Machine &machine, uint64_t seed) {
  std::mt19937_64 engine(seed);
  SmallVector<unsigned> moves;
  while (true) {
    Tasks tasks = machine.getLandable();
    size_t count = machine.getProcesses().size();
    moves.assign(llvm::seq<unsigned>(0, count + tasks.size()).begin(),
                 llvm::seq<unsigned>(0, count + tasks.size()).end());
    bool moved = false;
    while (!moved && !moves.empty()) {
      std::swap(moves[engine() % moves.size()], moves.back());
      unsigned move = moves.pop_back_val();
      if (move >= count) {
        if (failed(machine.land(tasks[move - count])))
          return failure();
        moved = true;
        continue;
      }
      Progress progress = machine.step(*machine.getProcesses()[move]);
      if (progress == Progress::Failed)
        return failure();
      moved = progress == Progress::Ran;
    }
    if (!moved)
      return machine.finish();
  }
}

/// The first task that a process waits for; any task if nobody waits for one.
static std::shared_ptr<Task> chooseTask(Machine &machine,
                                        ArrayRef<Process *> order) {
  for (Process *process : order)
    for (auto &task : process->wait.tasks)
      if (!process->hasEnded() && !task->hasLanded())
        return task;
  Tasks tasks = machine.getLandable();
  return tasks.empty() ? nullptr : tasks.front();
}

LogicalResult heddle::simulator::runAdversarial(Machine &machine,
                                                uint64_t seed) {
  std::mt19937_64 engine(seed);
  SmallVector<Process *> order;
  for (auto &process : machine.getProcesses())
    order.push_back(process.get());
  for (size_t left = seed ? order.size() : 0; left > 1; --left)
    std::swap(order[engine() % left], order[left - 1]);
  while (true) {
    bool moved = false;
    for (Process *process : order) {
      Progress progress;
      while ((progress = machine.step(*process)) == Progress::Ran)
        moved = true;
      if (progress == Progress::Failed)
        return failure();
      if (moved) // whoever stands before it may go on now
        break;
    }
    if (moved)
      continue;
    std::shared_ptr<Task> task = chooseTask(machine, order);
    if (!task)
      return machine.finish();
    if (failed(machine.land(task)))
      return failure();
  }
}
