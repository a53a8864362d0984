//===- EinsumTarget.cpp - Text of the einsum rung, down to LLVM -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements with formats, and plans, are parsed, planned, lowered to the tile
// rung and from there to the LLVM of a CPU. What is printed on the way must be
// text that the parser takes, and a program that has a plan must lower.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Pipeline/Sparse.h"
#include "heddle/Support/Files.h"

#include "mlir/IR/BuiltinOps.h"

using namespace heddle;

static mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text,
                                               mlir::MLIRContext &context) {
  Source source;
  source.path = "fuzz.mlir";
  source.text = text;
  return pipeline::parse(source, context);
}

int heddle::fuzz::runEinsum(const std::string &text) {
  auto context = pipeline::createContext();
  mlir::ScopedDiagnosticHandler quiet(context.get(),
                                      [](mlir::Diagnostic &message) {
                                        (void)message.str();
                                        return mlir::success();
                                      });
  auto module = parse(text, *context);
  if (!module)
    return -1; // not worth keeping
  auto rung = pipeline::detectRung(*module);
  if (failed(rung) || *rung != pipeline::Rung::Einsum)
    return -1;
  if (failed(pipeline::lower(*module, pipeline::Rung::Einsum,
                             pipeline::Rung::Einsum)))
    return 0;
  if (!parse(pipeline::print(*module), *context))
    __builtin_trap(); // what is written is read
  if (failed(pipeline::lower(*module, pipeline::Rung::Einsum,
                             pipeline::Rung::Tile)))
    return 0;
  if (!parse(pipeline::print(*module), *context))
    __builtin_trap();
  (void)pipeline::printLlvm(*module);
  return 0;
}
