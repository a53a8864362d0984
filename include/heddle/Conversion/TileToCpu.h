//===- TileToCpu.h - Tile programs become functions of the CPU --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a CPU a program is one process a worker, without rings, so what the
// schedule and the rings decide is nothing and a kernel goes from tile to
// vectors at once (docs/rationale/einsum.md). Each kernel @K becomes
//
//   K_run(arguments, begin, end, scratch, tiles)
//              the instances [begin, end), up to one in which an assertion does
//              not hold; its text, or null
//   K_shape(arguments, out)
//              how many there are, the bytes of scratch memory that a worker
//              needs, how many instances are taken at once, the bytes of memory
//              for tiles, and the text of an assertion in front of the
//              instances that does not hold
//
// where `arguments` is an array of 64-bit slots: an address or a number is one,
// a view is its address, its extents and its strides. Where each tile of a
// kernel is one vector, it stays in registers (TileToCpu.cpp); in others tiles
// have places in memory (DenseKernel.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_TILETOCPU_H
#define HEDDLE_CONVERSION_TILETOCPU_H

#include "heddle/Cpu/HostProgram.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Processor.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace heddle {

/// A module of func, scf, arith, math and llvm operations; the kernels
/// of `module` are left alone. Null, with a diagnostic, if an operation has no
/// lowering yet.
mlir::OwningOpRef<mlir::ModuleOp> lowerTileToCpu(
    mlir::ModuleOp module,
    const machine::Processor &processor = machine::defaultProcessor());

/// Lowers what lowerTileToCpu made in place to the llvm dialect. Code without
/// nests of loops over views has no places to share, and is lowered sooner.
mlir::LogicalResult lowerCpuToLlvm(mlir::ModuleOp module,
                                   bool sharesPlaces = true);

/// Translates the llvm dialect; null with a diagnostic if that fails.
std::unique_ptr<llvm::Module> translateCpuModule(mlir::ModuleOp module,
                                                 llvm::LLVMContext &context);

/// The program as steps for a host.
mlir::FailureOr<cpu::HostProgram> buildHostProgram(tile::ProgramOp program);

} // namespace heddle

#endif // HEDDLE_CONVERSION_TILETOCPU_H
