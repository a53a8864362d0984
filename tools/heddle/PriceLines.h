//===- PriceLines.h - What each line of a mapping costs ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program with pinned lines, before and after it was scheduled. Out: for
// each line, the plan without it: the intervals of its loops, the bytes of its
// rings, the registers of its processes, and the time of a launch by the
// machine's model, where the command line gives its sizes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_PRICELINES_H
#define HEDDLE_TOOLS_HEDDLE_PRICELINES_H

#include "ArgumentOptions.h"
#include "Program.h"

namespace heddle::tool {

/// `before` is the program on the tile rung. Prints nothing for a program
/// without pinned lines.
llvm::Error printPrices(Program &program, mlir::ModuleOp before,
                        const ArgumentOptions &sizes, llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_PRICELINES_H
