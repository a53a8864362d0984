//===- Scalars.h - A region of scalars, read once ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The region of a flow.compute or flow.reduce is evaluated for every token, so
// its operations become a list of steps on numbered values first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FLOW_SCALARS_H
#define HEDDLE_LIB_FLOW_SCALARS_H

#include "mlir/IR/Block.h"

#include <vector>

namespace heddle::flow {

class ScalarCode {
public:
  explicit ScalarCode(mlir::Block &block);

  /// False if the region holds an operation that has no step.
  bool isKnown() const { return known; }
  /// How many operations it has, constants not counted.
  int64_t getOperations() const { return operations; }
  /// What the region yields of `arguments`, each step rounded to its type.
  double evaluate(llvm::ArrayRef<double> arguments);

private:
  /// Of one operand, the second is the first.
  using Function = double (*)(double, double);
  struct Step {
    Function function;
    unsigned first, second;
    bool isF32;
  };

  static Function functionOf(mlir::Operation *op);

  /// Arguments, constants and results of steps; those of steps come last.
  std::vector<double> values;
  std::vector<Step> steps;
  unsigned firstStep = 0, yielded = 0;
  int64_t operations = 0;
  bool known = true;
};

} // namespace heddle::flow

#endif // HEDDLE_LIB_FLOW_SCALARS_H
