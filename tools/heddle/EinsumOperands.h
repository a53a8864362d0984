//===- EinsumOperands.h - What an einsum program is run on ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes, patterns and densities from the command line become tensors in the
// formats that the program declares, and what a planner knows of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_EINSUMOPERANDS_H
#define HEDDLE_TOOLS_HEDDLE_EINSUMOPERANDS_H

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Sparse/Tensor.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace heddle::tool {

/// The options that say what sparse operands hold.
struct OperandOptions {
  explicit OperandOptions(llvm::cl::SubCommand &command);
  llvm::cl::list<std::string> densities, patterns, elements;
};

/// One operand: its elements, and the same in storage.
struct Operand {
  std::string name;
  std::vector<sparse::Entry> entries;
  sparse::Tensor tensor;
};

/// How many elements of an operand are generated at most. It can be set lower.
int64_t &generatedElementsLimit();

/// `views` are NAME=AxB texts, one for each argument of the program.
llvm::Expected<std::vector<Operand>>
makeOperands(einsum::ProgramOp program, llvm::ArrayRef<std::string> views,
             const OperandOptions &options, uint64_t seed, bool integers);

/// The elements of `name` in lines of coordinates and a value, which lie inside
/// of `extents`. `path` is for messages, which name the line.
llvm::Expected<std::vector<sparse::Entry>>
parseElements(llvm::StringRef text, llvm::StringRef name, llvm::StringRef path,
              llvm::ArrayRef<int64_t> extents);

/// The extents of a statement's indices; `extents` holds those of tensors by
/// name. An error where two operands disagree.
llvm::Expected<std::vector<int64_t>>
findExtents(const sparse::Statement &statement,
            const std::map<std::string, std::vector<int64_t>> &extents);

/// What the planner is told of each statement.
llvm::Expected<ProgramStatistics>
describeOperands(einsum::ProgramOp program,
                 const std::vector<Operand> &operands);

/// Makes plans for a processor of machines/, or of a file, and for so many
/// threads; "" is the default one. Statements without sizes get guesses.
llvm::Error describeMachine(einsum::ProgramOp program, llvm::StringRef name,
                            int workers, ProgramStatistics &statistics);

/// Operands that a run may take, and what the planner is told of them.
struct SoundOperands {
  std::vector<Operand> operands;
  ProgramStatistics statistics;
};
/// Makes and describes them; an error where storage contradicts itself.
llvm::Expected<SoundOperands>
makeSoundOperands(einsum::ProgramOp program, llvm::ArrayRef<std::string> views,
                  const OperandOptions &options, uint64_t seed, bool integers);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_EINSUMOPERANDS_H
