//===- IntegerOps.cpp - arith on integers, constants and select -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// arith on integers, with constants, comparisons and select. Operations read
// their operands with or without a sign and results wrap. Shifts by the width
// and INT_MIN / -1 have the rung's results, where C++ has none; division by
// zero is an error.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

bool compare(arith::CmpIPredicate predicate, const Element &element, int64_t x,
             int64_t y) {
  int64_t sx = element.asSigned(x), sy = element.asSigned(y);
  uint64_t ux = element.asUnsigned(x), uy = element.asUnsigned(y);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return ux == uy;
  case arith::CmpIPredicate::ne:
    return ux != uy;
  case arith::CmpIPredicate::slt:
    return sx < sy;
  case arith::CmpIPredicate::sle:
    return sx <= sy;
  case arith::CmpIPredicate::sgt:
    return sx > sy;
  case arith::CmpIPredicate::sge:
    return sx >= sy;
  case arith::CmpIPredicate::ult:
    return ux < uy;
  case arith::CmpIPredicate::ule:
    return ux <= uy;
  case arith::CmpIPredicate::ugt:
    return ux > uy;
  case arith::CmpIPredicate::uge:
    return ux >= uy;
  }
  llvm_unreachable("unknown predicate");
}

LogicalResult runCmpI(Interpreter &interpreter, arith::CmpIOp op) {
  const Datum &x = interpreter.get(op.getLhs());
  const Datum &y = interpreter.get(op.getRhs());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < x.size(); ++i)
    result.integers[i] =
        compare(op.getPredicate(), x.element, x.integers[i], y.integers[i]);
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

LogicalResult runSelect(Interpreter &interpreter, arith::SelectOp op) {
  const Datum &condition = interpreter.get(op.getCondition());
  if (condition.shape.empty()) {
    Value chosen =
        condition.integers[0] ? op.getTrueValue() : op.getFalseValue();
    interpreter.set(op.getResult(), interpreter.getRef(chosen));
    return success();
  }
  const Datum &x = interpreter.get(op.getTrueValue());
  const Datum &y = interpreter.get(op.getFalseValue());
  Datum result = interpreter.make(op.getResult());
  for (size_t i = 0; i < condition.size(); ++i) {
    const Datum &chosen = condition.integers[i] ? x : y;
    if (result.isFloat())
      result.floats[i] = chosen.floats[i];
    else
      result.integers[i] = chosen.integers[i];
  }
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

void fillConstant(Datum &datum, size_t index, Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    datum.floats[index] = value.convertToDouble();
  } else {
    datum.integers[index] = datum.element.wrap(
        cast<IntegerAttr>(attribute).getValue().getSExtValue());
  }
}

LogicalResult runConstant(Interpreter &interpreter, arith::ConstantOp op) {
  Datum result = interpreter.make(op.getResult());
  if (isa<FloatAttr, IntegerAttr>(op.getValue())) {
    for (size_t i = 0; i < result.size(); ++i)
      fillConstant(result, i, op.getValue());
  } else if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue())) {
    for (auto [index, value] : llvm::enumerate(elements.getValues<Attribute>()))
      fillConstant(result, index, value);
  } else {
    return report(op.getLoc(), diag::oracle_unsupported)
           << "the oracle cannot read the constant " << op.getValue();
  }
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Division: a zero divisor is an error, wherever it occurs in a tile
//===----------------------------------------------------------------------===//

template <typename Op, typename F> void addDivision(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) -> LogicalResult {
    const Datum &x = interpreter.get(op->getOperand(0));
    const Datum &y = interpreter.get(op->getOperand(1));
    Datum result = interpreter.make(op->getResult(0));
    for (size_t i = 0; i < x.size(); ++i) {
      if (y.integers[i] == 0)
        return report(op->getLoc(), diag::division_by_zero)
               << "'" << op->getName() << "' divides " << x.integers[i]
               << " by zero";
      result.integers[i] = f(x.element, x.integers[i], y.integers[i]);
    }
    result.element.wrap(result.integers);
    interpreter.set(op->getResult(0), std::move(result));
    return success();
  });
}

/// Wraps where the quotient overflows.
int64_t divideSigned(int64_t x, int64_t y) {
  return y == -1 ? int64_t(0 - uint64_t(x)) : x / y;
}
int64_t remainderSigned(int64_t x, int64_t y) { return y == -1 ? 0 : x % y; }

int64_t floorDivide(const Element &, int64_t x, int64_t y) {
  bool inexact = remainderSigned(x, y) != 0;
  return divideSigned(x, y) - (inexact && ((x < 0) != (y < 0)));
}
int64_t ceilDivide(const Element &, int64_t x, int64_t y) {
  bool inexact = remainderSigned(x, y) != 0;
  return divideSigned(x, y) + (inexact && ((x < 0) == (y < 0)));
}

void addDivisions(Handlers &handlers) {
  addDivision<arith::DivSIOp>(
      handlers, [](const Element &e, int64_t x, int64_t y) {
        return divideSigned(e.asSigned(x), e.asSigned(y));
      });
  addDivision<arith::RemSIOp>(
      handlers, [](const Element &e, int64_t x, int64_t y) {
        return remainderSigned(e.asSigned(x), e.asSigned(y));
      });
  addDivision<arith::DivUIOp>(
      handlers, [](const Element &e, int64_t x, int64_t y) {
        return int64_t(e.asUnsigned(x) / e.asUnsigned(y));
      });
  addDivision<arith::RemUIOp>(
      handlers, [](const Element &e, int64_t x, int64_t y) {
        return int64_t(e.asUnsigned(x) % e.asUnsigned(y));
      });
  addDivision<arith::CeilDivUIOp>(
      handlers, [](const Element &e, int64_t x, int64_t y) {
        uint64_t ux = e.asUnsigned(x), uy = e.asUnsigned(y);
        return int64_t(ux / uy + (ux % uy != 0));
      });
  addDivision<arith::CeilDivSIOp>(handlers, ceilDivide);
  addDivision<arith::FloorDivSIOp>(handlers, floorDivide);
}

//===----------------------------------------------------------------------===//
// Results twice as wide
//===----------------------------------------------------------------------===//

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

template <typename Op, typename F> void addExtended(Handlers &handlers, F f) {
  handlers.add<Op>([f](Interpreter &interpreter, Op op) {
    const Datum &x = interpreter.get(op->getOperand(0));
    const Datum &y = interpreter.get(op->getOperand(1));
    Datum low = interpreter.make(op->getResult(0));
    Datum high = interpreter.make(op->getResult(1));
    for (size_t i = 0; i < x.size(); ++i) {
      uint128 wide = uint128(f(x.element, x.integers[i], y.integers[i]));
      low.integers[i] = low.element.wrap(int64_t(wide));
      high.integers[i] =
          high.element.wrap(int64_t(wide >> x.element.getWidth()));
    }
    interpreter.set(op->getResult(0), std::move(low));
    interpreter.set(op->getResult(1), std::move(high));
    return success();
  });
}

/// A shift by the width or more gives no bit of the operand.
template <typename F> auto shift(F f, bool arithmetic = false) {
  return [f, arithmetic](const Element &e, int64_t x, int64_t y) -> int64_t {
    if (e.asUnsigned(y) >= e.getWidth())
      return arithmetic && e.asSigned(x) < 0 ? -1 : 0;
    return f(e, x, y);
  };
}

} // namespace

void heddle::interp::addIntegerOps(Handlers &handlers) {
  addIntegerUnary<tile::BitReverseOp>(handlers, [](const Element &element,
                                                   int64_t x) {
    return int64_t(llvm::reverseBits(uint64_t(x)) >> (64 - element.getWidth()));
  });
  handlers.add<arith::ConstantOp>(runConstant);
  handlers.add<arith::SelectOp>(runSelect);
  handlers.add<arith::CmpIOp>(runCmpI);
  auto add = [&]<typename Op>(auto f) { addIntegerBinary<Op>(handlers, f); };
  using E = const Element &;
  add.operator()<arith::AddIOp>([](E, int64_t x, int64_t y) {
    return int64_t(uint64_t(x) + uint64_t(y));
  });
  add.operator()<arith::SubIOp>([](E, int64_t x, int64_t y) {
    return int64_t(uint64_t(x) - uint64_t(y));
  });
  add.operator()<arith::MulIOp>([](E, int64_t x, int64_t y) {
    return int64_t(uint64_t(x) * uint64_t(y));
  });
  add.operator()<arith::AndIOp>([](E, int64_t x, int64_t y) { return x & y; });
  add.operator()<arith::OrIOp>([](E, int64_t x, int64_t y) { return x | y; });
  add.operator()<arith::XOrIOp>([](E, int64_t x, int64_t y) { return x ^ y; });
  add.operator()<arith::MaxSIOp>([](E e, int64_t x, int64_t y) {
    return e.asSigned(x) > e.asSigned(y) ? x : y;
  });
  add.operator()<arith::MinSIOp>([](E e, int64_t x, int64_t y) {
    return e.asSigned(x) < e.asSigned(y) ? x : y;
  });
  add.operator()<arith::MaxUIOp>([](E e, int64_t x, int64_t y) {
    return e.asUnsigned(x) > e.asUnsigned(y) ? x : y;
  });
  add.operator()<arith::MinUIOp>([](E e, int64_t x, int64_t y) {
    return e.asUnsigned(x) < e.asUnsigned(y) ? x : y;
  });
  add.operator()<arith::ShLIOp>(
      shift([](E, int64_t x, int64_t y) { return int64_t(uint64_t(x) << y); }));
  add.operator()<arith::ShRUIOp>(shift(
      [](E e, int64_t x, int64_t y) { return int64_t(e.asUnsigned(x) >> y); }));
  add.operator()<arith::ShRSIOp>(
      shift([](E e, int64_t x, int64_t y) { return e.asSigned(x) >> y; },
            /*arithmetic=*/true));
  addDivisions(handlers);
  addExtended<arith::MulSIExtendedOp>(handlers, [](E e, int64_t x, int64_t y) {
    return int128(e.asSigned(x)) * e.asSigned(y);
  });
  addExtended<arith::MulUIExtendedOp>(handlers, [](E e, int64_t x, int64_t y) {
    return uint128(e.asUnsigned(x)) * e.asUnsigned(y);
  });
  addExtended<arith::AddUIExtendedOp>(handlers, [](E e, int64_t x, int64_t y) {
    return uint128(e.asUnsigned(x)) + e.asUnsigned(y);
  });
}
