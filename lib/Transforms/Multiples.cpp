//===- Multiples.cpp - Decide: which numbers a constant divides -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Multiples.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;

bool heddle::isMultiple(AddressForms &forms, const Polynomial &number,
                        int64_t by, unsigned depth) {
  return llvm::all_of(number.terms(), [&](const auto &term) {
    return term.second % by == 0 ||
           llvm::any_of(term.first, [&](unsigned unknown) {
             return isMultiple(forms, forms.valueOf(unknown), by, depth);
           });
  });
}

/// Of numbers whose form says nothing more.
bool heddle::isMultiple(AddressForms &forms, Value value, int64_t by,
                        unsigned depth) {
  constexpr unsigned kSearchDepth = 8;
  if (depth == kSearchDepth)
    return false;
  auto holds = [&](Value value) {
    return isMultiple(forms, forms.scalar(value), by, depth + 1);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() &&
           holds(loop.getLowerBound()) && holds(loop.getStep());
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return holds(op->getOperand(0)) && holds(op->getOperand(1));
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && holds(select.getTrueValue()) &&
         holds(select.getFalseValue());
}
