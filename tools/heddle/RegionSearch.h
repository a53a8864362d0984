//===- RegionSearch.h - Divides a program's statements ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --regions=auto: prices every set of statements that may be a region, searches
// the division that takes the fewest cycles, writes it into the plan, and says
// in numbers why the next coarser and finer ones are slower.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_REGIONSEARCH_H
#define HEDDLE_TOOLS_HEDDLE_REGIONSEARCH_H

#include "EinsumCheck.h"
#include "RegionPrices.h"

namespace heddle::tool {

struct RegionRequest {
  std::string machine = "fabric-ideal";
  simulator::Options options = {};
  /// Print every set of statements, expected and counted, and search nothing.
  bool isPrices = false;
  /// Also choose parallel copies, for so many units.
  std::optional<int64_t> copiesOn = std::nullopt;
  /// Also make products in other orders, before the search.
  bool reassociates = false;
};

/// Divides the statements of `source`, whose operands `check` has evaluated,
/// and prints why. An exit code.
int chooseRegions(einsum::ProgramOp source,
                  const std::vector<Operand> &operands,
                  const ProgramStatistics &statistics, const EinsumCheck &check,
                  const RegionRequest &request, llvm::raw_ostream &os);

/// The cycles of the division that the search finds; nullopt if there is none.
std::optional<double> findLeastCycles(einsum::ProgramOp source,
                                      const std::vector<Operand> &operands,
                                      const RegionRequest &request);

/// Chooses the copies of the regions that the plan of `source` has. An exit
/// code.
int chooseCopiesOfPlan(einsum::ProgramOp source,
                       const std::vector<Operand> &operands,
                       const ProgramStatistics &statistics,
                       const EinsumCheck &check, const RegionRequest &request,
                       llvm::raw_ostream &os);

/// The same for `heddle explain`, which runs nothing else.
int explainRegions(mlir::ModuleOp module, const OperandOptions &options,
                   llvm::ArrayRef<std::string> views,
                   const RegionRequest &request);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_REGIONSEARCH_H
