//===- Sparse.cpp - Programs compiled for the CPU and run in process -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Sparse.h"

#include "heddle/Conversion/TileToCpu.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

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

/// The kernels with numbers as extents.
static OwningOpRef<ModuleOp> instantiate(ModuleOp module) {
  OwningOpRef<ModuleOp> made(module.clone());
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createInstantiate());
  manager.addPass(createSplitBatches());
  manager.addPass(createCanonicalizerPass());
  if (failed(manager.run(*made)))
    return nullptr;
  return made;
}

static std::unique_ptr<llvm::Module>
translate(ModuleOp module, const machine::Processor &processor,
          llvm::LLVMContext &context) {
  OwningOpRef<ModuleOp> own;
  if (!module.getOps<tile::ParamOp>().empty()) {
    own = instantiate(module);
    if (!own)
      return nullptr;
    module = *own;
  }
  OwningOpRef<ModuleOp> lowered = lowerTileToCpu(module, processor);
  if (!lowered || failed(lowerCpuToLlvm(*lowered)))
    return nullptr;
  return translateCpuModule(*lowered, context);
}

static LogicalResult complain(ModuleOp module, const std::string &error) {
  return report(module.getLoc(), diag::internal)
         << "bug in heddle: no machine code: " << error;
}

FailureOr<CpuPrograms>
heddle::pipeline::compileForCpu(ModuleOp module,
                                const machine::Processor &processor) {
  CpuPrograms made;
  for (auto program : module.getOps<tile::ProgramOp>()) {
    FailureOr<cpu::HostProgram> host = buildHostProgram(program);
    if (failed(host))
      return failure();
    made.programs.push_back(std::move(*host));
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      translate(module, processor, *context);
  if (!translated)
    return failure();
  std::string error;
  made.jit =
      cpu::Jit::compile(std::move(translated), std::move(context), error);
  if (!made.jit)
    return complain(module, error);
  return made;
}

/// What `write` makes of the program as LLVM's, or an error.
static FailureOr<std::string> writeProgram(
    ModuleOp module, const machine::Processor &processor,
    llvm::function_ref<std::string(llvm::Module &, std::string &)> write) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translate(module, processor, context);
  if (!translated)
    return failure();
  std::string error;
  std::string written = write(*translated, error);
  if (!error.empty())
    return complain(module, error);
  return written;
}

FailureOr<std::string>
heddle::pipeline::printLlvm(ModuleOp module,
                            const machine::Processor &processor) {
  return writeProgram(module, processor,
                      [](llvm::Module &program, std::string &error) {
                        std::string text;
                        if (!cpu::optimize(program, error))
                          return text;
                        llvm::raw_string_ostream stream(text);
                        program.print(stream, nullptr);
                        return text;
                      });
}

FailureOr<std::string>
heddle::pipeline::compileToObject(ModuleOp module,
                                  const machine::Processor &processor) {
  return writeProgram(module, processor, cpu::emitObject);
}
