//===- EmitKernel.h - Rewrite: a variant of a kernel -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the facts about a kernel and the plan of one variant. Out: the
// hopper.kernel, with its rings, grid, assertions and processes. The source
// kernel stays as it is, because the next variant is emitted from it too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_EMITKERNEL_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_EMITKERNEL_H

#include "KernelPlan.h"

#include "mlir/IR/Builders.h"

namespace heddle::areftohopper {

/// Emits the variant that `plan` describes at the builder's insertion point.
hopper::KernelOp emitKernel(mlir::OpBuilder &builder, const KernelFacts &facts,
                            const KernelPlan &plan);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_EMITKERNEL_H
