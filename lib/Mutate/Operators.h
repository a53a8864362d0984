//===- Operators.h - The lists that make up the operators -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lists of which Mutate.cpp makes one: events, counters, declarations,
// places, control flow, predicates. Each file ends in its table, so that a new
// kind of mistake is one function and one row beside its kin.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_MUTATE_OPERATORS_H
#define HEDDLE_LIB_MUTATE_OPERATORS_H

#include "heddle/Mutate/Mutate.h"

#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::mutate {

/// Events dropped, repeated, moved or weakened.
llvm::ArrayRef<Operator> eventOperators();
/// Slots and phases.
llvm::ArrayRef<Operator> counterOperators();
/// What rings, barriers and processes declare.
llvm::ArrayRef<Operator> resourceOperators();
/// Where loads find elements.
llvm::ArrayRef<Operator> placeOperators();
/// Iterations and names.
llvm::ArrayRef<Operator> flowOperators();
/// Conditions under which memory is accessed.
llvm::ArrayRef<Operator> predicateOperators();

/// The ring that an operation names; null if the kernel has none of that name.
hopper::RingOp ringNamed(mlir::Operation *op, llvm::StringRef name);

} // namespace heddle::mutate

#endif // HEDDLE_LIB_MUTATE_OPERATORS_H
