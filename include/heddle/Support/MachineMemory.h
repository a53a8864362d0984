//===- MachineMemory.h - How much memory there is -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no arguments and results can fit into is refused before it is allocated:
// the system grants more than it has, and ends the process that uses it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_MACHINEMEMORY_H
#define HEDDLE_SUPPORT_MACHINEMEMORY_H

#include "heddle/Support/CheckedMath.h"

#include <unistd.h>

namespace heddle {

/// Bytes of the computer's memory.
inline int64_t machineMemory() {
  return satMul(sysconf(_SC_PHYS_PAGES), sysconf(_SC_PAGESIZE));
}

} // namespace heddle

#endif // HEDDLE_SUPPORT_MACHINEMEMORY_H
