//===- General.cpp - A variant that assumes nothing -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/General.h"

#include "Manifests.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Alternatives.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

std::vector<std::string> heddle::pipeline::assumptionsOf(ModuleOp module) {
  llvm::SetVector<StringRef> sentences;
  module.walk([&](tile::AssertOp op) {
    if (op.getAssumed())
      sentences.insert(op.getMessage());
  });
  return std::vector<std::string>(sentences.begin(), sentences.end());
}

/// The program compiled again, or null and the first error.
static OwningOpRef<ModuleOp> compileGeneral(MLIRContext &context,
                                            const Source &source,
                                            LowerOptions options,
                                            std::string &error) {
  ScopedDiagnosticHandler quiet(&context, [&](Diagnostic &message) {
    if (message.getSeverity() == DiagnosticSeverity::Error && error.empty())
      error = message.str();
    return success(); // nobody sees it
  });
  options.assume = Assume::Nothing;
  // Launches that take it are rare: seconds for a better schedule are not
  // worth it.
  options.schedule = "heuristic";
  OwningOpRef<ModuleOp> module = parse(source, context, options);
  if (!module)
    return nullptr;
  // A launch that is refused says why, one in program order is only slow.
  (*module)->removeAttr(sched::kOrOneProcess);
  FailureOr<Rung> rung = detectRung(*module);
  if (failed(rung) || failed(lower(*module, *rung, Rung::Nvvm, options)))
    return nullptr;
  return module;
}

LogicalResult heddle::pipeline::addGeneral(ModuleOp module,
                                           const Source &source,
                                           const LowerOptions &options) {
  if (assumptionsOf(module).empty())
    return success();
  FailureOr<Rung> rung = detectRung(module);
  if (failed(rung) || failed(lower(module, *rung, Rung::Nvvm, options)))
    return failure();
  std::string error;
  OwningOpRef<ModuleOp> general =
      compileGeneral(*module.getContext(), source, options, error);
  if (!general || !appendVariants(module, *general, "_unassumed", error))
    report(startOf(module), diag::no_general)
        << "launches that break an assumption are refused, because the kernel "
           "does not compile without: "
        << error;
  return success();
}
