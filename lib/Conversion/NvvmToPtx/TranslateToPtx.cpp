//===- TranslateToPtx.cpp - MLIR to LLVM IR to PTX text, in process ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from MLIR to text: debug scopes, translation, the fixed passes and
// the back end, the comparison of events. Two traps lie on the way: line tables
// of the usual kind make ptxas drop setmaxnreg, and LLVM may thread a branch
// around inline asm that is not marked convergent.
//
//===----------------------------------------------------------------------===//

#include "CheckAsm.h"
#include "CheckEvents.h"
#include "EmitPtx.h"
#include "FlightRegisters.h"
#include "ProductCalls.h"
#include "PtxParts.h"
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

using namespace mlir;

namespace heddle {

void registerPtxTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerProductTranslation(registry);
}

/// Line tables in the form that ptxas accepts without switching to debug code:
/// any other kind makes it drop setmaxnreg and serialise wgmma.
static LogicalResult addDebugScopes(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.enableVerifier(false); // locations are all that changes
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return passes.run(module);
}

static KernelEvents possibleEvents(ModuleOp module,
                                   llvm::TargetMachine &machine) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> again =
      translateModuleToLLVMIR(module, context);
  return again ? collectPossibleEvents(*again, machine) : KernelEvents();
}

static LogicalResult checkEvents(ModuleOp module, const Emission &emission) {
  std::optional<KernelEvents>
      possible; // costs a translation, and is seldom needed
  const KernelEvents &before = emission.events;
  llvm::StringRef ptx = emission.text;
  for (auto [index, kernelEvents] : llvm::enumerate(before)) {
    const auto &[entry, events] = kernelEvents;
    Operation *kernel = module.lookupSymbol(entry);
    std::optional<EventGraph> after = collectEvents(ptx, entry);
    std::string difference =
        after ? compareEvents(entry, events, *after)
              : "bug in heddle: the PTX has no entry '" + entry + "'";
    if (!difference.empty() && after) {
      if (!possible)
        possible = possibleEvents(module, *emission.machine);
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

using Emissions = std::vector<std::unique_ptr<Emission>>;

static LogicalResult addEmission(ModuleOp module, bool movesLanded,
                                 Emissions &emissions) {
  Emission &emission = *emissions.emplace_back(std::make_unique<Emission>());
  emission.movesLanded = movesLanded;
  emission.module = translateModuleToLLVMIR(module, emission.context);
  return success(emission.module != nullptr);
}

/// Emits those again in whose text the back end copies registers of a product
/// in flight, with moves behind the waits for them. Without need these would
/// stand in loops whose copies it places well.
static LogicalResult keepFlights(llvm::ArrayRef<ModuleOp> modules,
                                 const PtxOptions &options,
                                 Emissions &emissions) {
  std::vector<size_t> places;
  Emissions again;
  for (auto [i, module] : llvm::enumerate(modules)) {
    if (!emissions[i]->error.empty() || !touchesFlights(emissions[i]->text))
      continue;
    places.push_back(i);
    if (failed(addEmission(module, /*movesLanded=*/true, again)))
      return failure();
  }
  emitPtx(again, options);
  for (auto [place, emission] : llvm::zip(places, again))
    emissions[place] = std::move(emission);
  return success();
}

/// The text of each module.
static FailureOr<std::vector<std::string>>
translate(llvm::ArrayRef<ModuleOp> modules, const PtxOptions &options) {
  Emissions emissions;
  for (ModuleOp module : modules)
    if (failed(addEmission(module, /*movesLanded=*/false, emissions)))
      return failure();
  emitPtx(emissions, options);
  if (failed(keepFlights(modules, options, emissions)))
    return failure();
  std::vector<std::string> texts;
  for (auto [module, emission] : llvm::zip(modules, emissions)) {
    if (!emission->error.empty())
      return report(module, diag::internal) << emission->error;
    if (failed(checkEvents(module, *emission)))
      return failure();
    texts.push_back(std::move(emission->text));
  }
  return texts;
}

static llvm::StringRef entryOf(ModuleOp part) {
  return SymbolTable::getSymbolName(&part.getBody()->back()).getValue();
}

/// The texts of `parts`; `first` says which have the code of an earlier one.
static FailureOr<std::vector<std::string>>
translateParts(llvm::ArrayRef<OwningOpRef<ModuleOp>> parts,
               llvm::ArrayRef<size_t> first, const PtxOptions &options) {
  std::vector<ModuleOp> modules;
  std::vector<size_t> places; // of their texts
  for (auto [i, part] : llvm::enumerate(parts)) {
    places.push_back(first[i] == i ? modules.size() : places[first[i]]);
    if (first[i] == i)
      modules.push_back(*part);
  }
  auto made = translate(modules, options);
  if (failed(made))
    return failure();
  std::vector<std::string> texts;
  for (auto [i, part] : llvm::enumerate(parts)) {
    const std::string &text = (*made)[places[i]];
    texts.push_back(first[i] == i ? text
                                  : renameEntry(text, entryOf(*parts[first[i]]),
                                                entryOf(*part)));
  }
  return texts;
}

/// The kernels of `module` one by one; nothing where their texts are not to be
/// joined.
static FailureOr<std::optional<std::string>>
translateByKernel(ModuleOp module, llvm::ArrayRef<size_t> first,
                  const PtxOptions &options) {
  auto parts = separateKernels(module);
  if (parts.empty())
    return std::optional<std::string>();
  auto texts = translateParts(parts, first, options);
  uniteKernels(module, std::move(parts));
  if (failed(texts))
    return failure();
  return joinPtx(*texts);
}

FailureOr<std::string> translateToPtx(ModuleOp module,
                                      const PtxOptions &options) {
  if (failed(checkAsm(module)))
    return failure();
  // Scopes have the names of their kernels.
  std::vector<size_t> first = findSameKernels(module);
  if (options.lineInfo && failed(addDebugScopes(module)))
    return failure();
  auto joined = translateByKernel(module, first, options);
  if (failed(joined))
    return failure();
  if (*joined)
    return std::move(**joined);
  auto texts = translate(module, options);
  if (failed(texts))
    return failure();
  return std::move(texts->front());
}

} // namespace heddle
