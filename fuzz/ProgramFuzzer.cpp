//===- ProgramFuzzer.cpp - Text of any rung, through every pass -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the text is, it is parsed and verified, run by the oracle if it is a
// tile program, and lowered as far as it goes. Each step may object; none may
// crash, hang or take more memory than the limit.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

using namespace heddle;

/// Longer texts find nothing that shorter ones do not, and take longer.
static constexpr size_t kLongestText = 1 << 16;
static constexpr int64_t kViewExtent = 20;

/// Runs a kernel on zeros: every view has the same extents, every number is 1.
static void interpret(tile::KernelOp kernel) {
  std::vector<std::vector<uint64_t>> memory;
  std::vector<interp::Argument> arguments;
  for (mlir::Type type : kernel.getEntry().getArgumentTypes()) {
    int64_t rank = 1;
    bool isView = llvm::isa<tile::ViewType>(type);
    if (isView)
      rank = llvm::cast<tile::ViewType>(type).getRank();
    if (isView || llvm::isa<tile::PtrType>(type)) {
      if (rank > 3)
        return;
      interp::Buffer buffer;
      int64_t count = 1;
      for (int64_t axis = 0; axis < rank; ++axis) {
        buffer.shape.push_back(kViewExtent);
        count *= kViewExtent;
      }
      memory.emplace_back(size_t(count));
      buffer.data = memory.back().data();
      arguments.push_back(buffer);
    } else if (type.isIntOrIndex()) {
      arguments.push_back(int64_t(1));
    } else {
      arguments.push_back(1.0);
    }
  }
  interp::Options options;
  options.maxSteps = 2000;
  (void)interp::interpret(kernel, arguments, options);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > kLongestText)
    return -1;
  auto context = pipeline::createContext();
  mlir::ScopedDiagnosticHandler quiet(
      context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  Source source;
  source.path = "fuzz.mlir";
  source.text.assign(reinterpret_cast<const char *>(data), size);
  auto module = pipeline::parse(source, *context);
  if (!module)
    return -1; // not worth keeping
  auto rung = pipeline::detectRung(*module);
  if (failed(rung))
    return 0;
  if (*rung <= pipeline::Rung::Sched)
    for (auto kernel : module->getOps<tile::KernelOp>())
      interpret(kernel);
  // The text of a rung must be one that the parser takes.
  (void)pipeline::print(*module);
  // LLVM's own code generation is not what is tested here.
  if (*rung < pipeline::Rung::Nvvm)
    (void)pipeline::lower(*module, *rung, pipeline::Rung::Nvvm);
  return 0;
}
