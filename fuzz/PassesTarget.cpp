//===- PassesTarget.cpp - Any passes on any text, as heddle-opt has them --===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first line of an input is a pipeline in MLIR's text, such as
// `tile-instantiate,sched-name-ops`; the program follows. Passes meet programs
// of rungs that are not theirs.
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "Targets.h"

#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Registry.h"
#include "heddle/Support/Files.h"
#include "heddle/Support/Nesting.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle;
using namespace heddle::fuzz;

/// `%name#1000000`: MLIR's parser makes room for so many results. `heddle`
/// refuses such text in front of the parser, and its target tests that.
static bool namesManyResults(llvm::StringRef program) {
  constexpr size_t kDigits = 6;
  for (size_t at = program.find('#'); at != llvm::StringRef::npos;
       at = program.find('#', at + 1))
    if (program.drop_front(at + 1).take_while(llvm::isDigit).size() > kDigits)
      return true;
  return false;
}

int heddle::fuzz::runPasses(const std::string &text) {
  static const bool isRegistered = [] {
    pipeline::registerPasses();
    return true;
  }();
  (void)isRegistered;
  auto [line, rest] = llvm::StringRef(text).split('\n');
  std::string program = rest.str(); // ends with a zero, as MLIR wants it
  // Options of passes name files; these have targets of their own.
  if (line.contains('/') || findDeepNesting(line) || findDeepNesting(program) ||
      namesManyResults(program))
    return -1;
  auto context = pipeline::createContext();
  QuietHandler quiet(*context);
  mlir::PassManager passes(context.get());
  if (failed(mlir::parsePassPipeline(line, passes, llvm::nulls())))
    return -1;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, context.get());
  if (!module)
    return -1;
  (void)passes.run(*module);
  return 0;
}
