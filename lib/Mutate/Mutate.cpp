//===- Mutate.cpp - Breaks the barrier protocol of a kernel -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "heddle/Dialect/Replicas.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace heddle::mutate {

ArrayRef<Operator> operators() {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> list;
    for (ArrayRef<Operator> part :
         {eventOperators(), counterOperators(), resourceOperators(),
          placeOperators(), flowOperators(), predicateOperators()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Operator *findOperator(StringRef name) {
  const Operator *found = llvm::find_if(
      operators(), [&](const Operator &op) { return op.name == name; });
  return found == operators().end() ? nullptr : found;
}

hopper::RingOp ringNamed(Operation *op, StringRef name) {
  auto kernel = op->getParentOfType<hopper::KernelOp>();
  for (auto ring : kernel.getOps<hopper::RingOp>())
    if (ring.getSym() == name)
      return ring;
  return {};
}

static std::vector<Operation *> operationsOf(hopper::KernelOp kernel) {
  std::vector<Operation *> result;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != kernel)
      result.push_back(op);
  });
  return result;
}

// An operator says what it can edit by doing it, on a copy.
std::vector<unsigned> findSites(hopper::KernelOp kernel, const Operator &op) {
  std::vector<unsigned> sites;
  unsigned count = operationsOf(kernel).size();
  OwningOpRef<hopper::KernelOp> copy = kernel.clone();
  std::vector<Operation *> operations = operationsOf(*copy);
  for (unsigned i = 0; i < count; ++i)
    if (op.apply(operations[i])) {
      sites.push_back(i);
      copy = kernel.clone();
      operations = operationsOf(*copy);
    }
  return sites;
}

static std::string placeOf(Operation *op) {
  std::string place = "?";
  op->getLoc()->walk([&](Location location) {
    auto file = dyn_cast<FileLineColLoc>(location);
    if (!file)
      return WalkResult::advance();
    place = file.getFilename().str() + ":" + std::to_string(file.getLine()) +
            ":" + std::to_string(file.getColumn());
    return WalkResult::interrupt();
  });
  return place + " " + op->getName().getStringRef().str();
}

std::string mutate(hopper::KernelOp kernel, const Operator &op, unsigned site) {
  Operation *target = operationsOf(kernel)[site];
  std::string place = placeOf(target);
  op.apply(target);
  // What is broken in one process is not broken in its replicas.
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    process->removeAttr(kReplicaOf);
  return place;
}

} // namespace heddle::mutate
