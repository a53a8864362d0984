//===- Evaluator.h - What one operation computes ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle's meaning of an operation, apart from its order of execution: for
// whoever decides that order himself, as the simulator of the aref rung does.
// Nothing is kept between calls but the kernel's memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_INTERP_EVALUATOR_H
#define HEDDLE_INTERP_EVALUATOR_H

#include "heddle/Interp/Access.h"
#include "heddle/Interp/Interp.h"

#include <memory>

namespace heddle::interp {

struct Datum;
class Interpreter;
/// A scalar, a tile or a view; never changes.
using DatumRef = std::shared_ptr<const Datum>;
/// What the values that an operation reads are.
using Inputs = llvm::SmallVector<std::pair<mlir::Value, DatumRef>>;
using Outputs = llvm::SmallVector<DatumRef>;

class Evaluator {
public:
  /// `options` must outlive the evaluator.
  Evaluator(tile::KernelOp kernel, const Options &options);
  ~Evaluator();

  /// The kernel's arguments as data, in order.
  mlir::LogicalResult bindArguments(llvm::ArrayRef<Argument> arguments,
                                    Outputs &data);

  /// An error at `op` if the oracle does not know it; its results' types are
  /// checked by checkType.
  mlir::LogicalResult checkOp(mlir::Operation *op) const;
  mlir::LogicalResult checkType(mlir::Operation *op, mlir::Type type) const;

  /// The results of `op`. `inputs` holds its operands and what its regions use
  /// from outside.
  mlir::LogicalResult evaluate(mlir::Operation *op, const Inputs &inputs,
                               Outputs &results);
  /// What the terminator of `block` hands on after the block has run.
  mlir::LogicalResult evaluateBlock(mlir::Block &block, const Inputs &inputs,
                                    Outputs &yielded);

  /// Notes what operations read and write from now on; null ends it.
  void setTrace(std::vector<Access> *accesses);

  static int64_t getInteger(const DatumRef &datum);
  static DatumRef makeInteger(mlir::Type type, int64_t number);
  /// Bit for bit, so that a NaN equals itself.
  static bool areEqual(const DatumRef &a, const DatumRef &b);

private:
  void bind(const Inputs &inputs);

  std::unique_ptr<Interpreter> interpreter;
};

} // namespace heddle::interp

#endif // HEDDLE_INTERP_EVALUATOR_H
