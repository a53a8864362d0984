//===- DropCarried.cpp - Values that loops carry for nobody -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DropCarried.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace heddle;

/// Whether a carried value only reaches its own next one.
static bool isForItself(scf::ForOp loop, unsigned index) {
  if (!loop.getResult(index).use_empty())
    return false;
  SmallVector<Value> pending = {loop.getRegionIterArg(index)};
  DenseSet<Operation *> seen;
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == loop.getBody()->getTerminator()) {
        if (use.getOperandNumber() != index)
          return false;
      } else if (!isPure(user) || user->getNumRegions() ||
                 user->hasTrait<OpTrait::IsTerminator>()) {
        return false;
      } else if (seen.insert(user).second) {
        llvm::append_range(pending, user->getResults());
      }
    }
  return true;
}

void heddle::dropCarried(tile::KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) {
    for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
      if (isForItself(loop, index)) {
        // Handed on as it is, canonicalisation removes it.
        Operation *yield = loop.getBody()->getTerminator();
        yield->setOperand(index, loop.getRegionIterArg(index));
      }
  });
}
