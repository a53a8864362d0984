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

static int leaderOf(const std::vector<RegisterRequest> &processes, size_t i) {
  return processes[i].leader < 0 ? int(i) : processes[i].leader;
}

/// Whether `leader` and its replicas stay at or above their least with 8
/// registers less.
static bool canGive(const std::vector<RegisterRequest> &processes, int leader,
                    bool copying,
                    const std::vector<RegisterRequest> &original) {
  for (size_t i = 0; i < processes.size(); ++i) {
    const RegisterRequest &process = processes[i];
    int64_t least = copying ? original[i].budget : process.floor;
    if (leaderOf(processes, i) == leader &&
        (process.copies != copying || process.budget - 8 < least))
      return false;
  }
  return true;
}

/// The process that gives 8 registers next, and its replicas with it: the one
/// with the largest budget; the first of equals. -1 if none can.
static int findGiver(const std::vector<RegisterRequest> &processes,
                     bool copying,
                     const std::vector<RegisterRequest> &original) {
  int giver = -1;
  for (size_t i = 0; i < processes.size(); ++i)
    if (processes[i].leader < 0 &&
        canGive(processes, int(i), copying, original) &&
        (giver < 0 || processes[i].budget > processes[giver].budget))
      giver = int(i);
  return giver;
}

/// Raises copying processes by 8, paid for by processes whose floors are exact:
/// all of the largest budget alike.
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
    int giver = findGiver(processes, /*copying=*/false, original);
    if (giver < 0)
      giver = findGiver(processes, /*copying=*/true, original);
    if (giver < 0)
      break;
    for (size_t i = 0; i < processes.size(); ++i)
      if (leaderOf(processes, i) == giver)
        processes[i].budget -= 8;
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

std::vector<int64_t> heddle::areftohopper::rebalanceRegisters(
    const std::vector<RegisterRequest> &processes,
    const machine::Costs::Registers &margins, const machine::Limits &share) {
  int64_t copying = int64_t(margins.copying),
          least = int64_t(margins.copyingLeast),
          more = int64_t(margins.copyingMore);
  std::vector<int64_t> budgets = raiseTo(copying, more, share, processes);
  for (int64_t fewer = copying - 8;
       fewer >= least && !isEnough(budgets, processes); fewer -= 8)
    budgets = raiseTo(fewer, more, share, processes);
  return budgets;
}
