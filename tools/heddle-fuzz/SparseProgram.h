//===- SparseProgram.h - Random sparse einsums, run and compared *- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of the einsum rung: up to three statements over random formats,
// patterns and extents, each by a plan drawn among all legal ones. A program's
// comment is the command that runs it, so a file is all that is needed to
// repeat a failure:
//
//   //$ heddle run FILE --plan=random --view=T0=5x9 --pattern=T0=skewed
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSEPROGRAM_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSEPROGRAM_H

#include "Check.h"

namespace heddle::fuzz {

Program generateSparse(uint64_t seed);

/// Whether the program's comment is a command.
bool isSparse(const Program &program);

/// Runs that command, with `heddle` the path of the tool, and says what came of
/// it. The tool compares with the oracle of einsums, with that of the tile rung
/// where the command asks for it, and the bits of one worker with those of two.
Outcome checkSparse(const Program &program, const std::string &heddle,
                    int seconds);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSEPROGRAM_H
