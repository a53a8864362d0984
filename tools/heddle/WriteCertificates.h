//===- WriteCertificates.h - KERNEL.cert.json of a program ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_WRITECERTIFICATES_H
#define HEDDLE_TOOLS_HEDDLE_WRITECERTIFICATES_H

#include "heddle/Machine/Costs.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::tool {

/// Certifies the schedules of a program on the sched rung, which were made with
/// these costs, and writes a file for each kernel into `folder`. Returns an
/// exit code: a schedule that does not pass is an error.
int writeCertificates(mlir::ModuleOp module, const machine::Costs &costs,
                      llvm::StringRef folder);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_WRITECERTIFICATES_H
