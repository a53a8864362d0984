//===- FindReplicas.cpp - Which processes of a kernel are replicas --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: kernels on the hopper rung. Out: the same, in which a process that does
// the same as another one, with other numbers, says so (`replica_of`). Warp
// groups that share a tile run the same program on other rows, slots and
// barriers. With code of their own they fill the instruction cache in turn:
// where a tile has few iterations, warps waited for instructions a tenth to a
// quarter of the time.
//
// Only the last processes of a kernel may be replicas: those in front of them
// are told apart first.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/HopperReplicas.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_FINDREPLICAS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool findReplicas(hopper::KernelOp kernel) {
  SmallVector<hopper::ProcessOp> processes(kernel.getOps<hopper::ProcessOp>());
  llvm::stable_sort(processes, [](hopper::ProcessOp a, hopper::ProcessOp b) {
    return a.getFirstWarp() < b.getFirstWarp();
  });
  for (ArrayRef<hopper::ProcessOp> last = processes; last.size() > 1;
       last = last.drop_front()) {
    Operation *difference = nullptr;
    if (!hopper::compareProcesses(last, difference))
      continue;
    hopper::ProcessOp leader = last.front();
    for (hopper::ProcessOp replica : last.drop_front())
      replica->setAttr(kReplicaOf, leader.getSymAttr());
    return true;
  }
  return false;
}

struct FindReplicas : heddle::impl::FindReplicasBase<FindReplicas> {
  void runOnOperation() override {
    bool isAny = false;
    for (auto kernel : getOperation().getOps<hopper::KernelOp>())
      isAny |= findReplicas(kernel);
    if (!isAny)
      markAllAnalysesPreserved();
  }
};

} // namespace
