//===- Elementwise.h - Applies a function to every element ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars and tiles alike; results are rounded or wrapped to the result's type
// once. Operands have equal shapes, as the verifiers ensure; select's condition
// and the like may be scalars beside tiles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_ELEMENTWISE_H
#define HEDDLE_LIB_INTERP_ELEMENTWISE_H

#include "Interpreter.h"

namespace heddle::interp {

/// Op of floats -> floats: f(double...) -> double.
template <typename Op, typename F> void addFloatUnary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const std::vector<double> &x = interpreter.get(op->getOperand(0)).floats;
    Datum result = interpreter.make(op->getResult(0));
    for (size_t i = 0; i < x.size(); ++i)
      result.floats[i] = f(x[i]);
    result.element.round(result.floats);
    interpreter.set(op->getResult(0), std::move(result));
    return mlir::success();
  });
}

template <typename Op, typename F>
void addFloatBinary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const std::vector<double> &x = interpreter.get(op->getOperand(0)).floats;
    const std::vector<double> &y = interpreter.get(op->getOperand(1)).floats;
    Datum result = interpreter.make(op->getResult(0));
    for (size_t i = 0; i < x.size(); ++i)
      result.floats[i] = f(x[i], y[i]);
    result.element.round(result.floats);
    interpreter.set(op->getResult(0), std::move(result));
    return mlir::success();
  });
}

/// Op of integers -> integers: f(element, int64_t...) -> int64_t, where
/// `element` is the operands' type.
template <typename Op, typename F>
void addIntegerUnary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const Datum &x = interpreter.get(op->getOperand(0));
    Datum result = interpreter.make(op->getResult(0));
    for (size_t i = 0; i < x.size(); ++i)
      result.integers[i] = f(x.element, x.integers[i]);
    result.element.wrap(result.integers);
    interpreter.set(op->getResult(0), std::move(result));
    return mlir::success();
  });
}

template <typename Op, typename F>
void addIntegerBinary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const Datum &x = interpreter.get(op->getOperand(0));
    const Datum &y = interpreter.get(op->getOperand(1));
    Datum result = interpreter.make(op->getResult(0));
    for (size_t i = 0; i < x.size(); ++i)
      result.integers[i] = f(x.element, x.integers[i], y.integers[i]);
    result.element.wrap(result.integers);
    interpreter.set(op->getResult(0), std::move(result));
    return mlir::success();
  });
}

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_ELEMENTWISE_H
