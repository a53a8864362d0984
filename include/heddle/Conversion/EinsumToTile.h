//===- EinsumToTile.h - Statements become kernels and programs --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: einsum programs, each with a plan or without. Out: for each a
// tile.program and the kernels that it launches, in which nothing is sparse any
// more: loops over positions, arrays, and numbers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_EINSUMTOTILE_H
#define HEDDLE_CONVERSION_EINSUMTOTILE_H

#include "heddle/Dialect/Einsum/Einsum.h"
#include "heddle/Sparse/Plan.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle {

/// How the type is stored.
sparse::Format describeFormat(mlir::RankedTensorType type);

sparse::Element describeElement(mlir::Type element);

/// An error if a program has elements that only GPUs' kernels take.
mlir::LogicalResult declineShortElements(mlir::ModuleOp module);

/// A statement without MLIR. Verified statements have one.
sparse::Statement describeStatement(einsum::StatementOp op);
/// All of a program, in order.
std::vector<sparse::Statement> describeStatements(einsum::ProgramOp program);

/// The operand of each access of the described statement, by term and factor.
std::vector<std::vector<mlir::Value>> operandsByTerm(einsum::StatementOp op);

/// A nest of `statement`; an error if it names something that is not there.
mlir::FailureOr<sparse::Nest> describeNest(einsum::NestOp op,
                                           const sparse::Statement &statement);

/// The plan of a program; null if there is none.
einsum::PlanOp findPlan(einsum::ProgramOp program);

/// The statistics of each statement, in order; guesses where there are none.
using ProgramStatistics = std::vector<sparse::Statistics>;

/// Nests for every term of every statement, the best first, each statement's
/// terms in order.
struct PlannedTerm {
  einsum::StatementOp statement;
  int term = 0;
  std::vector<sparse::Candidate> candidates;
};
mlir::FailureOr<std::vector<PlannedTerm>>
planProgram(einsum::ProgramOp program, const ProgramStatistics &statistics);

/// Chooses one of a term's `count` nests, by its number.
using ChooseNest = llvm::function_ref<size_t(size_t count)>;

/// Puts statements that store operands again, by rows or by columns, in front
/// of those that no order of loops carries out otherwise, and says so. For
/// processors, whose programs have several kernels; programs that have a plan
/// stay as they are.
void storeOperandsAgain(mlir::ModuleOp module);

/// Gives each program of `module` without a plan the best nests; or, for who
/// tries others, those that `choose` names, term by term. `cycles` gets the sum
/// of what the nests take on one worker by the model.
mlir::LogicalResult addPlans(mlir::ModuleOp module,
                             const ProgramStatistics &statistics = {},
                             ChooseNest choose = nullptr,
                             double *cycles = nullptr);

/// Gives the program a plan of these nests, one for each term in order, in
/// place of what it has.
void setPlan(einsum::ProgramOp program, llvm::ArrayRef<sparse::Nest> nests);

/// Gives each program without a plan the best nest that one kernel over views
/// carries out, for machines whose launcher runs one kernel.
mlir::LogicalResult planKernels(mlir::ModuleOp module,
                                const ProgramStatistics &statistics = {});

/// Lowers the programs of `module` in place, each to one kernel over views.
mlir::LogicalResult lowerEinsumToViews(mlir::ModuleOp module);

/// Lowers the programs of `module` in place by their plans.
mlir::LogicalResult lowerEinsumToTile(mlir::ModuleOp module);

} // namespace heddle

#endif // HEDDLE_CONVERSION_EINSUMTOTILE_H
