//===- Sharing.cpp - Processes that use a unit at once --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace heddle::simulator;

void Sharing::begin(unsigned process, llvm::StringRef unit, int64_t cycles,
                    int64_t reserved, int64_t beside) {
  double demand = std::min(1.0, double(reserved) / double(cycles));
  double slow = double(cycles) / double(std::max(cycles, beside));
  works.push_back({process, unit.str(), double(cycles), demand, slow});
}

double Sharing::shareOf(const Work &work) const {
  double demanded = 0;
  for (const Work &other : works)
    if (other.unit == work.unit)
      demanded += other.demand;
  return demanded > 1 ? 1 / demanded : 1;
}

std::optional<Sharing::End> Sharing::nextEnd() const {
  std::optional<End> first;
  for (const Work &work : works) {
    double share = shareOf(work);
    double slowCycles = double(std::max<int64_t>(0, slowUntil - now));
    double doneSlowly = slowCycles * share * work.slow;
    double cycles = work.left <= doneSlowly
                        ? work.left / (share * work.slow)
                        : slowCycles + (work.left - doneSlowly) / share;
    // What rounding left is no cycle.
    int64_t time = now + int64_t(std::ceil(cycles - 1e-6));
    if (!first || time < first->time)
      first = End{time, work.process};
  }
  return first;
}

void Sharing::advance(int64_t time) {
  double slowCycles =
      double(std::clamp<int64_t>(slowUntil - now, 0, time - now));
  double others = double(time - now) - slowCycles;
  std::vector<double> done;
  for (const Work &work : works)
    done.push_back(shareOf(work) * (slowCycles * work.slow + others));
  for (auto [work, cycles] : llvm::zip_equal(works, done))
    work.left = std::max(0.0, work.left - cycles);
  now = time;
}

void Sharing::finish(unsigned process) {
  llvm::erase_if(works,
                 [&](const Work &work) { return work.process == process; });
}
