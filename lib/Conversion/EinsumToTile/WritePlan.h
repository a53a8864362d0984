//===- WritePlan.h - A nest as text of the einsum rung ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest that some planner chose. Out: an einsum.nest at the builder's
// place. Both planners, for programs of the CPU and for one kernel over views,
// write the same entries.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_EINSUMTOTILE_WRITEPLAN_H
#define HEDDLE_LIB_CONVERSION_EINSUMTOTILE_WRITEPLAN_H

#include "heddle/Sparse/Statement.h"

#include "mlir/IR/Builders.h"

namespace heddle {

void writeNest(mlir::OpBuilder &builder, mlir::Location loc,
               const sparse::Statement &statement, const sparse::Nest &nest);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_EINSUMTOTILE_WRITEPLAN_H
