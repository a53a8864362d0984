//===- ArefToHopper.h - From processes and rings to sm_90a -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: kernels whose processes are joined by rings. Out: hopper.kernel ops in
// which every tile has a layout, every slot a place and every op one
// instruction family; for views that break TMA's rules, variants beside. The
// step stands after the expander, which fixed the order of operations and
// waits, and before the expansion to threads, which decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_H

#include "heddle/Machine/Costs.h"
#include "mlir/Pass/Pass.h"

namespace heddle {

/// On a module that could not be lowered: by how many bytes a kernel overflows
/// shared memory.
inline constexpr llvm::StringLiteral kSharedOverflow = "heddle.shared_overflow";

#define GEN_PASS_DECL_LOWERTOHOPPER
#include "heddle/Transforms/Passes.h.inc"

} // namespace heddle

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_H
