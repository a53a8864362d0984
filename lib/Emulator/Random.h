//===- Random.h - A small deterministic generator ----------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For schedules that a seed names.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_RANDOM_H
#define HEDDLE_LIB_EMULATOR_RANDOM_H

#include "heddle/Support/SplitMix.h"

namespace heddle::emulator {

class Random : public SplitMix {
public:
  using SplitMix::SplitMix;

  uint32_t below(uint32_t bound) { return uint32_t(next() % bound); }
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_RANDOM_H
