//===- Cores.h - A toy target: two cores and a copy engine ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target outside the compiler: nothing in lib or tools names it. It keeps the
// claim honest that a machine is a folder and a registration.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_TOY_CORES_H
#define HEDDLE_TEST_TOY_CORES_H

namespace heddle::toy {

/// Makes the target "cores" known. Call once, before the first program.
void registerCores();

} // namespace heddle::toy

#endif // HEDDLE_TEST_TOY_CORES_H
