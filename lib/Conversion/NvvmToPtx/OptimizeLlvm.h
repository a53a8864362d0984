//===- OptimizeLlvm.h - The fixed list of LLVM passes -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: LLVM IR as translated. Out: the same after a fixed list of passes. LLVM's
// own pipelines would change what the schedule decided; the list is short
// enough to know what each pass does, and folding conditions is apart from it,
// for the comparison of events only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_OPTIMIZELLVM_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_OPTIMIZELLVM_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace heddle {

/// Runs the list in OptimizeLlvm.cpp, and nothing else, on every function;
/// MoveLanded.h's pass behind it if `movesLanded`.
void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine,
                  bool movesLanded);

/// Replaces conditions that are always or never true by constants, as the list
/// may do where it proves as much; leaves all other instructions.
void foldConditions(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_OPTIMIZELLVM_H
