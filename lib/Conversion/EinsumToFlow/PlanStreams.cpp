//===- PlanStreams.cpp - Gives statements the best order ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks lib/Sparse for the orders of each statement and writes the best of them
// into the program's plan. What a person wrote there is left alone.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace heddle;

static bool isPlanned(einsum::PlanOp plan, einsum::StatementOp statement) {
  return llvm::any_of(
      plan.getBody().front().getOps<einsum::StreamsOp>(),
      [&](auto op) { return op.getStatement() == statement.getName(); });
}

static LogicalResult addOrder(einsum::PlanOp plan, einsum::StatementOp op,
                              const sparse::Statistics &known, size_t choice,
                              int64_t region) {
  sparse::Statement statement = describeStatement(op);
  std::string error;
  auto orders = sparse::rankOrders(statement, known, error);
  if (orders.empty())
    return report(op, diag::flow_unsupported)
           << "no order of its indices carries out " << op.getName()
           << " by streams: " << error;
  const sparse::RankedOrder &best = orders[std::min(choice, orders.size() - 1)];
  std::string why;
  llvm::raw_string_ostream os(why);
  os << llvm::format("%.3g", best.coordinates) << " coordinates expected";
  if (orders.size() > 1)
    os << "; " << llvm::format("%.3g", orders[0].coordinates) << " to "
       << llvm::format("%.3g", orders.back().coordinates) << " in the "
       << orders.size() << " orders that the operands' storage allows";
  else
    os << "; the operands' storage allows no other order";
  setStreams(plan, op, best.order, region, why);
  return success();
}

LogicalResult heddle::addStreamPlans(ModuleOp module,
                                     const ProgramStatistics &statistics,
                                     size_t choice) {
  for (auto program : module.getOps<einsum::ProgramOp>()) {
    OpBuilder builder(program->getBlock(), std::next(program->getIterator()));
    einsum::PlanOp plan = findPlan(program);
    if (!plan) {
      plan = einsum::PlanOp::create(builder, program.getLoc(),
                                    program.getSymName());
      plan.getBody().emplaceBlock();
    }
    size_t number = 0;
    for (auto op : program.getEntry().getOps<einsum::StatementOp>()) {
      sparse::Statistics known =
          number < statistics.size()
              ? statistics[number]
              : sparse::Statistics::guess(describeStatement(op));
      if (!isPlanned(plan, op) &&
          failed(addOrder(plan, op, known, choice, int64_t(number))))
        return failure();
      ++number;
    }
  }
  return success();
}
