//===- Entry.cpp - What every function of the interface goes through ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one file of the compiler that is built with exceptions.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

#include "Guard.h"

#include <new>

using namespace heddle::compiler;

bool heddle::compiler::runCatching(llvm::function_ref<void()> body) noexcept {
  try {
    body();
    return true;
  } catch (...) {
    return false;
  }
}

heddle_outcome heddle::compiler::enter(
    heddle_result **result,
    llvm::function_ref<heddle_outcome(heddle_result &)> work) noexcept {
  if (!result)
    return HEDDLE_BAD_INPUT;
  *result = new (std::nothrow) heddle_result;
  if (!*result)
    return HEDDLE_INTERNAL;
  heddle_outcome outcome = HEDDLE_INTERNAL;
  runCatching(
      [&] { outcome = guard(**result, [&] { return work(**result); }); });
  return outcome;
}
