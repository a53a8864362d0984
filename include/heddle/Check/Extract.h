//===- Extract.h - Reads the protocol off the hopper rung -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only part of the checker that knows MLIR. It needs no verified kernel:
// what the rung's verifier would refuse may be extracted, and is then for the
// prover to refuse.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CHECK_EXTRACT_H
#define HEDDLE_CHECK_EXTRACT_H

#include "heddle/Check/Protocol.h"

#include <optional>

namespace mlir {
class Operation;
} // namespace mlir
namespace heddle::hopper {
class KernelOp;
} // namespace heddle::hopper

namespace heddle::check {

struct Extraction {
  Protocol protocol;
  /// What could not be expressed as a protocol, with its place; empty if all
  /// could.
  std::string gap;
};

Extraction extract(hopper::KernelOp kernel);

/// The checker's name of an operation of arith; nothing if it has none.
std::optional<Arith> arithOf(mlir::Operation *op);

} // namespace heddle::check

#endif // HEDDLE_CHECK_EXTRACT_H
