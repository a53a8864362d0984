//===- RegisterBudget.cpp - Decide: registers when loads become copies -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterBudget.h"

#include "heddle/Machine/Limits.h"

#include "llvm/Support/MathExtras.h"

using namespace heddle;
using namespace heddle::areftohopper;

int64_t heddle::areftohopper::countRegisters(
    const std::vector<RegisterRequest> &processes) {
  int64_t total = 0;
  for (const RegisterRequest &process : processes)
    total += llvm::alignTo(process.warps, 4) * 32 * process.budget;
  return total;
}

int64_t heddle::areftohopper::registerPool(
    const std::vector<RegisterRequest> &processes,
    const machine::Limits &share) {
  int64_t threads = 0;
  for (const RegisterRequest &process : processes)
    threads += llvm::alignTo(process.warps, 4) * 32;
  return machine::launchRegisters(share, threads) * threads;
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

/// Raises copying processes by 8, paid for by processes whose floors are exact:
/// all of the largest budget alike, since only equals can share a text.
static bool raiseCopies(std::vector<RegisterRequest> &processes,
                        const machine::Limits &share) {
  std::vector<RegisterRequest> raised = processes;
  for (RegisterRequest &process : raised)
    process.budget += process.copies ? 8 : 0;
  while (countRegisters(raised) > registerPool(raised, share)) {
    int64_t most = 0;
    for (const RegisterRequest &process : raised)
      if (!process.copies)
        most = std::max(most, process.budget);
    for (RegisterRequest &process : raised) {
      if (process.copies || process.budget < most)
        continue;
      if (!process.isExact || process.budget - 8 < process.floor)
        return false;
      process.budget -= 8;
    }
    if (most == 0)
      return false;
  }
  processes = std::move(raised);
  return true;
}

/// Raises copies to `copying` and, where the others need no more than their
/// floors, by `most` further.
static std::vector<int64_t>
raiseTo(int64_t copying, int64_t most, const machine::Limits &share,
        const std::vector<RegisterRequest> &original) {
  std::vector<RegisterRequest> processes = original;
  bool adjustable = true, copies = false;
  for (RegisterRequest &process : processes) {
    adjustable &= process.budget > 0;
    copies |= process.copies;
    if (process.copies)
      process.budget = std::max(process.budget, copying);
  }
  if (!adjustable)
    processes = original;
  while (adjustable &&
         countRegisters(processes) > registerPool(processes, share)) {
    RegisterRequest *giver = findGiver(processes, /*copying=*/false, original);
    if (!giver)
      giver = findGiver(processes, /*copying=*/true, original);
    if (!giver)
      break;
    giver->budget -= 8;
  }
  for (int64_t more = 0; adjustable && copies && more < most; more += 8)
    if (!raiseCopies(processes, share))
      break;
  std::vector<int64_t> budgets;
  for (const RegisterRequest &process : processes)
    budgets.push_back(process.budget);
  return budgets;
}

/// Whether all that do not copy have what they want.
static bool isEnough(const std::vector<int64_t> &budgets,
                     const std::vector<RegisterRequest> &processes) {
  for (size_t i = 0; i < processes.size(); ++i)
    if (!processes[i].copies &&
        budgets[i] < std::min(processes[i].wanted, processes[i].budget))
      return false;
  return true;
}

/// Only equals can share a text.
static bool keepsEquals(const std::vector<int64_t> &budgets,
                        const std::vector<RegisterRequest> &processes) {
  for (size_t i = 1; i < processes.size(); ++i)
    if (!processes[i].copies && !processes[i - 1].copies &&
        processes[i].budget == processes[i - 1].budget &&
        budgets[i] != budgets[i - 1])
      return false;
  return true;
}

std::vector<int64_t> heddle::areftohopper::rebalanceRegisters(
    const std::vector<RegisterRequest> &processes,
    const machine::Costs::Registers &margins, const machine::Limits &share) {
  int64_t copying = int64_t(margins.copying),
          least = int64_t(margins.copyingLeast),
          more = int64_t(margins.copyingMore);
  std::vector<int64_t> budgets = raiseTo(copying, more, share, processes);
  for (int64_t fewer = copying - 8;
       fewer >= least && !isEnough(budgets, processes); fewer -= 8)
    if (std::vector<int64_t> other = raiseTo(fewer, more, share, processes);
        keepsEquals(other, processes))
      budgets = std::move(other);
  return budgets;
}
