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

#include "ReadText.h"
#include "Targets.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Sparse.h"

#include "mlir/IR/BuiltinOps.h"

using namespace heddle;
using namespace heddle::fuzz;

int heddle::fuzz::runEinsum(const std::string &text) {
  auto context = pipeline::createContext();
  QuietHandler quiet(*context);
  auto module = parseEinsum(text, *context);
  if (!module)
    return -1; // not worth keeping
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
