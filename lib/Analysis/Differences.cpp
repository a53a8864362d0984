//===- Differences.cpp - One number minus another -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Differences.h"

#include "heddle/Analysis/TilePlaces.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace heddle;

std::optional<int64_t> heddle::constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) ||
      number.getSignificantBits() > 32)
    return std::nullopt;
  return number.getSExtValue();
}

/// The loop whose index a number is; null if it is none.
static scf::ForOp loopOfIndex(Value value) {
  scf::ForOp loop =
      scf::getForInductionVarOwner(value); // or of what it carries
  return loop && value == loop.getInductionVar() ? loop : scf::ForOp();
}

static unsigned zerosBehind(uint64_t number) {
  return number ? llvm::countr_zero(number) : 63;
}

/// How often 2 divides `value`, whatever wrapped on the way.
static unsigned twosIn(Value value, unsigned depth = 0) {
  constexpr unsigned kDeepest = 8;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return std::min(number.countr_zero(), 63u);
  auto of = [&](Value operand) { return twosIn(operand, depth + 1); };
  if (depth == kDeepest)
    return 0;
  Operation *op = value.getDefiningOp();
  if (!op) {
    scf::ForOp loop = loopOfIndex(value);
    return loop ? std::min(of(loop.getLowerBound()), of(loop.getStep())) : 0;
  }
  return TypeSwitch<Operation *, unsigned>(op)
      .Case([&](arith::MulIOp product) {
        return std::min(of(product.getLhs()) + of(product.getRhs()), 63u);
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(
          [&](auto op) { return std::min(of(op.getLhs()), of(op.getRhs())); })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp>(
          [&](auto cast) { return of(cast.getIn()); })
      .Case([&](scf::IfOp branch) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        return std::min(of(branch.thenYield().getOperand(number)),
                        of(branch.elseYield().getOperand(number)));
      })
      .Default([](Operation *) { return 0; });
}

bool Subtraction::mayDiffer(Value value) const {
  if (!loop)
    return false;
  if (Operation *def = value.getDefiningOp())
    return loop->isProperAncestor(def);
  return loop->isAncestor(cast<BlockArgument>(value).getOwner()->getParentOp());
}

void Subtraction::add(Value value, uint64_t factor, unsigned depth) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64) {
    result.constant += factor * uint64_t(number.getSExtValue());
    return;
  }
  bool isIndex = isa<IndexType>(value.getType()) && depth < kDeepest;
  Operation *op = isIndex ? value.getDefiningOp() : nullptr;
  if (auto sum = dyn_cast_if_present<arith::AddIOp>(op)) {
    add(sum.getLhs(), factor, depth + 1);
    add(sum.getRhs(), factor, depth + 1);
  } else if (auto rest = dyn_cast_if_present<arith::SubIOp>(op)) {
    add(rest.getLhs(), factor, depth + 1);
    add(rest.getRhs(), -factor, depth + 1);
  } else if (auto product = dyn_cast_if_present<arith::MulIOp>(op);
             product && constantOf(product.getRhs())) {
    add(product.getLhs(), factor * uint64_t(*constantOf(product.getRhs())),
        depth + 1);
  } else if (mayDiffer(value)) {
    addUnknown(value, factor);
  } else {
    terms[value] += factor;
  }
}

/// A loop's index is what it begins with and any number of steps.
void Subtraction::addUnknown(Value value, uint64_t factor) {
  bool isPlain = factor == 1 || factor == uint64_t(-1);
  if (scf::ForOp loop = loopOfIndex(value); loop && isPlain) {
    std::optional<int64_t> step = constantOf(loop.getStep());
    if (step && *step > 0 && loop.getLowerBound() != value) {
      add(loop.getLowerBound(), factor, kDeepest);
      result.grain = std::gcd(result.grain, uint64_t(*step));
      return;
    }
  }
  unsigned twos = std::min(zerosBehind(factor) + twosIn(value), 62u);
  result.grain = std::gcd(result.grain, uint64_t(1) << twos);
}

/// Whether both are computed alike in an instance: by processes, each for
/// itself. What iterations that come one after the other have is not.
static bool isComputedAlike(Value a, Value b, unsigned depth = 0) {
  constexpr unsigned kDeepest = 8;
  if (isSameNumber(a, b))
    return true;
  if (depth == kDeepest || a.getType() != b.getType())
    return false;
  auto isAlike = [&](Value left, Value right) {
    return isComputedAlike(left, right, depth + 1);
  };
  scf::ForOp from = loopOfIndex(a), to = loopOfIndex(b);
  if (from && to && !tile::isOrderedLoop(from) && !tile::isOrderedLoop(to))
    return isAlike(from.getLowerBound(), to.getLowerBound()) &&
           isAlike(from.getStep(), to.getStep());
  Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
  return one && other && one->getName() == other->getName() &&
         one->getNumResults() == 1 && other->getNumResults() == 1 &&
         one->getNumRegions() == 0 && isMemoryEffectFree(one) &&
         one->getPropertiesAsAttribute() == other->getPropertiesAsAttribute() &&
         llvm::equal(one->getOperands(), other->getOperands(), isAlike);
}

Difference Subtraction::finish() {
  while (!terms.empty()) {
    auto [value, factor] = terms.back();
    terms.pop_back();
    auto *alike = llvm::find_if(terms, [&](const auto &term) {
      return term.second == -factor && isComputedAlike(term.first, value);
    });
    if (factor && alike != terms.end())
      terms.erase(alike);
    else if (factor)
      addUnknown(value, factor);
  }
  return result;
}
