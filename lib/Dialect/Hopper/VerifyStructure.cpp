//===- VerifyStructure.cpp - What stands in a kernel, what in a process -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering executes what processes hold, and computes for them what they
// use of the kernel's numbers. What acts elsewhere would be lost, so it is
// refused: a wait outside of processes, a process under a condition.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"
#include "heddle/Support/PtxName.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace heddle::hopper {

/// Does it belong right into a kernel, and nowhere else?
static bool isDeclaration(Operation *op) {
  return isa<ProcessOp, RingOp, GridOp, RequireOp, MadeViewOp, CountersOp,
             ClusterOp>(op);
}

static LogicalResult verifyNested(Operation *outer, bool isInProcess) {
  WalkResult result = outer->walk([&](Operation *op) -> WalkResult {
    if (op != outer && isDeclaration(op))
      return LogicalResult(reportOp(op, diag::hopper_outside)
                           << "stands in a '" << op->getParentOp()->getName()
                           << "'; it stands in a hopper.kernel only");
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (!isInProcess && !isMemoryEffectFree(outer))
    return reportOp(outer, diag::hopper_outside)
           << "stands outside of the kernel's processes, where nothing "
              "executes it; move it into one";
  return success();
}

/// Arguments are told apart by their names in manifests and on command lines.
static LogicalResult verifyNames(KernelOp kernel) {
  if (!isPtxName(kernel.getSymName()))
    return reportOp(kernel, diag::hopper_kernel)
           << describeName(kernel.getSymName());
  llvm::StringSet<> names;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i) {
    std::string name = kernel.getArgName(i);
    bool isWord = !name.empty() && llvm::all_of(name, [](char c) {
      return llvm::isAlnum(c) || StringRef("_.$-").contains(c);
    });
    if (!isWord)
      return reportOp(kernel, diag::hopper_kernel)
             << "has an argument that is called '" << name
             << "'; a name is letters, digits, and any of _ . $ -";
    if (!names.insert(name).second)
      return reportOp(kernel, diag::hopper_kernel)
             << "has two arguments that are called '" << name << "'";
  }
  return success();
}

LogicalResult verifyStructure(KernelOp kernel) {
  if (Block *around = kernel->getBlock())
    for (Operation &op : *around)
      if (isa_and_present<HopperDialect>(op.getDialect()) && !isa<KernelOp>(op))
        return reportOp(&op, diag::hopper_outside)
               << "stands outside of a hopper.kernel, where nothing executes "
                  "it; move it into a process of one";
  for (Operation &op : kernel.getEntry()) {
    bool isProcess = isa<ProcessOp>(op);
    if (isProcess || !isDeclaration(&op))
      if (failed(verifyNested(&op, isProcess)))
        return failure();
  }
  return verifyNames(kernel);
}

} // namespace heddle::hopper
