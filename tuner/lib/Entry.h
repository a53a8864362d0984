//===- Entry.h - What every function of the interface goes through --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library throws nothing itself, but the standard library does where memory
// runs out, and callers are C. So each function of tuner.h is one call of
// `enter` or `enterOr`, which make a status of an exception.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_LIB_ENTRY_H
#define HEDDLE_TUNER_LIB_ENTRY_H

namespace heddle::tuner::capi {

template <class Result, class Body>
Result enterOr(Result otherwise, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return otherwise;
  }
}

} // namespace heddle::tuner::capi

#endif // HEDDLE_TUNER_LIB_ENTRY_H
