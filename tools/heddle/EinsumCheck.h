//===- EinsumCheck.h - Compares results with the einsum oracle --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a program's statements by the oracle and holds results against
// that: the bound of an error is the number of roundings times half a unit of
// the sum of magnitudes, as far as functions carry it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_EINSUMCHECK_H
#define HEDDLE_TOOLS_HEDDLE_EINSUMCHECK_H

#include "EinsumOperands.h"
#include "Program.h"

#include "heddle/Cpu/HostProgram.h"
#include "heddle/Sparse/Oracle.h"

namespace heddle::tool {

class EinsumCheck {
public:
  explicit EinsumCheck(std::vector<sparse::Statement> statements)
      : statements(std::move(statements)) {}

  /// Runs the oracle. Empty, or why not.
  std::string evaluate(const std::vector<Operand> &operands,
                       const ProgramStatistics &statistics);

  /// Whether `result` is what statement `number` means; prints a line.
  /// `areIntegers` says that operands hold small integers: what keeps them so
  /// is then exact.
  bool compare(size_t number, const sparse::Tensor &result, bool areIntegers,
               llvm::raw_ostream &os) const;

  /// The result of statement `number` in its storage. Empty, or why it has
  /// none.
  std::string store(size_t number, sparse::Tensor &result) const;

private:
  std::vector<sparse::Statement> statements;
  std::vector<sparse::OracleResult> values;
  // Up to and with each statement.
  std::vector<int64_t> roundings;
  /// Of those that came in with short elements that statements before made.
  std::vector<int64_t> shortRoundings;
  std::vector<bool> keepIntegers;
};

/// Runs the tile.program of `module` by the oracle of the tile rung, each
/// kernel for at most `maxSteps` operations. An exit code.
int interpretProgram(Program &program, mlir::ModuleOp module,
                     const cpu::HostProgram &host,
                     std::vector<Operand> &operands,
                     std::vector<int64_t> &slots, cpu::Arrays &arrays,
                     int64_t maxSteps);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_EINSUMCHECK_H
