//===- EmitDivision.cpp - Quotients by reciprocals of the host --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division takes about a hundred cycles, and three of them say where a tile
// begins: the first copy of a launch waits for these. The reciprocals are
// constants of the launch, which no register holds.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "heddle/Conversion/HostDivisor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using heddle::manifest::Param;

namespace heddle::tonvvm {

/// What `reciprocalOf` says, of a number from 0 to 2^31 - 1.
static Value timesReciprocal(Code &code, Value number, Value reciprocal) {
  OpBuilder &builder = code.builder;
  Type word = builder.getI32Type();
  auto lower = [&](Value value) -> Value {
    return arith::TruncIOp::create(builder, code.loc, word, value);
  };
  // 2 * number fits 32 bits; the upper half of its product with the multiplier
  // is shifted by 31 already.
  Value product = code.intrinsic("llvm.nvvm.mulhi.ui", word,
                                 {code.add(number, number), lower(reciprocal)});
  return arith::ShRUIOp::create(builder, code.loc, product,
                                lower(code.shiftRight(reciprocal, 32)));
}

bool Emitter::emitHostDivision(Operation *op) {
  std::optional<HostDivisor> known = findHostDivisor(kernel, op);
  int position = known ? signature.findReciprocal(known->expr) : -1;
  if (position < 0)
    return false;
  Code code(builder, op->getLoc());
  Value number = scalar(op->getOperand(0)), divisor = scalar(op->getOperand(1));
  Value whole = timesReciprocal(code, number, entry->getArgument(position));
  if (known->otherwise)
    whole = arith::SelectOp::create(
        builder, code.loc, code.isEqual(divisor, known->otherwise),
        code.divide(number, known->otherwise), whole);
  bind(op->getResult(0),
       {isa<arith::DivUIOp>(op) ? whole
                                : code.sub(number, code.mul(whole, divisor))});
  return true;
}

} // namespace heddle::tonvvm
