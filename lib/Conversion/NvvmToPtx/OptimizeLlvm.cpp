//===- OptimizeLlvm.cpp - The fixed list of LLVM passes ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expansion leaves redundant scalar code: equal address arithmetic, vectors
// built and taken apart, trivial blocks. These passes clean it. Left out on
// purpose: everything that duplicates, unrolls or rotates loops, threads jumps or
// sinks code, because schedules were decided above and ptxas does the rest.
//
//===----------------------------------------------------------------------===//

#include "OptimizeLlvm.h"

#include "CompareConstants.h"
#include "JoinComparisons.h"
#include "JoinProducts.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace heddle {

static llvm::FunctionPassManager makeList() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(JoinComparisonsPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(CompareConstantsPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::DCEPass());
  passes.addPass(JoinProductsPass());
  return passes;
}

static void runOnFunctions(llvm::FunctionPassManager list,
                           llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      list.run(function, functions);
}

void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine) {
  runOnFunctions(makeList(), module, machine);
}

void foldConditions(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::FunctionPassManager passes;
  // The second round sees comparisons that only the first made equal.
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::InstSimplifyPass());
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::CorrelatedValuePropagationPass());
  }
  runOnFunctions(std::move(passes), module, machine);
}

} // namespace heddle
