//===- Epilogue.h - Which results may wait for the next instance --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the loops of a kernel with their schedules. Out: which processes may keep
// a result in registers, to store it under the products of the next instance: a
// deferred epilogue. A process may if the registers are free all that time and
// it does little more than start products.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PLAN_EPILOGUE_H
#define HEDDLE_PLAN_EPILOGUE_H

#include "heddle/Schedule/Problem.h"

#include <map>
#include <set>
#include <string>

namespace heddle::plan {

class DeferredEpilogue {
public:
  /// `overhead`: registers that a process needs beside its results.
  /// `deferring`: the part of an interval that a process may compute for.
  DeferredEpilogue(int64_t overhead, double deferring)
      : overhead(overhead), deferring(deferring) {}

  /// Takes notice of a loop. Whoever starts a product is free again while it
  /// runs, whatever the machine takes for starting it.
  void addLoop(const schedule::Problem &problem,
               const schedule::Solution &solution);

  /// May `process` keep a result of so many registers a thread? If so, they are
  /// taken.
  bool take(const schedule::Process &process, int64_t registers);

private:
  int64_t overhead;
  double deferring;
  std::map<std::string, int64_t> held; ///< registers at the most, by process
  std::set<std::string> busy;          ///< processes that compute for too long
};

} // namespace heddle::plan

#endif // HEDDLE_PLAN_EPILOGUE_H
