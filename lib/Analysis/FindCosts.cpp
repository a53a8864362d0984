//===- FindCosts.cpp - The machine that a pass plans for ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/FindCosts.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

using namespace mlir;

LogicalResult heddle::findCosts(Operation *op, StringRef machine,
                                machine::Costs &costs) {
  std::string error;
  if (machine::findMachine(machine.str(), costs, error))
    return success();
  return report(op, diag::machine) << error;
}
