//===- RegisterBudget.cpp - Decide: registers when loads become copies -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterBudget.h"

#include "heddle/Machine/Limits.h"

#include "llvm/Support/MathExtras.h"

using namespace heddle::areftohopper;

int64_t heddle::areftohopper::countRegisters(
    const std::vector<RegisterRequest> &processes) {
  int64_t total = 0;
  for (const RegisterRequest &process : processes)
    total += llvm::alignTo(process.warps, 4) * 32 * process.budget;
  return total;
}

int64_t heddle::areftohopper::registerPool(
    const std::vector<RegisterRequest> &processes) {
  int64_t threads = 0;
  for (const RegisterRequest &process : processes)
    threads += llvm::alignTo(process.warps, 4) * 32;
  return machine::launchRegisters(machine::hopperLimits(), threads) * threads;
}

/// The process that gives 8 registers next: the one with the largest budget
/// that stays at or above its least; the first of equals. Null if none can.
static RegisterRequest *
findGiver(std::vector<RegisterRequest> &processes, bool copying,
          const std::vector<RegisterRequest> &original) {
  RegisterRequest *giver = nullptr;
  for (size_t i = 0; i < processes.size(); ++i) {
    RegisterRequest &process = processes[i];
    int64_t least = copying ? original[i].budget : process.floor;
    if (process.copies == copying && process.budget - 8 >= least &&
        (!giver || process.budget > giver->budget))
      giver = &process;
  }
  return giver;
}

std::vector<int64_t> heddle::areftohopper::rebalanceRegisters(
    const std::vector<RegisterRequest> &original, int64_t copying) {
  std::vector<RegisterRequest> processes = original;
  bool adjustable = true;
  for (RegisterRequest &process : processes) {
    adjustable &= process.budget > 0;
    if (process.copies)
      process.budget = std::max(process.budget, copying);
  }
  if (!adjustable)
    processes = original;
  while (adjustable && countRegisters(processes) > registerPool(processes)) {
    RegisterRequest *giver = findGiver(processes, /*copying=*/false, original);
    if (!giver)
      giver = findGiver(processes, /*copying=*/true, original);
    if (!giver)
      break;
    giver->budget -= 8;
  }
  std::vector<int64_t> budgets;
  for (const RegisterRequest &process : processes)
    budgets.push_back(process.budget);
  return budgets;
}
