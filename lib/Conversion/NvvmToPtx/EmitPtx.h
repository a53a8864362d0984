//===- EmitPtx.h - LLVM IR to PTX text --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: modules in LLVM IR, each with a context of its own. Out: the text of each
// by the fixed passes and the back end, and the events that stood in it before.
// Modules are worked on at the same time, since nothing of MLIR is left in
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_EMITPTX_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_EMITPTX_H

#include "CheckEvents.h"
#include "heddle/Conversion/NvvmToPtx.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace heddle {

using KernelEvents =
    std::vector<std::pair<std::string, EventGraph>>; ///< by entry

/// A module on its way to text.
struct Emission {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  bool movesLanded = false; ///< MoveLanded.h
  KernelEvents events;
  std::string text;
  std::string error; ///< empty if there is text
};

void emitPtx(llvm::MutableArrayRef<std::unique_ptr<Emission>> emissions,
             const PtxOptions &options);

/// The events of `module` without the branches that LLVM can see are never
/// taken.
KernelEvents collectPossibleEvents(llvm::Module &module,
                                   llvm::TargetMachine &machine);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_EMITPTX_H
