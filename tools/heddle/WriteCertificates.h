//===- WriteCertificates.h - KERNEL.cert.json of a program ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program on the sched rung and a folder go in; a file KERNEL.cert.json for
// each kernel comes out, with an exit code. Certificates.h makes the
// certificates; file names and errors of writing are apart from it, because the
// C interface has none.
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
