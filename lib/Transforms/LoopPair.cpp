//===- LoopPair.cpp - Decide: what two loops have in common -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPair.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace heddle;

bool LoopPair::isOne(Value a, Value b) const {
  Block *bodyA = scf::ForOp(first).getBody(),
        *bodyB = scf::ForOp(second).getBody();
  Operation *ofB = b.getDefiningOp();
  if (ofB && ofB->getBlock() == bodyB)
    return a.getDefiningOp() && partners.lookup(ofB) == a.getDefiningOp() &&
           cast<OpResult>(a).getResultNumber() ==
               cast<OpResult>(b).getResultNumber();
  auto argument = dyn_cast<BlockArgument>(b);
  if (argument && argument.getOwner() == bodyB)
    return a == bodyA->getArgument(argument.getArgNumber());
  return a == b;
}

/// Whether two operations do the same, whatever they read.
bool LoopPair::isLike(Operation *a, Operation *b) const {
  if (a->getName() != b->getName() ||
      a->getAttrDictionary() != b->getAttrDictionary() ||
      a->getResultTypes() != b->getResultTypes() ||
      a->getOperandTypes() != b->getOperandTypes() ||
      a->getNumRegions() != b->getNumRegions())
    return false;
  for (auto [regionA, regionB] : llvm::zip(a->getRegions(), b->getRegions()))
    if (!OperationEquivalence::isRegionEquivalentTo(
            &regionA, &regionB, OperationEquivalence::IgnoreLocations))
      return false;
  return true;
}

void LoopPair::pair(Operation *a, Operation *b) {
  partners[b] = a;
  copies[a] = b;
}

/// Operations that compute one value.
void LoopPair::pairEqual() {
  for (Operation &b : second.getBody()->without_terminator())
    for (Operation &a : first.getBody()->without_terminator()) {
      bool isEqual = !copies.count(&a) && isLike(&a, &b) &&
                     llvm::all_of(llvm::zip(a.getOperands(), b.getOperands()),
                                  [&](auto operands) {
                                    auto [ofA, ofB] = operands;
                                    return isOne(ofA, ofB);
                                  });
      if (isEqual) {
        pair(&a, &b);
        break;
      }
    }
}

/// Operations that do the same with what differs, from the results up.
void LoopPair::pairAlike(Value a, Value b) {
  Operation *ofA = a.getDefiningOp(), *ofB = b.getDefiningOp();
  if (isOne(a, b) || !ofA || !ofB || ofA->getBlock() != first.getBody() ||
      ofB->getBlock() != second.getBody() || copies.count(ofA) ||
      partners.count(ofB) || !isLike(ofA, ofB) ||
      cast<OpResult>(a).getResultNumber() !=
          cast<OpResult>(b).getResultNumber())
    return;
  pair(ofA, ofB);
  for (auto [nextA, nextB] : llvm::zip(ofA->getOperands(), ofB->getOperands()))
    pairAlike(nextA, nextB);
}

/// What only computes tiles can be an alternative.
std::string LoopPair::findUnpaired() const {
  for (auto [loop, paired] :
       {std::pair(first, &copies), std::pair(second, &partners)})
    for (Operation &op : scf::ForOp(loop).getBody()->without_terminator())
      if (!paired->count(&op) &&
          (!isMemoryEffectFree(&op) || isa<tile::DotOp>(op) ||
           isa<scf::SCFDialect>(op.getDialect())))
        return "'" + op.getName().getStringRef().str() +
               "' of one has no counterpart in the other";
  return "";
}

std::string LoopPair::match() {
  for (Operation &op : first.getBody()->without_terminator())
    if (hasEffect<MemoryEffects::Write>(&op) || op.getNumRegions() > 1)
      return "their bodies do more than compute";
  pairEqual();
  for (auto [a, b] :
       llvm::zip(first.getYieldedValues(), second.getYieldedValues()))
    pairAlike(a, b);
  return findUnpaired();
}
