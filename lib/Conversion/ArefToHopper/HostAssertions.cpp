//===- HostAssertions.cpp - Rewrite: assertions a launch can check ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostAssertions.h"

#include "heddle/Dialect/Hopper/HostScalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {
/// value >= bound + slack
struct Comparison {
  Value value, bound;
  int64_t slack = 0;
};
} // namespace

/// Extents and constants that are not negative mean the same to comparisons
/// with and without sign.
static bool isNeverNegative(Value value) {
  if (value.getDefiningOp<tile::DimOp>())
    return true;
  IntegerAttr constant;
  return matchPattern(value, m_Constant(&constant)) &&
         !constant.getValue().isNegative();
}

static SmallVector<Comparison, 2> comparisonsOf(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  Value left = op.getLhs(), right = op.getRhs();
  switch (op.getPredicate()) {
  case P::eq:
    return {{left, right}, {right, left}};
  case P::ne:
    return {};
  case P::uge:
  case P::ugt:
  case P::ule:
  case P::ult:
    if (!isNeverNegative(left) || !isNeverNegative(right))
      return {};
    break;
  default:
    break;
  }
  switch (op.getPredicate()) {
  case P::sge:
  case P::uge:
    return {{left, right}};
  case P::sgt:
  case P::ugt:
    return {{left, right, 1}};
  case P::sle:
  case P::ule:
    return {{right, left}};
  default:
    return {{right, left, 1}};
  }
}

bool heddle::areftohopper::isHostAssertion(tile::AssertOp op) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  return isa<aref::ProcessOp>(op->getParentOp()) && compare &&
         isa<tile::KernelOp>(compare->getParentOp()) &&
         hopper::isHostScalar(compare.getLhs()) &&
         hopper::isHostScalar(compare.getRhs()) &&
         !comparisonsOf(compare).empty();
}

void heddle::areftohopper::emitHostAssertions(OpBuilder &builder,
                                              const KernelFacts &facts,
                                              const ValueMap &values) {
  auto asIndex = [&](Location loc, Value value) -> Value {
    Value copy = values.find(value)->second.front();
    if (copy.getType().isIndex())
      return copy;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      copy);
  };
  for (const ProcessFacts &process : facts.processes)
    for (auto op : aref::ProcessOp(process.op).getOps<tile::AssertOp>()) {
      if (!isHostAssertion(op))
        continue;
      Location loc = op.getLoc();
      auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
      for (const Comparison &one : comparisonsOf(compare)) {
        Value bound = asIndex(loc, one.bound);
        if (one.slack) {
          Value slack = arith::ConstantIndexOp::create(builder, loc, one.slack);
          bound = arith::AddIOp::create(builder, loc, bound, slack);
        }
        hopper::RequireOp::create(builder, loc, asIndex(loc, one.value), bound,
                                  op.getMessage(), op.getAssumed());
      }
    }
}
