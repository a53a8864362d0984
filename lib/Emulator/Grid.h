//===- Grid.h - Runs the CTAs of a launch ------------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CTAs run one after the other, or on several threads of the host where the
// kernel has no means to tell the difference: no atomics on global memory and
// no ordered or volatile access to it. Each CTA has a seed of its own, so what
// it does is the same in both cases. Where the kernel can tell, and the
// schedule is to look for trouble, a few CTAs go on in turns that the seed
// decides.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_GRID_H
#define HEDDLE_LIB_EMULATOR_GRID_H

#include "Cta.h"

namespace heddle::emulator {

/// Whether an instruction lets CTAs learn of each other through global memory.
bool isCommunication(std::string_view opcode);

/// False with the error of the first CTA, in order, that failed.
bool runGrid(const Launch &launch, std::string &error);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_GRID_H
