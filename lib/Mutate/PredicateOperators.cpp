//===- PredicateOperators.cpp - Conditions under which memory is accessed -===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mistakes in predicates of loads and stores: in guards, the conditions of
// branches around them or of a store itself, and in masks, a condition for each
// element, or for each row that memory names. One is turned round, left out,
// never holds, is off by one, or forgets what it also asks. A barrier protocol
// under a guard is for the checker; where only a store is, or a mask is wrong,
// a comparison of results must notice.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace heddle::hopper;

namespace heddle::mutate {

static bool accessesGlobalMemory(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<TmaLoadOp, TmaStoreOp, CopyOp, GlobalLoadOp, GlobalStoreOp,
                   tile::GatherOp, tile::ScatterOp, tile::AtomicRmwOp,
                   tile::AtomicCasOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The scalar condition of a branch around accesses, or of a store; null for
/// all else.
static OpOperand *guardOf(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return accessesGlobalMemory(op) ? &branch.getConditionMutable() : nullptr;
  auto store = dyn_cast<GlobalStoreOp>(op);
  return store && store.getCondition() ? &store.getConditionMutable()[0]
                                       : nullptr;
}

template <typename Op> static OpOperand *maskOfKind(Operation *op) {
  auto access = dyn_cast<Op>(op);
  return access && access.getMask() ? &access.getMaskMutable()[0] : nullptr;
}

/// Whether `value` says where rows of memory lie that a tile is read from.
static bool namesRows(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (auto copy = dyn_cast<CopyOp>(user))
      return copy.getRows() == value;
    if (auto load = dyn_cast<GlobalLoadOp>(user))
      return load.getRows() == value;
    auto convert = dyn_cast<ConvertLayoutOp>(user);
    return convert && namesRows(convert);
  });
}

/// Which rows there are: the others are chosen to lie where none does.
static OpOperand *rowMaskOf(Operation *op) {
  auto choice = dyn_cast<arith::SelectOp>(op);
  return choice && isa<TensorType>(choice.getCondition().getType()) &&
                 namesRows(choice)
             ? &choice.getConditionMutable()
             : nullptr;
}

static OpOperand *maskOf(Operation *op) {
  for (auto find : {maskOfKind<tile::GatherOp>, maskOfKind<tile::ScatterOp>,
                    maskOfKind<tile::AtomicRmwOp>,
                    maskOfKind<tile::AtomicCasOp>, rowMaskOf})
    if (OpOperand *mask = find(op))
      return mask;
  return nullptr;
}

/// True or false, for each element where `type` is a tile's.
static Value truth(OpBuilder &builder, Location loc, Type type, bool value) {
  Value scalar = arith::ConstantIntOp::create(builder, loc, value, 1);
  return isa<TensorType>(type)
             ? Value(tile::SplatOp::create(builder, loc, type, scalar))
             : scalar;
}

using Finder = OpOperand *(*)(Operation *);

template <Finder find> static bool negate(Operation *op) {
  OpOperand *predicate = find(op);
  if (!predicate)
    return false;
  OpBuilder builder(op);
  Value value = predicate->get();
  predicate->set(arith::XOrIOp::create(
      builder, op->getLoc(), value,
      truth(builder, op->getLoc(), value.getType(), true)));
  return true;
}

template <Finder find, bool holds> static bool replace(Operation *op) {
  OpOperand *predicate = find(op);
  if (!predicate)
    return false;
  OpBuilder builder(op);
  predicate->set(
      truth(builder, op->getLoc(), predicate->get().getType(), holds));
  return true;
}

/// Whether `value` is part of a guard or of a mask.
static bool decides(Value value) {
  SmallVector<Value> pending = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (guardOf(user) == &use || maskOf(user) == &use)
        return true;
      if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, tile::ExpandDimsOp,
              tile::BroadcastOp, tile::SplatOp, ConvertLayoutOp>(user) &&
          seen.insert(user).second)
        llvm::append_range(pending, user->getResults());
    }
  return false;
}

/// The other of `<` and `<=`; nothing for equality.
static std::optional<arith::CmpIPredicate>
moveBound(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sle;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::sge;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::ult:
    return arith::CmpIPredicate::ule;
  case arith::CmpIPredicate::ule:
    return arith::CmpIPredicate::ult;
  case arith::CmpIPredicate::ugt:
    return arith::CmpIPredicate::uge;
  case arith::CmpIPredicate::uge:
    return arith::CmpIPredicate::ugt;
  default:
    return std::nullopt;
  }
}

static bool compareOffByOne(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  auto moved = compare && decides(compare) ? moveBound(compare.getPredicate())
                                           : std::nullopt;
  if (moved)
    compare.setPredicate(*moved);
  return moved.has_value();
}

/// Of two conditions that must hold only one is asked.
template <unsigned kept> static bool askOnly(Operation *op) {
  auto both = dyn_cast<arith::AndIOp>(op);
  if (!both || !getElementTypeOrSelf(both.getType()).isInteger(1) ||
      !decides(both))
    return false;
  both.getResult().replaceAllUsesWith(both->getOperand(kept));
  return true;
}

/// A store of several elements at once does not look whether rows allow it.
static bool storeBlindly(Operation *op) {
  auto store = dyn_cast<GlobalStoreOp>(op);
  if (!store || !store.getLooks())
    return false;
  store.setLooks(false);
  return true;
}

static const Operator kOperators[] = {
    {"negate-guard", "Accesses happen where they should not, and not else.",
     negate<guardOf>},
    {"always-guard", "A guard holds always.", replace<guardOf, true>},
    {"never-guard", "A guard never holds.", replace<guardOf, false>},
    {"negate-mask", "A mask excludes what it should let through.",
     negate<maskOf>},
    {"always-mask", "A mask lets all elements through.", replace<maskOf, true>},
    {"never-mask", "A mask lets nothing through.", replace<maskOf, false>},
    {"compare-off-by-one", "A comparison of a guard or mask is off by one.",
     compareOffByOne},
    {"ask-first-only", "A guard or mask forgets its second condition.",
     askOnly<0>},
    {"ask-second-only", "A guard or mask forgets its first condition.",
     askOnly<1>},
    {"store-blindly", "Nobody looks whether rows take several elements.",
     storeBlindly},
};

ArrayRef<Operator> predicateOperators() { return kOperators; }

} // namespace heddle::mutate
