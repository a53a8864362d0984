//===- Flatten.h - From statements to instructions --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about statements and instructions that Flatten.cpp asks while it
// turns the first into the second, and that Needed.cpp answers. The interface
// of both to the exploration is Program.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_FLATTEN_H
#define HEDDLE_LIB_CHECK_FLATTEN_H

#include "Program.h"

namespace heddle::check {

/// Marks the values that events depend on, through loops and branches; if
/// conditions that are made of constants and of what is carried are executed,
/// also what these depend on.
std::vector<bool> findNeeded(const Process &process, bool executes);

/// Does it hold an event?
bool hasEvents(const std::vector<Statement> &statements);

/// Puts into each instruction the values that are used from there on.
void findLive(ProcessCode &code);

/// Finds the flights whose registers may have to be moved.
void findMoves(ProcessCode &code);

/// All values that an event reads.
std::vector<Value> operandsOf(const Event &event);

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_FLATTEN_H
