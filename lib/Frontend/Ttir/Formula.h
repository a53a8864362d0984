//===- Formula.h - Functions written in other operations -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of arith and math by their names, so that a formula reads like
// one, for a scalar as for a tile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TTIR_FORMULA_H
#define HEDDLE_LIB_FRONTEND_TTIR_FORMULA_H

#include "Converter.h"

#include "heddle/Dialect/Tile/Assembly.h"

#include "mlir/IR/TypeUtilities.h"

namespace heddle::ttir {

/// Writes a formula for the numbers of one type, which may be tiles.
class Formula {
public:
  Formula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Value make(llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    mlir::OperationState state(loc, name);
    state.addOperands(operands);
    state.addTypes(result);
    state.addAttributes(attributes);
    return builder.create(state)->getResult(0);
  }
  /// Of the formula's own type.
  mlir::Value make(llvm::StringRef name, mlir::ValueRange operands) {
    return make(name, type, operands);
  }

  /// Instructions of PTX, for one element.
  mlir::Value assembly(llvm::StringRef text, llvm::StringRef constraints,
                       mlir::Type result, mlir::ValueRange operands) {
    return tile::InlineAsmOp::create(builder, loc, mlir::TypeRange(result),
                                     operands, text, constraints, 1)
        .getResult(0);
  }

  mlir::Value splat(mlir::Type of, mlir::TypedAttr number) {
    mlir::Value value = mlir::arith::ConstantOp::create(builder, loc, number);
    return of == value.getType()
               ? value
               : tile::SplatOp::create(builder, loc, of, value).getResult();
  }
  mlir::Value number(double value) {
    return splat(type,
                 builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value));
  }
  mlir::Value integer(mlir::Type of, int64_t value) {
    return splat(of,
                 builder.getIntegerAttr(mlir::getElementTypeOrSelf(of), value));
  }

  /// The same shape of other elements.
  mlir::Type of(mlir::Type element) const {
    auto tile = mlir::dyn_cast<mlir::RankedTensorType>(type);
    return tile ? mlir::Type(tile.clone(element)) : element;
  }

  /// The same formula for other elements.
  Formula in(mlir::Type element) const { return {builder, loc, of(element)}; }
  mlir::Type getType() const { return type; }

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return make("arith.addf", {a, b});
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) {
    return make("arith.subf", {a, b});
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return make("arith.mulf", {a, b});
  }
  mlir::Value divide(mlir::Value a, mlir::Value b) {
    return make("arith.divf", {a, b});
  }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return make("math.fma", {a, b, c});
  }
  mlir::Value absolute(mlir::Value a) { return make("math.absf", a); }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value isLess(mlir::Value a, double b) {
    return compare(mlir::arith::CmpFPredicate::OLT, a, number(b));
  }
  mlir::Value isEqual(mlir::Value a, double b) {
    return compare(mlir::arith::CmpFPredicate::OEQ, a, number(b));
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// A function of f64, as `writeDouble` has it.
  mlir::Value writeDoubleOf(llvm::StringRef function,
                            mlir::ValueRange operands);
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }

protected:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

/// The f64 result of a function of math, of which no unit knows f64; null if
/// there is no formula for it.
mlir::Value writeDouble(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef function, mlir::ValueRange operands);

inline mlir::Value Formula::writeDoubleOf(llvm::StringRef function,
                                          mlir::ValueRange operands) {
  return writeDouble(builder, loc, function, operands);
}

} // namespace heddle::ttir

#endif // HEDDLE_LIB_FRONTEND_TTIR_FORMULA_H
