//===- Sparse.cpp - Einsum programs compiled and run in process -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Sparse.h"

#include "heddle/Conversion/TileToCpu.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/IR/LLVMContext.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

const cpu::HostProgram *CpuPrograms::find(llvm::StringRef name) const {
  for (const cpu::HostProgram &program : programs)
    if (program.name == name)
      return &program;
  return nullptr;
}

static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               llvm::LLVMContext &context) {
  OwningOpRef<ModuleOp> lowered = lowerTileToCpu(module);
  if (!lowered || failed(lowerCpuToLlvm(*lowered)))
    return nullptr;
  return translateCpuModule(*lowered, context);
}

static LogicalResult complain(ModuleOp module, const std::string &error) {
  return report(module.getLoc(), diag::internal)
         << "bug in heddle: no machine code: " << error;
}

FailureOr<CpuPrograms> heddle::pipeline::compileForCpu(ModuleOp module) {
  CpuPrograms made;
  for (auto program : module.getOps<tile::ProgramOp>()) {
    FailureOr<cpu::HostProgram> host = buildHostProgram(program);
    if (failed(host))
      return failure();
    made.programs.push_back(std::move(*host));
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated = translate(module, *context);
  if (!translated)
    return failure();
  std::string error;
  made.jit =
      cpu::Jit::compile(std::move(translated), std::move(context), error);
  if (!made.jit)
    return complain(module, error);
  return made;
}

FailureOr<std::string> heddle::pipeline::printLlvm(ModuleOp module) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translate(module, context);
  if (!translated)
    return failure();
  std::string error;
  if (!cpu::optimize(*translated, error))
    return complain(module, error);
  std::string text;
  llvm::raw_string_ostream stream(text);
  translated->print(stream, nullptr);
  return text;
}
