//===- PlanProgram.cpp - Gives programs the best nests --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks lib/Sparse for the nests of each term and writes the best of them down
// as an einsum.plan. Nests that are there already are left alone: they were
// made by a person, or by an earlier step.
//
//===----------------------------------------------------------------------===//

#include "WritePlan.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;

FailureOr<std::vector<PlannedTerm>>
heddle::planProgram(einsum::ProgramOp program,
                    const ProgramStatistics &statistics) {
  std::vector<PlannedTerm> planned;
  size_t number = 0;
  for (auto op : program.getEntry().getOps<einsum::StatementOp>()) {
    sparse::Statement statement = describeStatement(op);
    sparse::Statistics known = number < statistics.size()
                                   ? statistics[number]
                                   : sparse::Statistics::guess(statement);
    ++number;
    for (int term = 0; term < int(statement.terms.size()); ++term) {
      std::string error;
      PlannedTerm made{op, term, sparse::plan(statement, term, known, error)};
      if (made.candidates.empty())
        return report(op, diag::einsum_no_plan)
               << "no order of the loops carries out term " << term << " of "
               << statement.result.tensor << "; the last one tried: " << error;
      planned.push_back(std::move(made));
    }
  }
  return planned;
}

void heddle::writeNest(OpBuilder &builder, Location loc,
                       const sparse::Statement &statement,
                       const sparse::Nest &nest) {
  auto name = [&](int index) {
    return builder.getStringAttr(index < 0 ? "" : statement.indices[index]);
  };
  SmallVector<Attribute> order, loops;
  for (int index : nest.order)
    order.push_back(name(index));
  for (const std::string &loop : nest.loops)
    loops.push_back(builder.getStringAttr(loop));
  SmallVector<NamedAttribute> because;
  for (const auto &[entry, reason] : nest.because)
    because.push_back(
        builder.getNamedAttr(entry, builder.getStringAttr(reason)));
  einsum::NestOp::create(
      builder, loc, builder.getStringAttr(nest.statement),
      builder.getI64IntegerAttr(nest.term), builder.getArrayAttr(order),
      builder.getArrayAttr(loops), name(nest.parallel),
      builder.getI64IntegerAttr(nest.chunk), name(nest.vector),
      builder.getI64IntegerAttr(nest.width),
      nest.ahead ? builder.getI64IntegerAttr(nest.ahead) : IntegerAttr(),
      builder.getStringAttr(sparse::spell(nest.into)),
      builder.getStringAttr(sparse::spell(nest.assemble, nest.pattern)),
      builder.getDictionaryAttr(because));
}

void heddle::setPlan(einsum::ProgramOp program, ArrayRef<sparse::Nest> nests) {
  if (einsum::PlanOp old = findPlan(program))
    old.erase();
  OpBuilder builder(program->getBlock(), std::next(program->getIterator()));
  auto plan =
      einsum::PlanOp::create(builder, program.getLoc(), program.getSymName());
  builder.setInsertionPointToStart(&plan.getBody().emplaceBlock());
  for (auto op : program.getEntry().getOps<einsum::StatementOp>()) {
    sparse::Statement statement = describeStatement(op);
    for (size_t term = 0; term < statement.terms.size(); ++term) {
      writeNest(builder, op->getLoc(), statement, nests.front());
      nests = nests.drop_front();
    }
  }
}

LogicalResult heddle::addPlans(ModuleOp module,
                               const ProgramStatistics &statistics,
                               ChooseNest choose, double *cycles) {
  if (cycles)
    *cycles = 0;
  for (auto program : module.getOps<einsum::ProgramOp>()) {
    einsum::PlanOp plan = findPlan(program);
    if (plan && !plan.getBody().front().getOps<einsum::NestOp>().empty())
      continue;
    auto planned = planProgram(program, statistics);
    if (failed(planned))
      return failure();
    OpBuilder builder(program->getBlock(), std::next(program->getIterator()));
    if (!plan) {
      plan = einsum::PlanOp::create(builder, program.getLoc(),
                                    program.getSymName());
      plan.getBody().emplaceBlock();
    }
    builder.setInsertionPointToStart(&plan.getBody().front());
    for (const PlannedTerm &term : *planned) {
      const sparse::Candidate &chosen =
          term.candidates[choose ? choose(term.candidates.size()) : 0];
      writeNest(builder, term.statement->getLoc(),
                describeStatement(term.statement), chosen.nest);
      if (cycles)
        *cycles += chosen.cost;
    }
  }
  return success();
}
