//===- Origins.cpp - Which arguments an address derives from ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backwards from the address. What computes a value without touching memory
// derives it from its operands; of an operation on addresses only those count
// that are addresses themselves, since an offset leads nowhere else. Once an
// address is an integer, every number that goes into it counts: constants and
// numbers of fewer than 64 bits are no addresses, all others may be any.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Origins.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

bool Origins::mayOverlap(const Origins &other) const {
  return !isKnown || !other.isKnown ||
         llvm::any_of(arguments, [&](Value argument) {
           return other.arguments.contains(argument);
         });
}

static bool isAddress(Value value) {
  return isa<ViewType, PtrType>(getElementTypeOrSelf(value.getType()));
}

/// Of the kernel.
static bool isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isAddress(value) &&
         argument.getOwner()
             ->getParentOp()
             ->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

/// Whether a number that comes from outside may be an address.
static bool holdsAddress(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return !element.isIntOrFloat() || element.getIntOrFloatBitWidth() >= 64;
}

/// What a loop's or a conditional's result, or a block's argument, is given.
static Sources sourcesOfCarried(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    unsigned number = result.getResultNumber();
    return TypeSwitch<Operation *, Sources>(result.getOwner())
        .Case([&](scf::ForOp loop) {
          return SmallVector<Value>{loop.getInitArgs()[number],
                                    loop.getYieldedValues()[number]};
        })
        .Case([&](scf::WhileOp loop) {
          return SmallVector<Value>{loop.getConditionOp().getArgs()[number]};
        })
        .Case([&](scf::IfOp branch) -> Sources {
          if (branch.getElseRegion().empty())
            return std::nullopt;
          return SmallVector<Value>{branch.thenYield().getOperand(number),
                                    branch.elseYield().getOperand(number)};
        })
        .Default([](Operation *) { return std::nullopt; });
  }
  auto argument = cast<BlockArgument>(value);
  unsigned number = argument.getArgNumber();
  return TypeSwitch<Operation *, Sources>(argument.getOwner()->getParentOp())
      .Case([&](scf::ForOp loop) {
        if (argument == loop.getInductionVar())
          return SmallVector<Value>{loop.getLowerBound(), loop.getStep()};
        return SmallVector<Value>{loop.getInitArgs()[number - 1],
                                  loop.getYieldedValues()[number - 1]};
      })
      .Case([&](scf::WhileOp loop) {
        if (argument.getOwner() == loop.getBeforeBody())
          return SmallVector<Value>{loop.getInits()[number],
                                    loop.getYieldOp().getOperand(number)};
        return SmallVector<Value>{loop.getConditionOp().getArgs()[number]};
      })
      .Case([](ParallelOp) { return SmallVector<Value>(); }) // counts
      .Default([](Operation *) { return std::nullopt; });
}

static Sources sourcesOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions())
    return sourcesOfCarried(value);
  if (!isMemoryEffectFree(op))
    return std::nullopt;
  if (!isAddress(value) || isa<IntToPtrOp>(op))
    return SmallVector<Value>(op->getOperands());
  SmallVector<Value> sources =
      llvm::filter_to_vector(op->getOperands(), isAddress);
  return sources.empty() ? Sources() : Sources(sources);
}

Origins heddle::tile::findOrigins(Value address, FindSources below) {
  Origins origins;
  SmallVector<Value> pending = {address};
  DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    // No bit is an address, and no condition makes one.
    if (!seen.insert(value).second ||
        getElementTypeOrSelf(value.getType()).isInteger(1))
      continue;
    Sources sources = below ? below(value) : std::nullopt;
    if (!sources && isArgument(value)) {
      origins.arguments.insert(value);
      continue;
    }
    if (!sources)
      sources = sourcesOf(value);
    if (sources)
      llvm::append_range(pending, *sources);
    else if (isAddress(value) || holdsAddress(value))
      origins.isKnown = false;
  }
  // Two halves of a number, say.
  origins.isKnown &= !origins.arguments.empty();
  return origins;
}
