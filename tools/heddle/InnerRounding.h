//===- InnerRounding.h - Roundings to narrow types inside a program -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program goes in; the step of the coarsest type that it rounds to before it
// computes on comes out. Without that number `heddle run` would call a correct
// kernel wrong: a sum in another order can cross a rounding boundary and move
// the rounded value by a whole step.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_INNERROUNDING_H
#define HEDDLE_TOOLS_HEDDLE_INNERROUNDING_H

#include "mlir/IR/BuiltinOps.h"

namespace heddle::tool {

/// The distance between 1 and the next number of the coarsest float type that
/// `module` rounds to before it computes on; 0 if it rounds for stores only.
/// There two right executions may differ by that much: their sums in f32 differ
/// in the last bits, and so fall on different sides of a rounding.
double findInnerRounding(mlir::ModuleOp module);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_INNERROUNDING_H
