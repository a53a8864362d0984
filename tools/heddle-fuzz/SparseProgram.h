//===- SparseProgram.h - Random sparse einsums, run and compared *- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of the einsum rung over random formats, patterns and extents. By
// loops there are up to three statements, each by a plan drawn among all legal
// ones; by streams up to six, in drawn orders and regions. A program's first
// lines are the commands that run it, so a file is all that is needed to
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
Program generateStreams(uint64_t seed);

/// Whether the program begins with commands.
bool isSparse(const Program &program);

/// Runs these commands, with `heddle` the path of the tool, up to the first one
/// that fails, and says what came of them. The tool compares with the oracle of
/// einsums, with that of the tile rung where the command asks for it, the bits
/// of one worker with those of two, and processes with streams. A deadlock with
/// a number of slots that the command names is a fact, and no failure.
Outcome checkSparse(const Program &program, const std::string &heddle,
                    int seconds);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_SPARSEPROGRAM_H
