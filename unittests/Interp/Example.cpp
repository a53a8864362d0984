//===- Example.cpp - Runs a program of examples/ on arrays ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Example.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace heddle;
using namespace heddle::interp;

namespace {

/// One reading of the program; collects what is reported about it.
class Reading {
public:
  explicit Reading(llvm::StringRef name)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    context.loadDialect<tile::TileDialect, sched::SchedDialect,
                        mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect>();
    module = mlir::parseSourceFile<mlir::ModuleOp>(
        (HEDDLE_EXAMPLES "/" + name + ".mlir").str(), &context);
  }

  bool instantiate(llvm::ArrayRef<std::string> settings) {
    InstantiateOptions options;
    options.values.assign(settings.begin(), settings.end());
    return module && runPasses({createInstantiate(options)});
  }

  bool split() {
    return runPasses({createDistribute(), createNameOps(), createSplit()});
  }

  bool run(const Arguments &arguments) {
    auto kernel = *module->getOps<tile::KernelOp>().begin();
    std::vector<Argument> values;
    for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i)
      for (const Arguments::Entry &entry : arguments.entries)
        if (entry.name == kernel.getArgName(i))
          values.push_back(entry.value);
    return succeeded(interpret(kernel, values));
  }

  std::string messages;

private:
  template <size_t N> bool runPasses(std::unique_ptr<mlir::Pass> (&&list)[N]) {
    mlir::PassManager passes(&context);
    for (auto &pass : list)
      passes.addPass(std::move(pass));
    return succeeded(passes.run(*module));
  }

  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

std::vector<std::string> save(const Arguments &arguments) {
  std::vector<std::string> copies;
  for (const Arguments::Entry &entry : arguments.entries)
    copies.emplace_back(entry.bytes.begin(), entry.bytes.end());
  return copies;
}

void restore(const Arguments &arguments,
             const std::vector<std::string> &copies) {
  for (auto [entry, copy] : llvm::zip(arguments.entries, copies))
    llvm::copy(copy, const_cast<char *>(entry.bytes.data()));
}

bool areEqual(const Arguments::Entry &entry, llvm::StringRef other) {
  if (!entry.isSummedInAnyOrder)
    return std::equal(other.begin(), other.end(), entry.bytes.begin());
  for (size_t at = 0; at < other.size(); at += sizeof(float)) {
    float a, b;
    std::memcpy(&a, entry.bytes.data() + at, sizeof(float));
    std::memcpy(&b, other.data() + at, sizeof(float));
    if (!(std::abs(a - b) <= 1e-5f * (1 + std::abs(a))))
      return false;
  }
  return true;
}

} // namespace

::testing::AssertionResult
heddle::interp::runExample(llvm::StringRef name,
                           llvm::ArrayRef<std::string> settings,
                           const Arguments &arguments) {
  std::vector<std::string> before = save(arguments);
  Reading split(name);
  if (!split.instantiate(settings) || !split.split() || !split.run(arguments))
    return ::testing::AssertionFailure() << "split: " << split.messages;
  std::vector<std::string> after = save(arguments);
  restore(arguments, before);

  Reading written(name);
  if (!written.instantiate(settings) || !written.run(arguments))
    return ::testing::AssertionFailure() << "as written: " << written.messages;
  for (auto [entry, bytes] : llvm::zip(arguments.entries, after))
    if (!areEqual(entry, bytes))
      return ::testing::AssertionFailure()
             << "split differs from as written in " << entry.name;
  return ::testing::AssertionSuccess();
}
