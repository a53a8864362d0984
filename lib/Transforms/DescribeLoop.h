//===- DescribeLoop.h - What of a loop its plan depends on ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop, its problem and the costs of a machine. Out: these and what the
// policy asks about the loop beside its schedule, as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_DESCRIBELOOP_H
#define HEDDLE_LIB_TRANSFORMS_DESCRIBELOOP_H

#include "ExportProblem.h"

#include "heddle/Plan/Choose.h"

namespace heddle {

plan::Loop describeLoop(mlir::scf::ForOp loop, const LoopProblem &exported,
                        const machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_DESCRIBELOOP_H
