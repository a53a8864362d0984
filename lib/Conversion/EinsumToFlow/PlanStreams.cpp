//===- PlanStreams.cpp - Gives statements the best order ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks lib/Sparse for the orders of each statement and writes the best of them
// into the program's plan. What a person wrote there is left alone, and read.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace heddle;

static bool isPlanned(einsum::PlanOp plan, einsum::StatementOp statement) {
  return llvm::any_of(
      plan.getBody().front().getOps<einsum::StreamsOp>(),
      [&](auto op) { return op.getStatement() == statement.getName(); });
}

/// The parallel indices of an entry, each of which is one of its statement.
static LogicalResult describeParallel(einsum::StreamsOp op,
                                      const sparse::Statement &statement,
                                      sparse::RankedOrder &made) {
  if (!op.getParallel())
    return success();
  for (auto [number, attribute] : llvm::enumerate(*op.getParallel())) {
    std::string name = cast<StringAttr>(attribute).getValue().str();
    auto found = llvm::find(statement.indices, name);
    if (found == statement.indices.end())
      return report(op, diag::einsum_plan)
             << "is parallel along " << name << ", and "
             << statement.result.tensor << " has no such index";
    int index = int(found - statement.indices.begin());
    if (llvm::any_of(made.parallel, [&](const sparse::ParallelIndex &other) {
          return other.index == index;
        }))
      return report(op, diag::einsum_plan)
             << "is parallel along " << name << " twice; give it one number";
    made.parallel.push_back({index, (*op.getBy())[number],
                             op.getChunks() ? (*op.getChunks())[number] : 1});
  }
  return success();
}

FailureOr<sparse::RankedOrder>
heddle::describeStreams(einsum::StreamsOp op,
                        const sparse::Statement &statement) {
  sparse::RankedOrder made;
  for (Attribute attribute : op.getOrder()) {
    std::string name = cast<StringAttr>(attribute).getValue().str();
    auto found = llvm::find(statement.indices, name);
    if (found == statement.indices.end())
      return report(op, diag::einsum_plan)
             << statement.result.tensor << " has no index " << name;
    made.order.push_back(int(found - statement.indices.begin()));
  }
  auto isOf = [&](StringRef name) {
    return name == statement.result.tensor ||
           llvm::any_of(statement.terms, [&](const auto &term) {
             return llvm::any_of(term, [&](const sparse::Access &access) {
               return name == access.tensor;
             });
           });
  };
  ArrayRef<Attribute> copies;
  if (op.getCopies())
    copies = op.getCopies()->getValue();
  for (Attribute attribute : copies) {
    StringRef name = cast<StringAttr>(attribute).getValue();
    if (!isOf(name))
      return report(op, diag::einsum_plan)
             << "copies " << name << ", which " << statement.result.tensor
             << " neither reads nor makes";
    made.copies.insert(name.str());
  }
  std::string why = sparse::whyNotStreamed(statement, made.order, made.copies);
  if (!why.empty())
    return report(op, diag::einsum_plan)
           << "streams cannot carry out " << statement.result.tensor
           << " in this order: " << why;
  if (failed(describeParallel(op, statement, made)))
    return failure();
  return made;
}

static LogicalResult addOrder(einsum::PlanOp plan, einsum::StatementOp op,
                              const sparse::Statistics &known,
                              ChooseOrder choose, int64_t region) {
  sparse::Statement statement = describeStatement(op);
  std::string error;
  auto orders = sparse::rankOrders(statement, known, error);
  if (orders.empty())
    return report(op, diag::flow_unsupported)
           << "no order of its indices carries out " << op.getName()
           << " by streams: " << error;
  const sparse::RankedOrder &best = orders[choose ? choose(orders.size()) : 0];
  std::string why;
  llvm::raw_string_ostream os(why);
  os << llvm::format("%.3g", best.coordinates) << " coordinates expected";
  if (orders.size() > 1)
    os << "; " << llvm::format("%.3g", orders[0].coordinates) << " to "
       << llvm::format("%.3g", orders.back().coordinates) << " in the "
       << orders.size() << " orders that the operands' storage allows";
  else
    os << "; the operands' storage allows no other order";
  if (!best.copies.empty())
    os << "; " << sparse::whyCopied(statement) << ", so "
       << llvm::join(best.copies, ", ")
       << (best.copies.size() == 1 ? " is copied" : " are copied");
  setStreams(plan, op, best, region, why);
  return success();
}

LogicalResult heddle::addStreamPlans(ModuleOp module,
                                     const ProgramStatistics &statistics,
                                     ChooseOrder choose) {
  if (failed(declineShortElements(module)))
    return failure();
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
          failed(addOrder(plan, op, known, choose, int64_t(number))))
        return failure();
      ++number;
    }
  }
  return success();
}
