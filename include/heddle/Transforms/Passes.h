//===- Passes.h - heddle's passes -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of all steps, with their options, as TableGen makes them
// from Passes.td, and their registration. Passes that live in lib/Conversion
// are among them: one list gives one library of names for heddle-opt.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_PASSES_H
#define HEDDLE_TRANSFORMS_PASSES_H

#include "heddle/Machine/Costs.h"

#include "mlir/Pass/Pass.h"

namespace heddle {

#define GEN_PASS_DECL
#include "heddle/Transforms/Passes.h.inc"

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_PASSES_H
