//===- CpuProgram.h - Programs of kernels as C functions --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile.program whose kernels are compiled ahead of time. Out: the text of
// a C function that carries out its steps, allocates what it gives, and asks
// the caller's threads to share each launch.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_CPUPROGRAM_H
#define HEDDLE_TOOLS_HEDDLE_CPUPROGRAM_H

#include "heddle/Cpu/HostProgram.h"
#include "heddle/Dialect/Tile/Tile.h"

namespace heddle::tool {

struct CpuProgram {
  tile::ProgramOp op;
  cpu::HostProgram steps; ///< of it
};

/// What the functions of all programs of a header need.
extern const char kProgramSupport[];

///   const char *NAME_call(heddle_parallel parallel, int parts, arrays and
///                         extents of operands, NAME_results *results);
void writeProgram(const CpuProgram &program, llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_CPUPROGRAM_H
