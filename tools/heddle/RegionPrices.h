//===- RegionPrices.h - What a region of statements takes -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an einsum program, its operands and what the oracle made of them, and a
// machine. Out: for a set of statements as one region each way to carry it out,
// with its operations, words and turns, counted on lists of tokens (of large
// operands on a part of the outermost coordinates); and the cycles of one way,
// simulated.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_REGIONPRICES_H
#define HEDDLE_TOOLS_HEDDLE_REGIONPRICES_H

#include "MemoryTime.h"

#include "FlowKernels.h"

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Flow/Interpret.h"
#include "heddle/Machine/Units.h"
#include "heddle/Sparse/Regions.h"

namespace heddle::tool {

/// Cycles of a token for each primitive of `graph`. Empty, or which one the
/// machine has no unit for.
std::string findTokenCycles(flow::GraphOp graph, const machine::Units &units,
                            llvm::StringMap<int64_t> &cycles);

/// One way to carry out a region.
struct RegionPrice {
  std::vector<sparse::RankedOrder> orders; ///< of each statement
  /// Turns of the busiest primitive of each kernel, or what memory takes, in
  /// sum: no run is shorter.
  double bound = 0;
  int64_t operations = 0, words = 0, tokens = 0;
  std::string busiest; ///< "scan V.g"
  /// Of the primitives of all kernels, the most first.
  std::vector<int64_t> turns;
  int64_t units = 0;                ///< of the largest kernel
  std::vector<KernelMemory> memory; ///< of each kernel
};

struct RegionPrices {
  std::vector<RegionPrice> ways; ///< the least bound first
  int left = 0;                  ///< orders that were not tried
  std::string declined;          ///< why the first order has no streams
};

class RegionPricer {
public:
  RegionPricer(einsum::ProgramOp source, const ProgramStatistics &statistics,
               std::map<std::string, const sparse::Tensor *> tensors,
               const machine::Units &units, simulator::Options options);

  /// Which statements each one reads.
  std::vector<sparse::StatementSet> getReads() const;
  std::vector<einsum::StatementOp> statementsOf(sparse::StatementSet set) const;

  RegionPrices price(sparse::StatementSet set);
  /// One way by given orders, with their copies; nullopt, and `why`, if these
  /// have no streams or need more units of a name than the machine has.
  std::optional<RegionPrice>
  priceOrders(sparse::StatementSet set, std::vector<sparse::RankedOrder> orders,
              std::string &why);
  /// Cycles; nullopt if it fails, with a message.
  std::optional<double> simulate(sparse::StatementSet set,
                                 const RegionPrice &way);

  /// Operations and words of one way, counted whole; nullopt with a message.
  std::optional<RegionPrice> countAll(sparse::StatementSet set,
                                      const RegionPrice &way);

  int getPriced() const { return priced; }
  /// Whether all counts are of all coordinates.
  bool isExact() const { return exact; }

private:
  mlir::LogicalResult count(sparse::StatementSet set, flow::GraphOp graph,
                            RegionPrice &way);
  /// Adds what the part of the outermost coordinates takes.
  mlir::LogicalResult addPart(flow::GraphOp graph, std::vector<bool> walked,
                              double scale, flow::GraphRun &sum);
  mlir::LogicalResult finish(flow::GraphOp graph, const flow::GraphRun &run,
                             RegionPrice &way);
  /// What is written: a result of the program, or a copy.
  const sparse::Tensor &tensorOf(flow::WriteOp write);
  const sparse::Tensor &argumentOf(flow::GraphOp graph, mlir::Value argument);

  std::vector<einsum::StatementOp> statements;
  std::vector<sparse::Statement> described; ///< the same
  /// The legal orders of each statement, the best first.
  std::vector<std::vector<sparse::RankedOrder>> orders;
  std::vector<std::string> noOrder; ///< why a statement has none
  std::map<std::string, const sparse::Tensor *> tensors;
  std::map<std::string, sparse::Tensor> copies;
  const machine::Units &units;
  simulator::Options options;
  simulator::CompiledSimulator compiled;
  int priced = 0;
  bool exact = true;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_REGIONPRICES_H
