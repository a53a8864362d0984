//===- EndOfCta.h - What a CTA must have waited for --------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory goes to the next CTA, and the registers to its threads. So no
// asynchronous work may touch either when the last thread has exited, and
// somebody must know that it does not: what counts is that a wait was there,
// not that this schedule had the work done. docs/trust.md has the list.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_ENDOFCTA_H
#define HEDDLE_LIB_EMULATOR_ENDOFCTA_H

#include "Cta.h"

namespace heddle::emulator {

/// All threads have exited. False after reporting what may still run.
bool checkEnd(Cta &cta);

/// The mbarrier is about to go. False after reporting what may still signal it
/// or is announced on it.
bool checkEndOfBarrier(Cta &cta, const Instruction &in, const Warp &warp,
                       int lane, const Mbarrier &barrier);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_ENDOFCTA_H
