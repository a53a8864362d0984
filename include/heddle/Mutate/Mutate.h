//===- Mutate.h - Breaks the barrier protocol of a kernel -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operator makes one kind of mistake that a compiler of warp-specialised
// kernels can make, at one place of the hopper rung. It lies beside the checker
// and the emulator and includes neither: it is what both are measured with. It
// edits the rung, not the prover's model of it, so that a mutant can be
// printed, compiled and emulated, and so that a fault of the extraction shows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MUTATE_MUTATE_H
#define HEDDLE_MUTATE_MUTATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace heddle::hopper {
class KernelOp;
} // namespace heddle::hopper

namespace heddle::mutate {

struct Operator {
  const char *name;
  const char *what; ///< one sentence
  /// Edits at `op`. False, and nothing is changed, if this is no place for it.
  bool (*apply)(mlir::Operation *op);
};

llvm::ArrayRef<Operator> operators();
/// Null if there is none.
const Operator *findOperator(llvm::StringRef name);

/// Where the kernel can be edited: positions among its operations, in the order
/// of the text.
std::vector<unsigned> findSites(hopper::KernelOp kernel, const Operator &op);

/// Edits the kernel at one of them; returns FILE:LINE:COLUMN OPERATION of it.
std::string mutate(hopper::KernelOp kernel, const Operator &op, unsigned site);

} // namespace heddle::mutate

#endif // HEDDLE_MUTATE_MUTATE_H
