//===- ReportOverflow.h - What does not fit, and what would -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each buffer or budget is a note at the line that asks for it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_AREFTOHOPPER_REPORTOVERFLOW_H
#define HEDDLE_LIB_CONVERSION_AREFTOHOPPER_REPORTOVERFLOW_H

#include "KernelFacts.h"
#include "RegisterBudget.h"
#include "SharedPlan.h"

namespace heddle::areftohopper {

/// `shared` is the plan of `request` that did not fit; both list the rings and
/// processes of `facts` in order.
mlir::LogicalResult reportSharedOverflow(mlir::Operation *kernel,
                                         const KernelFacts &facts,
                                         const SharedRequest &request,
                                         const SharedPlan &shared);

/// `requests` lists the processes of `facts` in order.
mlir::LogicalResult
reportRegisterOverflow(mlir::Operation *kernel, const KernelFacts &facts,
                       const std::vector<RegisterRequest> &requests);

} // namespace heddle::areftohopper

#endif // HEDDLE_LIB_CONVERSION_AREFTOHOPPER_REPORTOVERFLOW_H
