//===- GivenRung.cpp - Processes that nobody here has made ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text of the rungs that have processes is code that somebody wrote or edited.
// The verifiers see one process at a time; that a ring deadlocks for some trip
// count, that registers of a product in flight are made anew or would have to
// be moved, only the checker sees, and hardware would hang or compute something
// else.
//
//===----------------------------------------------------------------------===//

#include "GivenRung.h"

#include "heddle/Check/Extract.h"
#include "heddle/Check/Prove.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Check.h"

using namespace mlir;

namespace heddle::pipeline {

LogicalResult refuseFaulty(ModuleOp module) {
  for (auto kernel : module.getOps<hopper::KernelOp>()) {
    check::Extraction extraction = check::extract(kernel);
    if (!extraction.gap.empty())
      continue; // it is not looked at
    check::Result result = check::prove(extraction.protocol);
    bool isFaulty = result.verdict == check::Verdict::Counterexample;
    if (isFaulty || result.movesFlights)
      return report(kernel.getLoc(),
                    isFaulty ? diag::protocol_fault : diag::protocol_unproved)
             << "@" << kernel.getSymName() << ": " << describe(result)
             << "; `heddle check` says more, `heddle run --device=emulator` "
                "shows it, and `heddle compile --check-protocol=false` "
                "compiles "
                "it nevertheless";
  }
  return success();
}

} // namespace heddle::pipeline
