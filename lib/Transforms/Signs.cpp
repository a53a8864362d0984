//===- Signs.cpp - What is never negative, and what must be asked ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

static constexpr unsigned kSearchDepth = 24;

static void addDemand(std::vector<Signs::Demand> &demands,
                      Signs::Demand demand) {
  if (!llvm::is_contained(demands, demand))
    demands.push_back(std::move(demand));
}

/// `value` without what only changes its width.
static Value strip(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether a number counts instances along some axis.
static bool isBound(Value number) {
  return llvm::any_of(number.getUsers(), [](Operation *user) {
    return isa<tile::ParallelOp>(user) ||
           (isa<arith::IndexCastOp>(user) && isBound(user->getResult(0)));
  });
}

std::optional<Polynomial> Signs::limitOf(Value value) {
  value = strip(value);
  Value limit;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto parallel = dyn_cast<tile::ParallelOp>(owner))
      limit = parallel.getBounds()[argument.getArgNumber()];
    else if (auto loop = dyn_cast<scf::ForOp>(owner);
             loop && value == loop.getInductionVar())
      limit = loop.getUpperBound();
  } else if (auto remainder = value.getDefiningOp<arith::RemSIOp>()) {
    limit = remainder.getRhs();
  }
  if (!limit)
    return std::nullopt;
  Polynomial number = forms.scalar(limit);
  return forms.isHost(number) ? std::optional(number) : std::nullopt;
}

bool Signs::isNotNegative(Value value, std::vector<Demand> &demands) {
  if (depth == kSearchDepth)
    return false;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  value = strip(value);
  auto holds = [&](Value value) {
    return isNotNegative(forms.scalar(value), demands);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (isa<tile::ParallelOp>(owner))
      return true;
    if (isa<tile::KernelOp>(owner)) {
      if (isBound(value))
        return true;
      addDemand(demands, {Polynomial(), forms.scalar(value)});
      return true;
    }
    auto loop = dyn_cast<scf::ForOp>(owner);
    return loop && value == loop.getInductionVar() &&
           holds(loop.getLowerBound()) && holds(loop.getStep());
  }
  return TypeSwitch<Operation *, bool>(value.getDefiningOp())
      .Case<tile::DimOp, arith::ExtUIOp>([](auto) { return true; })
      .Case([&](arith::RemSIOp op) { return holds(op.getLhs()); })
      .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
            arith::MinSIOp>(
          [&](auto op) { return holds(op.getLhs()) && holds(op.getRhs()); })
      .Case([&](arith::MaxSIOp op) {
        return holds(op.getLhs()) || holds(op.getRhs());
      })
      .Case([&](arith::SelectOp op) {
        return holds(op.getTrueValue()) && holds(op.getFalseValue());
      })
      .Default(false);
}

bool Signs::isNotNegative(const Polynomial &polynomial,
                          std::vector<Demand> &demands) {
  if (!polynomial.isExact())
    return false;
  std::vector<Demand> found = demands;
  bool isSum = llvm::all_of(polynomial.terms(), [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](unsigned unknown) {
             return isNotNegative(forms.valueOf(unknown), found);
           });
  });
  if (isSum) {
    demands = std::move(found);
    return true;
  }
  if (auto taken = takenAway(polynomial))
    return isNotNegative(polynomial - taken->counters + taken->least, demands);
  return isRestPositive(polynomial, demands);
}

std::optional<Signs::Taken> Signs::takenAway(const Polynomial &polynomial) {
  Taken taken;
  for (const auto &[product, coefficient] : polynomial.terms()) {
    if (coefficient > 0 || product.size() != 1)
      continue;
    Value counter = strip(forms.valueOf(product.front()));
    std::optional<Polynomial> limit;
    if (isa<BlockArgument>(counter))
      limit = limitOf(counter);
    if (!limit)
      continue;
    taken.counters.add(product, coefficient);
    taken.least = taken.least + Polynomial::constant(coefficient) *
                                    (*limit - Polynomial::constant(1));
  }
  return taken.counters.isZero() ? std::nullopt : std::optional(taken);
}

/// a - c * (x / (c * b)) is above 0 if x < a * b: whoever deals out a x b tiles
/// in bands of c rows asks how many rows the band of tile x has.
bool Signs::isRestPositive(const Polynomial &polynomial,
                           std::vector<Demand> &allDemands) {
  std::vector<Demand> demands = allDemands;
  auto isNegative = [](const auto &term) { return term.second < 0; };
  auto term = llvm::find_if(polynomial.terms(), isNegative);
  if (llvm::count_if(polynomial.terms(), isNegative) != 1 ||
      term->first.size() != 1)
    return false;
  auto quotient =
      forms.valueOf(term->first.front()).getDefiningOp<arith::DivSIOp>();
  if (!quotient)
    return false;
  Polynomial band = Polynomial::constant(-term->second);
  std::optional<Polynomial> others =
      forms.scalar(quotient.getRhs()).dividedBy(band);
  std::optional<Polynomial> limit = limitOf(quotient.getLhs());
  Polynomial whole = polynomial;
  whole.add(term->first, -term->second);
  // Of nothing but what is taken away nothing is left.
  if (whole.asConstant().value_or(1) <= 0 || !others || !limit ||
      !isNotNegative(forms.scalar(quotient.getLhs()), demands) ||
      !isNotNegative(*others, demands))
    return false;
  Polynomial most = whole * *others;
  if (!most.isExact() || !forms.isHost(most))
    return false;
  if (!(*limit == most))
    addDemand(demands, {*limit, most});
  allDemands = std::move(demands);
  return true;
}
