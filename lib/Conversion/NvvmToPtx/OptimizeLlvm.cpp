//===- OptimizeLlvm.cpp - The fixed list of LLVM passes ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expansion leaves redundant scalar code: equal address arithmetic, vectors
// built and taken apart, trivial blocks. These passes clean it. Left out on
// purpose: everything that duplicates, unrolls or rotates loops, threads jumps
// or sinks code, because schedules were decided above and ptxas does the rest.
//
//===----------------------------------------------------------------------===//

#include "OptimizeLlvm.h"

#include "BuildPairsEarly.h"
#include "CompareConstants.h"
#include "JoinComparisons.h"
#include "JoinProducts.h"
#include "KeepShifts.h"
#include "MoveLanded.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
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
#include "llvm/Transforms/Utils/Cloning.h"

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
  passes.addPass(BuildPairsEarlyPass());
  passes.addPass(CompareConstantsPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::DCEPass());
  passes.addPass(JoinProductsPass());
  passes.addPass(KeepShiftsPass());
  return passes;
}

static void runOnFunctions(llvm::FunctionPassManager list, llvm::Module &module,
                           llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // Passes on functions only take what a cache has of modules and components.
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      list.run(function, functions);
}

void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine,
                  bool movesLanded) {
  llvm::FunctionPassManager list = makeList();
  if (movesLanded)
    list.addPass(MoveLandedPass());
  runOnFunctions(std::move(list), module, machine);
}

/// The one block that `block` goes on to, by name; empty if there are several.
static llvm::StringRef onlySuccessor(const llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch)
    return {};
  if (branch->isUnconditional())
    return branch->getSuccessor(0)->getName();
  auto *value = llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition());
  return value ? branch->getSuccessor(value->isZero() ? 1 : 0)->getName()
               : llvm::StringRef();
}

/// Writes what `decided`, the same blocks after passes that remove some and
/// join none, knows of a branch's condition into `module`. So only conditions
/// are believed; what the passes made of the instructions is not looked at.
static void takeConditions(llvm::Module &module, const llvm::Module &decided) {
  for (llvm::Function &function : module) {
    const llvm::Function *known = decided.getFunction(function.getName());
    llvm::StringMap<llvm::StringRef> successors;
    if (known)
      for (const llvm::BasicBlock &block : *known)
        successors[block.getName()] = onlySuccessor(block);
    for (llvm::BasicBlock &block : function) {
      auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      llvm::StringRef taken = successors.lookup(block.getName());
      if (!branch || !branch->isConditional() || taken.empty())
        continue;
      for (unsigned side : {0, 1})
        if (branch->getSuccessor(side)->getName() == taken)
          branch->setCondition(
              llvm::ConstantInt::getBool(module.getContext(), side == 0));
    }
  }
}

void foldConditions(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      block.setName("block"); // each gets a number of its own
  std::unique_ptr<llvm::Module> decided = llvm::CloneModule(module);
  llvm::FunctionPassManager arithmetic;
  // A round sees what only the one before made equal or unreachable.
  for (int round = 0; round < 3; ++round) {
    arithmetic.addPass(llvm::EarlyCSEPass());
    arithmetic.addPass(llvm::InstCombinePass());
    arithmetic.addPass(llvm::SCCPPass());
    arithmetic.addPass(llvm::CorrelatedValuePropagationPass());
  }
  runOnFunctions(std::move(arithmetic), *decided, machine);
  takeConditions(module, *decided);
  llvm::FunctionPassManager passes;
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::InstSimplifyPass());
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::CorrelatedValuePropagationPass());
  }
  runOnFunctions(std::move(passes), module, machine);
}

} // namespace heddle
