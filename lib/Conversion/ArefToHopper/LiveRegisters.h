//===- LiveRegisters.h - Decide: registers that tiles need at once -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process and the layouts of its tiles. Out: the registers of a thread
// that its tiles fill at the worst point. ptxas allocates registers only after
// the budgets and the blocks a multiprocessor have been chosen, so the choices
// rest on this count.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_LIVEREGISTERS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_LIVEREGISTERS_H

#include "AssignLayouts.h"

namespace heddle::areftohopper {

/// The most 32-bit registers a thread that the tiles of `process` fill at one
/// point. A result takes the registers of the operands that end there.
int64_t countLiveRegisters(aref::ProcessOp process, const LayoutMap &layouts);

/// The same inside of loops that start products, with those in flight: what is
/// around them is done element by element, but there a tile is there as a
/// whole.
int64_t countRegistersOfProducts(aref::ProcessOp process,
                                 const LayoutMap &layouts);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_LIVEREGISTERS_H
