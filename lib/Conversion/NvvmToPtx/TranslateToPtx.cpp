//===- TranslateToPtx.cpp - MLIR to LLVM IR to PTX text, in process ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from MLIR to text: debug scopes, translation, the fixed passes, the
// back end, the comparison of events. Two traps lie on the way: line tables of
// the usual kind make ptxas drop setmaxnreg, and LLVM may thread a branch
// around inline asm that is not marked convergent.
//
//===----------------------------------------------------------------------===//

#include "BuildPairsEarly.h"
#include "CheckEvents.h"
#include "OptimizeLlvm.h"
#include "heddle/Conversion/NvvmToPtx.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace heddle {

void registerPtxTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// Line tables in the form that ptxas accepts without switching to debug code:
/// any other kind makes it drop setmaxnreg and serialise wgmma.
static LogicalResult addDebugScopes(ModuleOp module) {
  PassManager passes(module.getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return passes.run(module);
}

/// llvm.inline_asm cannot say `convergent`, which everything that synchronises
/// must be: otherwise a branch may be threaded around it.
static void markConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto *text =
                llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
          if (text->hasSideEffects())
            call->addFnAttr(llvm::Attribute::Convergent);
}

static std::unique_ptr<llvm::TargetMachine>
makeTarget(llvm::Module &module, const PtxOptions &options,
           std::string &error) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, options.chip, options.features, llvm::TargetOptions(),
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  return machine;
}

using KernelEvents =
    std::vector<std::pair<std::string, EventGraph>>; // by entry

static KernelEvents collectKernelEvents(const llvm::Module &module) {
  KernelEvents result;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() &&
        function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      result.emplace_back(function.getName().str(), collectEvents(function));
  return result;
}

/// The same without the branches that LLVM can see are never taken.
static KernelEvents collectPossibleEvents(ModuleOp module,
                                          llvm::TargetMachine &machine) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> again =
      translateModuleToLLVMIR(module, context);
  if (!again)
    return {};
  again->setTargetTriple(machine.getTargetTriple());
  again->setDataLayout(machine.createDataLayout());
  markConvergent(*again);
  foldConditions(*again, machine);
  return collectKernelEvents(*again);
}

static LogicalResult checkEvents(ModuleOp module, const KernelEvents &before,
                                 llvm::StringRef ptx,
                                 llvm::TargetMachine &machine) {
  std::optional<KernelEvents>
      possible; // costs a translation, and is seldom needed
  for (auto [index, kernelEvents] : llvm::enumerate(before)) {
    const auto &[entry, events] = kernelEvents;
    Operation *kernel = module.lookupSymbol(entry);
    std::optional<EventGraph> after = collectEvents(ptx, entry);
    std::string difference =
        after ? compareEvents(entry, events, *after)
              : "bug in heddle: the PTX has no entry '" + entry + "'";
    if (!difference.empty() && after) {
      if (!possible)
        possible = collectPossibleEvents(module, machine);
      if (possible->size() == before.size())
        difference =
            compareEvents(entry, events, *after, &(*possible)[index].second);
    }
    if (!difference.empty())
      return report(kernel ? kernel : module.getOperation(),
                    diag::lowering_differs)
             << difference;
  }
  return success();
}

static FailureOr<std::string>
translate(ModuleOp module, const PtxOptions &options, bool pairsEarly) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context);
  if (!llvmModule)
    return failure();
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTarget(*llvmModule, options, error);
  if (!machine)
    return report(module, diag::internal)
           << "LLVM has no NVPTX back end: " << error;
  markConvergent(*llvmModule);
  KernelEvents events = collectKernelEvents(*llvmModule);
  optimizeLlvm(*llvmModule, *machine, pairsEarly);

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return report(module, diag::internal)
           << "LLVM's NVPTX back end cannot write text";
  passes.run(*llvmModule);
  if (failed(checkEvents(module, events, text, *machine)))
    return failure();
  return std::string(text);
}

FailureOr<std::string> translateToPtx(ModuleOp module,
                                      const PtxOptions &options) {
  if (options.lineInfo && failed(addDebugScopes(module)))
    return failure();
  FailureOr<std::string> ptx = translate(module, options, false);
  // Which registers are joined is the back end's heuristics: where they part a
  // product's from its loop's, another order of the text does without.
  if (failed(ptx) || !copiesProductsInFlight(*ptx))
    return ptx;
  return translate(module, options, true);
}

} // namespace heddle
