//===- EinsumToFlow.h - Statements become graphs of streams -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: einsum programs, whose plans say in which order streams walk a statement
// and which statements hand streams on. Out: beside each program its
// flow.graph.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_EINSUMTOFLOW_H
#define HEDDLE_CONVERSION_EINSUMTOFLOW_H

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Flow/Flow.h"
#include "heddle/Sparse/Streams.h"

#include "mlir/IR/OwningOpRef.h"

namespace heddle {

/// Chooses an order by its place in the list, which begins with the best one;
/// the argument is the list's length.
using ChooseOrder = llvm::function_ref<size_t(size_t)>;

/// Gives each statement of `module` without an einsum.streams the best order by
/// `statistics`, and a region of its own; or, for who tries others, the one
/// that `choose` names, statement by statement.
mlir::LogicalResult addStreamPlans(mlir::ModuleOp module,
                                   const ProgramStatistics &statistics = {},
                                   ChooseOrder choose = nullptr);

/// Adds the graph of each program that has none, by its plan.
mlir::LogicalResult lowerEinsumToFlow(mlir::ModuleOp module);

/// The graph of a program; null if there is none.
flow::GraphOp findGraph(einsum::ProgramOp program);

/// Gives a statement its order and region in `plan`, in place of what stands
/// there.
void setStreams(einsum::PlanOp plan, einsum::StatementOp op,
                const sparse::RankedOrder &order, int64_t region,
                llvm::StringRef because = "");

/// What the entry says; an error if its statement has no such order.
mlir::FailureOr<sparse::RankedOrder>
describeStreams(einsum::StreamsOp op, const sparse::Statement &statement);

/// A statement that is a product, and the only statement that reads it, with
/// factor `kept` outside: A (X V) in place of (A X) V.
struct Reassociation {
  size_t statement; ///< by number
  unsigned kept;    ///< of its operands
  std::string reader, before, after;
};
/// Those of `program` of which no entry of its plan speaks and whose results
/// are the same but for rounding.
std::vector<Reassociation> findReassociations(einsum::ProgramOp program);
void reassociate(einsum::ProgramOp program, const Reassociation &choice);

/// Some statements of a program, in its order, as a program and a plan that
/// makes one region of them: its arguments are what they read of others, by
/// the names that these have, and it returns what others read.
mlir::OwningOpRef<mlir::ModuleOp>
makeRegionProgram(llvm::ArrayRef<einsum::StatementOp> statements,
                  llvm::ArrayRef<sparse::RankedOrder> orders);

} // namespace heddle

#endif // HEDDLE_CONVERSION_EINSUMTOFLOW_H
