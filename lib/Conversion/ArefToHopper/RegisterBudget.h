//===- RegisterBudget.h - Decide: registers when loads become copies -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the registers that the schedule gives each process, and its floor. Out:
// the budgets for setmaxnreg in a variant whose loads are copies by threads. A
// process that issues TMA gets by with few registers, but one that copies needs
// many, and the others give them up out of one pool. Plain data, so tests need
// no program.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_REGISTERBUDGET_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_REGISTERBUDGET_H

#include "heddle/Machine/Costs.h"

#include <cstdint>
#include <vector>

namespace heddle::areftohopper {

/// `setmaxnreg` works on warp groups in steps of 8.
struct RegisterRequest {
  int64_t warps = 4;
  int64_t budget = 0; // 0: left as it is
  int64_t floor = 24; // what the process cannot do without
  bool copies = false;
  bool isExact = false; // the floor is all it needs, not an estimate
  int64_t wanted = 0;   // with less ptxas may spill
  int leader = -1; // the process that does the same for another sub-tile, in
                   // front of it, with as many registers
};

/// What a launch of `processes` gives the block: setmaxnreg moves registers
/// within this pool, which is a little less than the block's `share` of the
/// register file.
int64_t registerPool(const std::vector<RegisterRequest> &processes,
                     const machine::Limits &share);

int64_t countRegisters(const std::vector<RegisterRequest> &processes);

/// The budgets with copying processes raised to `copying`, for addresses, masks
/// and data in flight, paid for by the largest others, never below their
/// floors; and to 16 more where those that pay need no more than their floors.
/// Replicas have what their leader has.
/// Where others would have less than they want, copies get fewer, but not less
/// than a batch takes.
/// Returns the budgets unchanged if one of them is 0.
std::vector<int64_t>
rebalanceRegisters(const std::vector<RegisterRequest> &processes,
                   const machine::Costs::Registers &margins,
                   const machine::Limits &share);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_REGISTERBUDGET_H
