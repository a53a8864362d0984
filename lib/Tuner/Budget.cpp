//===- Budget.cpp - How many evaluations are left -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "heddle/Tuner/Budget.h"

using namespace heddle::tuner;

bool Budget::count(const Outcome &outcome) {
  bool isTwin = !outcome.code.empty() && !codes.insert(outcome.code).second;
  used += !isTwin;
  twinCount += isTwin;
  twinsInRow = isTwin ? twinsInRow + 1 : 0;
  return isTwin;
}
