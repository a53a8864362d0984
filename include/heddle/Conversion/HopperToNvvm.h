//===- HopperToNvvm.h - From tiles to threads ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: verified hopper.kernel ops. Out: one llvm.func for each, in upstream's
// llvm and nvvm dialects only. All decisions have been made by then, down to
// layouts and barriers, so the hopper rung, which the checker reads, says all
// that the PTX does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_HOPPERTONVVM_H
#define HEDDLE_CONVERSION_HOPPERTONVVM_H

#include "heddle/Machine/Costs.h"

#include "mlir/Pass/Pass.h"

namespace heddle {

#define GEN_PASS_DECL_LOWERTONVVM
#include "heddle/Transforms/Passes.h.inc"

} // namespace heddle

#endif // HEDDLE_CONVERSION_HOPPERTONVVM_H
