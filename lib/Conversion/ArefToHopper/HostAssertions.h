//===- HostAssertions.h - Rewrite: assertions a launch can check --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An assertion outside of every loop and branch that compares extents, scalar
// arguments and constants is false for the whole launch or for none of it. The
// host then refuses the launch with the message, and the kernel need not look.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_HOSTASSERTIONS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_HOSTASSERTIONS_H

#include "KernelFacts.h"
#include "ProcessEmitter.h"

namespace heddle::areftohopper {

bool isHostAssertion(tile::AssertOp op);

/// Emits a hopper.require for each of the kernel's, which holds `values`.
void emitHostAssertions(mlir::OpBuilder &builder, const KernelFacts &facts,
                        const ValueMap &values);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_HOSTASSERTIONS_H
