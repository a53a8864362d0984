//===- MakeResumable.h - Functions that stop and go on ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of a frame that calls kBegin, kWait and kFail
// (WriteProcess.h). Out: one that returns at every wait, after keeping in its
// frame what it will need, and goes on there when it is called again. LLVM has
// coroutines for this; they keep a value in memory from where it is made, also
// in loops that seldom wait, and here only the waits themselves touch memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_MAKERESUMABLE_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_MAKERESUMABLE_H

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace heddle::simulator {

/// Keeps values in the words of the frame from `firstWord` on. Returns how many
/// words the frame has then.
int64_t makeResumable(llvm::Function &function, int64_t firstWord);

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_MAKERESUMABLE_H
