//===- InnerRounding.h - Roundings to narrow types inside a program -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
