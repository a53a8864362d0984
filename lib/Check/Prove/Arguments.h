//===- Arguments.h - What leads to a counterexample -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the state in which a check failed. Out: its trip counts, and small values
// of the kernel's arguments that lead there. The exploration takes trip counts
// for independent, so a fault counts as a counterexample only if such values
// exist.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_ARGUMENTS_H
#define HEDDLE_LIB_CHECK_ARGUMENTS_H

#include "State.h"

#include "heddle/Check/Prove.h"

namespace heddle::check {

/// The trip counts that a state without rebasing knows.
void describeTrips(const Program &program, const State &state, Fault &fault);

/// Small values of the kernel's symbols, for a launch of one thread block,
/// that answer every question as the state did. None was found if empty.
std::optional<std::map<std::string, int64_t>>
findArguments(const Program &program, const State &state);

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_ARGUMENTS_H
