//===- FindCosts.h - The machine that a pass plans for ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes take the machine that they plan for as an option: a name or a
// description file. This turns the option into costs, or into a diagnostic at
// an operation. lib/Machine cannot do so itself, because it knows no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_FINDCOSTS_H
#define HEDDLE_ANALYSIS_FINDCOSTS_H

#include "heddle/Machine/Costs.h"

#include "mlir/Support/LLVM.h"

namespace heddle {

/// Those of the machine with this name or description file; else an error about
/// `op`.
llvm::LogicalResult findCosts(mlir::Operation *op, llvm::StringRef machine,
                              machine::Costs &costs);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_FINDCOSTS_H
