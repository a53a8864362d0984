//===- LeastBounds.h - Whether neighbours are compared with numbers -*- C++ -*-//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of a function by which hopper-to-nvvm, which knows the machine
// and the registers of each process, tells the passes on LLVM IR whether
// comparisons with constants pay. They decide nothing themselves.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_LEASTBOUNDS_H
#define HEDDLE_CONVERSION_LEASTBOUNDS_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// The bounds that change in a loop with which a number must be compared for
/// its neighbours to be compared with constants instead; without the attribute
/// none are.
inline constexpr llvm::StringLiteral kLeastBounds = "heddle.least-bounds";

/// The comparisons with one bound, at the least, that are worth the
/// subtraction; with `kLeastBounds`.
inline constexpr llvm::StringLiteral kLeastComparisons =
    "heddle.least-comparisons";

} // namespace heddle

#endif // HEDDLE_CONVERSION_LEASTBOUNDS_H
