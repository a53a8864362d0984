//===- Evaluator.cpp - What one operation computes ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Interp/Evaluator.h"

#include "Interpreter.h"

#include <cstring>

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

Evaluator::Evaluator(tile::KernelOp kernel, const Options &options)
    : interpreter(std::make_unique<Interpreter>(kernel, options)) {}

Evaluator::~Evaluator() = default;

LogicalResult Evaluator::bindArguments(ArrayRef<Argument> arguments,
                                       Outputs &data) {
  if (failed(interpreter->bindArguments(arguments)))
    return failure();
  for (Value argument : interpreter->getKernel().getEntry().getArguments())
    data.push_back(interpreter->getRef(argument));
  return success();
}

LogicalResult Evaluator::checkOp(Operation *op) const {
  return interpreter->checkOp(op);
}

LogicalResult Evaluator::checkType(Operation *op, Type type) const {
  return interpreter->checkType(op, type);
}

void Evaluator::bind(const Inputs &inputs) {
  interpreter->forget();
  for (const auto &[value, datum] : inputs)
    interpreter->set(value, datum);
}

LogicalResult Evaluator::evaluate(Operation *op, const Inputs &inputs,
                                  Outputs &results) {
  bind(inputs);
  if (failed(interpreter->runOp(op)))
    return failure();
  for (Value result : op->getResults())
    results.push_back(interpreter->getRef(result));
  return success();
}

LogicalResult Evaluator::evaluateBlock(Block &block, const Inputs &inputs,
                                       Outputs &yielded) {
  bind(inputs);
  if (failed(interpreter->runBlock(block)))
    return failure();
  llvm::append_range(yielded, interpreter->getOperands(block.getTerminator()));
  return success();
}

void Evaluator::setTrace(std::vector<Access> *accesses) {
  interpreter->getMemory().setTrace(accesses);
}

int64_t Evaluator::getInteger(const DatumRef &datum) {
  return datum->integers[0];
}

DatumRef Evaluator::makeInteger(Type type, int64_t number) {
  Datum datum(*Element::get(type), {});
  datum.integers[0] = datum.element.wrap(number);
  return std::make_shared<const Datum>(std::move(datum));
}

bool Evaluator::areEqual(const DatumRef &a, const DatumRef &b) {
  return a->integers == b->integers && a->floats.size() == b->floats.size() &&
         (a->floats.empty() ||
          std::memcmp(a->floats.data(), b->floats.data(),
                      a->floats.size() * sizeof(double)) == 0);
}
