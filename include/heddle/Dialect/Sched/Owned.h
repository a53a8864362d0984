//===- Owned.h - What a loop hands on, and does not make -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop. Out: what its iterations hand on without making it, or twice. A
// pass makes tiles their own before a plan names them, the expander numbers,
// and refuses what is left: all three mean the same by it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_SCHED_OWNED_H
#define HEDDLE_DIALECT_SCHED_OWNED_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle::sched {

/// What a loop hands on and that is none of its own: not made in the body, or
/// handed on before. A schedule names a carried value by what makes it.
llvm::SmallVector<mlir::OpOperand *> findNotOwned(mlir::scf::ForOp loop);

} // namespace heddle::sched

#endif // HEDDLE_DIALECT_SCHED_OWNED_H
