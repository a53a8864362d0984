//===- Certificates.h - What a program's schedules claim --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program on the sched rung goes in; a certificate for each kernel comes out,
// with the problem, the schedule and the claims of every pipelined loop.
// `heddle compile` and the C interface both certify, so the step knows no file
// and no option.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_REPORT_CERTIFICATES_H
#define HEDDLE_REPORT_CERTIFICATES_H

#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Certificate.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::tool {

/// Certifies the schedules of a program on the sched rung, which were made with
/// these costs: one certificate for each kernel. A schedule that does not pass
/// is reported.
mlir::LogicalResult certify(mlir::ModuleOp module, const machine::Costs &costs,
                            std::vector<schedule::Certificate> &certificates);

} // namespace heddle::tool

#endif // HEDDLE_REPORT_CERTIFICATES_H
