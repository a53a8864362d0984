//===- WaitCycle.h - Who waits for whom in a circle -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the processes that wait, where nothing moves. Out: a circle of them in
// which one waits for a free slot, since then one more slot of that ring lets
// it go on, and the circle as a sentence. Circles that no slot opens are a
// fault of the program.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_WAITCYCLE_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_WAITCYCLE_H

#include "../Process.h"

namespace heddle::simulator {

struct BlockedProcess {
  Process *process;
  Ring *ring;
  bool wantsSlot; ///< or a token
  llvm::SmallVector<Process *, 2> waitsFor;
};

struct WaitCycle {
  Ring *ring; ///< of the free slot: the one with the fewest slots in the circle
  std::string text;
};

std::optional<WaitCycle>
findWaitCycle(llvm::ArrayRef<BlockedProcess> blocked,
              llvm::function_ref<int64_t(Ring *)> slotsOf);

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_WAITCYCLE_H
