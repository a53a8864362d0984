//===- Sparse.h - Einsum programs compiled and run in process ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a tile.program to functions of this processor, for the tool and for the
// C interface; and the text of the llvm rung.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_SPARSE_H
#define HEDDLE_PIPELINE_SPARSE_H

#include "heddle/Cpu/HostProgram.h"
#include "heddle/Cpu/Jit.h"
#include "heddle/Machine/Processor.h"

#include "mlir/IR/BuiltinOps.h"

namespace heddle::pipeline {

/// The programs of a module and their machine code.
struct CpuPrograms {
  std::vector<cpu::HostProgram> programs;
  std::unique_ptr<cpu::Jit> jit;

  const cpu::HostProgram *find(llvm::StringRef name) const;
};

/// Compiles the programs and kernels of a module on the tile rung, which is
/// left alone. Shape parameters get their values first.
mlir::FailureOr<CpuPrograms> compileForCpu(
    mlir::ModuleOp module,
    const machine::Processor &processor = machine::defaultProcessor());

/// LLVM IR of the kernels as it is handed to the code generator.
mlir::FailureOr<std::string>
printLlvm(mlir::ModuleOp module,
          const machine::Processor &processor = machine::defaultProcessor());

/// An object file with the kernels' functions, for this processor.
mlir::FailureOr<std::string>
compileToObject(mlir::ModuleOp module, const machine::Processor &processor);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_SPARSE_H
