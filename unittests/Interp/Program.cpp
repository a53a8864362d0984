//===- Program.cpp - Runs a program text on arrays ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static std::string describe(Diagnostic &diagnostic) {
  std::string text;
  if (auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
    text = std::to_string(loc.getLine()) + ": ";
  return text + diagnostic.str();
}

Program::Program(llvm::StringRef text) {
  context.loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                      scf::SCFDialect>();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = describe(diagnostic);
    return success();
  });
  module = parseSourceString<ModuleOp>(text, &context);
}

tile::KernelOp Program::getKernel() {
  return *module->getOps<tile::KernelOp>().begin();
}

bool Program::run(llvm::ArrayRef<Argument> arguments) {
  if (!module)
    return false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = describe(diagnostic);
    return success();
  });
  llvm::raw_string_ostream stream(output);
  Options options;
  options.output = &stream;
  return succeeded(interpret(getKernel(), arguments, options));
}

llvm::SmallVector<int64_t> heddle::interp::extentsOf(llvm::StringRef type) {
  llvm::SmallVector<int64_t> extents;
  int64_t extent = 0;
  while (!type.consumeInteger(10, extent) && type.consume_front("x"))
    extents.push_back(extent);
  return extents;
}

std::string heddle::interp::oneTile(llvm::ArrayRef<std::string> inputs,
                                    llvm::StringRef body,
                                    llvm::StringRef result) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto offsets = [](llvm::StringRef type) {
    std::string list = "%c0";
    for (size_t axis = 1; axis < extentsOf(type).size(); ++axis)
      list += ", %c0";
    return list;
  };
  stream << "tile.kernel @test(";
  for (auto [index, type] : llvm::enumerate(inputs))
    stream << "%v" << index << ": !tile.view<" << type << ">, ";
  stream << "%y: !tile.view<" << result
         << ">) {\n%c0 = arith.constant 0 : index\n";
  for (auto [index, type] : llvm::enumerate(inputs))
    stream << "%x" << index << " = tile.load %v" << index << "["
           << offsets(type) << "] : !tile.view<" << type << "> -> tensor<"
           << type << ">\n";
  stream << body << "\ntile.store %r, %y[" << offsets(result) << "] : tensor<"
         << result << ">, !tile.view<" << result << ">\n}\n";
  return text;
}
