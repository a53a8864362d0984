//===- EinsumSession.h - An einsum program with its operands -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program with operands, and the einsum oracle's values of its results.
// Its plans, one after another, are compiled for this processor, launched,
// judged and timed; who asks says what to do about a plan that fails.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_EINSUMSESSION_H
#define HEDDLE_TOOLS_HEDDLE_EINSUMSESSION_H

#include "EinsumCheck.h"

#include "heddle/Pipeline/Sparse.h"

namespace heddle::tool {

/// What a run gave: slots of the program, and the arrays behind them.
struct EinsumOutcome {
  std::vector<int64_t> slots;
  cpu::Arrays arrays;
};

/// Whether two runs gave the same bytes.
bool areEqual(const cpu::HostProgram &program, const EinsumOutcome &a,
              const EinsumOutcome &b);

class EinsumSession {
public:
  /// `areIntegers`: operands hold small integers. `workers` share the work
  /// where several do.
  EinsumSession(einsum::ProgramOp source, SoundOperands sound, bool areIntegers,
                int workers);

  const ProgramStatistics &statistics() const { return known; }
  std::vector<Operand> &operands() { return given; }

  /// The oracle's part, once for all plans.
  llvm::Error prepare();
  /// Launches the kernels of the first program; by all workers or by one.
  llvm::Error launch(pipeline::CpuPrograms &compiled, bool isAlone,
                     EinsumOutcome &outcome);
  /// By all workers; how many milliseconds that took.
  llvm::Expected<double> time(pipeline::CpuPrograms &compiled,
                              EinsumOutcome &outcome);
  /// Whether the results are those of the oracle; says so of each.
  bool judge(const cpu::HostProgram &host, const EinsumOutcome &outcome,
             llvm::raw_ostream &os);
  /// The arguments of a tile.program for the operands.
  std::vector<int64_t> arguments();

private:
  std::vector<Operand> given;
  ProgramStatistics known;
  bool areIntegers;
  std::vector<sparse::Statement> statements;
  EinsumCheck check;
  cpu::Pool one, several;
  std::vector<std::string> returned;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_EINSUMSESSION_H
