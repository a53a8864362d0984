//===- Entry.h - What every function of the interface goes through --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library throws nothing itself, but the standard library does where memory
// runs out or a size is absurd, and so may a driver. Callers are C. So each
// function of runtime.h is one call of `enter`, which makes of an exception
// what the interface has for errors; scripts/check_structure.py refuses one
// that is not.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_ENTRY_H
#define HEDDLE_RUNTIME_LIB_ENTRY_H

#include "Error.h"

namespace heddle::runtime {

/// The status and the sentence for the exception that is being handled.
heddle_status failCaught(const char *function) noexcept;

/// The result of `body`, which gets the function's name for its messages.
template <class Body>
heddle_status enter(const char *function, Body body) noexcept {
  try {
    return body(function);
  } catch (...) {
    return failCaught(function);
  }
}

/// The same for functions that return no status: `otherwise` stands for an
/// exception.
template <class Result, class Body>
Result enterOr(const char *function, Result otherwise, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    failCaught(function);
    return otherwise;
  }
}

/// No text, no argument list and no buffer is larger: a size above is a
/// mistake.
constexpr size_t kMostTextBytes = size_t(1) << 30;
constexpr size_t kMostMemoryBytes = size_t(1) << 48;

/// Fails for a size above `most`; `what` is the parameter's name.
heddle_status checkSize(const char *function, const char *what, size_t size,
                        size_t most);

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_ENTRY_H
