//===- Oracle.cpp - What a tile program means -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/Oracle.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Pipeline/Rung.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tool;

static interp::Argument toInterpreter(ArgumentData &data, Type type) {
  if (data.hasMemory()) {
    interp::Buffer buffer;
    buffer.data = data.data();
    buffer.shape.assign(data.shape().begin(), data.shape().end());
    buffer.strides.assign(data.strides().begin(), data.strides().end());
    return buffer;
  }
  if (type.isIntOrIndex())
    return data.wholeScalar();
  return data.scalar();
}

SmallVector<interp::Argument>
heddle::tool::toInterpreter(tile::KernelOp kernel,
                            MutableArrayRef<ArgumentData> arguments) {
  SmallVector<interp::Argument> values;
  for (auto [data, argument] :
       llvm::zip_equal(arguments, kernel.getEntry().getArguments()))
    values.push_back(::toInterpreter(data, argument.getType()));
  return values;
}

LogicalResult heddle::tool::runOracle(ModuleOp module, StringRef name,
                                      MutableArrayRef<ArgumentData> arguments,
                                      int64_t maxSteps) {
  auto kernel = module.lookupSymbol<tile::KernelOp>(name);
  if (!kernel)
    return report(pipeline::startOf(module), diag::oracle_mismatch)
           << "the oracle has no tile kernel called " << name;
  auto declared = kernel.getEntry().getArguments();
  if (declared.size() != arguments.size())
    return report(kernel, diag::oracle_mismatch)
           << "the oracle's kernel has " << declared.size()
           << " arguments, the compiled one " << arguments.size();
  interp::Options options;
  options.maxSteps = maxSteps;
  return interp::interpret(kernel, toInterpreter(kernel, arguments), options);
}
