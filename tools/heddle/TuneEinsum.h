//===- TuneEinsum.h - heddle tune of a sparse program ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of einsums goes in with its operands; plans of its space are
// compiled in this process, judged by the oracle and timed on this processor,
// or predicted by the model of one. Out comes the text of an einsum.plan.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TUNEEINSUM_H
#define HEDDLE_TOOLS_HEDDLE_TUNEEINSUM_H

#include "TuneKernel.h"

namespace heddle::tool {

/// An exit code.
int tuneEinsum(Program &program, const TuneKernelOptions &options,
               const TuneRequest &request);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TUNEEINSUM_H
