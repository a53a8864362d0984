//===- EmitPtx.cpp - LLVM IR to PTX text ----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitPtx.h"

#include "EventNames.h"
#include "OptimizeLlvm.h"
#include "heddle/Support/Workers.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace heddle {

/// Whether an event is counted, so that nobody may write it twice.
static bool isEvent(const llvm::CallInst &call) {
  if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return text->hasSideEffects();
  std::vector<std::string> events;
  addEvents(call, events);
  return !events.empty();
}

/// llvm.inline_asm cannot say `convergent`, nor do the intrinsics of copies by
/// threads, and everything that synchronises must be: otherwise a branch may be
/// threaded around it.
static void markConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (isEvent(*call))
          call->addFnAttr(llvm::Attribute::Convergent);
}

static const llvm::Target *findTarget(const llvm::Triple &triple,
                                      std::string &error) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

static KernelEvents collectKernelEvents(const llvm::Module &module) {
  KernelEvents result;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() &&
        function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      result.emplace_back(function.getName().str(), collectEvents(function));
  return result;
}

KernelEvents collectPossibleEvents(llvm::Module &module,
                                   llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  markConvergent(module);
  foldConditions(module, machine);
  return collectKernelEvents(module);
}

static void emit(Emission &emission, const llvm::Target &target,
                 const llvm::Triple &triple, const PtxOptions &options) {
  llvm::Module &module = *emission.module;
  emission.machine.reset(target.createTargetMachine(
      triple, options.chip, options.features, llvm::TargetOptions(),
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
  module.setTargetTriple(triple);
  module.setDataLayout(emission.machine->createDataLayout());
  markConvergent(module);
  emission.events = collectKernelEvents(module);
  optimizeLlvm(module, *emission.machine, emission.movesLanded);

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (emission.machine->addPassesToEmitFile(
          passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    emission.error = "LLVM's NVPTX back end cannot write text";
    return;
  }
  passes.run(module);
  emission.text = std::string(text);
}

void emitPtx(llvm::MutableArrayRef<std::unique_ptr<Emission>> emissions,
             const PtxOptions &options) {
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = findTarget(triple, error);
  if (!target) {
    for (std::unique_ptr<Emission> &emission : emissions)
      emission->error = "LLVM has no NVPTX back end: " + error;
    return;
  }
  forEachTask(emissions.size(),
              [&](size_t i) { emit(*emissions[i], *target, triple, options); });
}

} // namespace heddle
