//===- ConvertCompute.cpp - Values from values -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TTIR's operations that compute values: constants, products, combiners,
// element-wise functions. Each becomes operations of tile, arith or
// math with the same meaning. An option without an equal there, such as another
// precision of inputs, is refused and never approximated.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "heddle/Dialect/Tile/Exact.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

LogicalResult Converter::convert(arith::ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return convertArith(op);
  if (!dense.isSplat())
    return report(op, diag::ttir_use)
           << "a constant tile of different elements is not imported";
  auto element = cast<TypedAttr>(dense.getSplatValue<Attribute>());
  Value scalar = arith::ConstantOp::create(builder, op.getLoc(), element);
  return make<tile::SplatOp>(op, scalar);
}

LogicalResult Converter::convert(MakeRangeOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value numbers = tile::IotaOp::create(builder, loc, type);
  if (int32_t start = op.getStart()) {
    Value first = arith::ConstantIntOp::create(builder, loc, start, 32);
    Value firsts = tile::SplatOp::create(builder, loc, type, first);
    numbers = arith::AddIOp::create(builder, loc, numbers, firsts);
  }
  bind(op, numbers);
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Triton's default for 8-bit floats is more than any matrix has.
static bool isFast(DotOp op) {
  return op.getMaxNumImpreciseAcc().value_or(0) >= int64_t(1) << 30;
}

static bool isOfEightBits(DotOp op) {
  Type element = op.getA().getType().getElementType();
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
}

/// At least as exact as Triton's, whose limit counts where its units sum with
/// fewer bits, on 8-bit floats: 0 means after each product of the unit there.
static FailureOr<int64_t> findLimit(DotOp op) {
  if (!isOfEightBits(op) || isFast(op))
    return 0;
  int64_t limit = op.getMaxNumImpreciseAcc().value_or(0);
  int64_t products = op.getA().getType().getShape().back();
  if (limit >= products)
    return limit;
  return report(op, diag::ttir_use)
         << "max_num_imprecise_acc is " << limit << ", but one dot sums "
         << products << " products and is not cut; give " << products
         << " or more";
}

namespace {
/// A product of f32 as several of shorter numbers: an operand's parts, the
/// largest first, add up to it, each rounded to `element`.
struct Parts {
  Type element;
  int64_t count;
  /// The parts of A and B that are multiplied beside the largest two, in order.
  ArrayRef<std::pair<int64_t, int64_t>> rest;
};
} // namespace

static std::optional<Parts> partsOf(StringRef precision, MLIRContext *context) {
  static constexpr std::pair<int64_t, int64_t> three[] = {{1, 0}, {0, 1}};
  static constexpr std::pair<int64_t, int64_t> six[] = {
      {1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}};
  Type f32 = Float32Type::get(context), bf16 = BFloat16Type::get(context);
  if (precision == "tf32x3")
    return Parts{f32, 2, three};
  if (precision == "bf16x3")
    return Parts{bf16, 2, three};
  if (precision == "bf16x6")
    return Parts{bf16, 3, six};
  return std::nullopt;
}

/// tf32x3 and the like. Products with a small part are NaN where an operand is
/// infinite; as in Triton they are zero then, and what the large parts make
/// counts.
LogicalResult Converter::convertInParts(DotOp op, StringRef precision) {
  Parts wanted = *partsOf(precision, op.getContext());
  Location loc = op.getLoc();
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  auto splat = [&](RankedTensorType type, TypedAttr value) -> Value {
    return tile::SplatOp::create(
        builder, loc, type, arith::ConstantOp::create(builder, loc, value));
  };
  auto split = [&](Value whole) {
    auto type = cast<RankedTensorType>(whole.getType());
    auto narrow = type.clone(wanted.element);
    SmallVector<Value> parts;
    while (int64_t(parts.size()) < wanted.count) {
      if (!parts.empty())
        whole = arith::SubFOp::create(
            builder, loc, whole,
            narrow == type
                ? parts.back()
                : tile::CastOp::create(builder, loc, type, parts.back()));
      if (narrow != type) {
        parts.push_back(tile::CastOp::create(builder, loc, narrow, whole));
        continue;
      }
      // Sign, exponent and the ten bits of fraction that tf32 has. What is
      // left at last the unit cuts by itself.
      RankedTensorType bits = type.clone(i32);
      Value kept = splat(bits, builder.getI32IntegerAttr(~0x1fff));
      parts.push_back(
          int64_t(parts.size()) + 1 == wanted.count
              ? whole
              : arith::BitcastOp::create(
                    builder, loc, type,
                    arith::AndIOp::create(
                        builder, loc,
                        arith::BitcastOp::create(builder, loc, bits, whole),
                        kept)));
    }
    return parts;
  };
  auto multiply = [&](Value a, Value b, Value sum) -> Value {
    return tile::DotOp::create(
        builder, loc, sum.getType(), a, b, sum, IntegerAttr(), BoolAttr(),
        wanted.element.isF32() ? builder.getUnitAttr() : UnitAttr());
  };
  SmallVector<Value> a = split(get(op.getA())), b = split(get(op.getB()));
  Value sum = get(op.getC());
  Value zero = splat(cast<RankedTensorType>(sum.getType()).clone(f32),
                     builder.getF32FloatAttr(0));
  Value small = zero;
  for (auto [ofA, ofB] : wanted.rest)
    small = multiply(a[ofA], b[ofB], small);
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OEQ, small, small);
  small = arith::SelectOp::create(builder, loc, isNumber, small, zero);
  bind(op,
       multiply(a[0], b[0], arith::AddFOp::create(builder, loc, sum, small)));
  return success();
}

LogicalResult Converter::convert(DotOp op) {
  if (op.getA().getType().getRank() != 2)
    return report(op, diag::ttir_use)
           << "a dot of " << op.getA().getType().getRank()
           << " axes is not imported; loop over the leading ones";
  StringRef precision = op.getInputPrecision().value_or("ieee");
  bool isF32 = op.getA().getType().getElementType().isF32();
  if (isF32 && partsOf(precision, op.getContext()))
    return convertInParts(op, precision);
  if (isF32 && precision != "ieee" && precision != "tf32")
    return report(op, diag::ttir_use)
           << "inputPrecision = " << precision
           << " is not imported; use tf32, tf32x3, bf16x3, bf16x6 or ieee";
  FailureOr<int64_t> limit = findLimit(op);
  if (failed(limit))
    return failure();
  return make<tile::DotOp>(
      op, get(op.getA()), get(op.getB()), get(op.getC()),
      *limit ? builder.getI64IntegerAttr(*limit) : IntegerAttr(),
      isOfEightBits(op) && isFast(op) ? builder.getBoolAttr(true) : BoolAttr(),
      isF32 && precision == "tf32" ? builder.getUnitAttr() : UnitAttr());
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertCombiner(Region &from, Region &to) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&to);
  for (BlockArgument argument : from.front().getArguments())
    bind(argument, block->addArgument(convertType(argument.getType()),
                                      argument.getLoc()));
  if (failed(convertBlock(from.front())))
    return failure();
  Operation *end = from.front().getTerminator();
  tile::YieldOp::create(builder, end->getLoc(), get(end->getOperands()));
  return success();
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertScalarMath(Operation *op) {
  SmallVector<Value> in = get(op->getOperands());
  if (isa<PreciseSqrtOp, PreciseDivFOp>(op)) {
    Operation *made;
    if (isa<PreciseSqrtOp>(op))
      made = math::SqrtOp::create(builder, op->getLoc(), in[0]);
    else
      made = arith::DivFOp::create(builder, op->getLoc(), in[0], in[1]);
    made->setAttr(tile::kExactAttr, builder.getUnitAttr());
    bind(op->getResult(0), made->getResult(0));
    return success();
  }
  auto product =
      arith::MulUIExtendedOp::create(builder, op->getLoc(), in[0], in[1]);
  bind(op->getResult(0), product.getHigh());
  return success();
}

/// The condition that `number` says by 0 where it does not hold.
static Value conditionIn(Value number) {
  if (auto wide = number.getDefiningOp<arith::ExtUIOp>())
    return wide.getIn();
  APInt holds;
  auto choice = number.getDefiningOp<arith::SelectOp>();
  bool isCondition = choice && matchPattern(choice.getFalseValue(), m_Zero()) &&
                     matchPattern(choice.getTrueValue(), m_ConstantInt(&holds));
  return isCondition && !holds.isZero() ? choice.getCondition() : Value();
}

/// `where(c, 1, 0).to(int1)` is c, which masks are read for.
LogicalResult Converter::convert(arith::CmpIOp op) {
  if (op.getPredicate() == arith::CmpIPredicate::ne &&
      matchPattern(op.getRhs(), m_Zero()))
    if (Value condition = conditionIn(op.getLhs());
        condition && condition.getType() == op.getType()) {
      bind(op.getResult(), get(condition));
      return success();
    }
  return convertArith(op);
}

LogicalResult Converter::convert(ClampFOp op) {
  Location loc = op.getLoc();
  Value x = get(op.getX()), low = get(op.getMin()), high = get(op.getMax());
  if (op.getPropagateNan() == "all") {
    x = arith::MaximumFOp::create(builder, loc, x, low);
    bind(op, arith::MinimumFOp::create(builder, loc, x, high));
  } else {
    x = arith::MaxNumFOp::create(builder, loc, x, low);
    bind(op, arith::MinNumFOp::create(builder, loc, x, high));
  }
  return success();
}

LogicalResult Converter::convert(FpToFpOp op) {
  StringRef rounding = op.getRounding().value_or("rtne");
  if (rounding == "rtne")
    return make<tile::CastOp>(op, get(op.getSrc()));
  auto made = arith::TruncFOp::create(
      builder, op.getLoc(), convertType(op.getType()), get(op.getSrc()));
  made.setRoundingmode(arith::RoundingMode::toward_zero);
  bind(op, made);
  return success();
}

/// The operation that is a libdevice function of integers.
static StringRef findEqualOfIntegers(StringRef symbol) {
  return llvm::StringSwitch<StringRef>(symbol)
      .Cases({"__nv_brev", "__nv_brevll"}, "tile.bit_reverse")
      .Case("__nv_clz", "math.ctlz")
      .Case("__nv_popc", "math.ctpop")
      .Default({});
}

/// The operation of math or arith that is a libdevice function.
static StringRef findEqual(StringRef symbol) {
  if (!symbol.consume_front("__nv_"))
    return {};
  return llvm::StringSwitch<StringRef>(symbol)
      .Cases({"fabsf", "fabs"}, "math.absf")
      .Cases({"acosf", "acos"}, "math.acos")
      .Cases({"acoshf", "acosh"}, "math.acosh")
      .Cases({"asinf", "asin"}, "math.asin")
      .Cases({"asinhf", "asinh"}, "math.asinh")
      .Cases({"atanf", "atan"}, "math.atan")
      .Cases({"atan2f", "atan2"}, "math.atan2")
      .Cases({"atanhf", "atanh"}, "math.atanh")
      .Cases({"cbrtf", "cbrt"}, "math.cbrt")
      .Cases({"ceilf", "ceil"}, "math.ceil")
      .Cases({"cosf", "cos", "fast_cosf"}, "math.cos")
      .Cases({"coshf", "cosh"}, "math.cosh")
      .Cases({"erff", "erf"}, "math.erf")
      .Cases({"expf", "exp", "fast_expf"}, "math.exp")
      .Cases({"exp2f", "exp2"}, "math.exp2")
      .Cases({"expm1f", "expm1"}, "math.expm1")
      .Cases({"floorf", "floor"}, "math.floor")
      .Cases({"fmaf", "fma"}, "math.fma")
      .Cases({"logf", "log", "fast_logf"}, "math.log")
      .Cases({"log2f", "log2", "fast_log2f"}, "math.log2")
      .Cases({"log10f", "log10", "fast_log10f"}, "math.log10")
      .Cases({"log1pf", "log1p"}, "math.log1p")
      .Cases({"powf", "pow", "fast_powf"}, "math.powf")
      .Cases({"fmodf", "fmod"}, "arith.remf")
      .Cases({"rintf", "rint", "nearbyintf", "nearbyint"}, "math.roundeven")
      .Cases({"roundf", "round"}, "math.round")
      .Cases({"rsqrtf", "rsqrt"}, "math.rsqrt")
      .Cases({"sinf", "sin", "fast_sinf"}, "math.sin")
      .Cases({"sinhf", "sinh"}, "math.sinh")
      .Cases({"sqrtf", "sqrt"}, "math.sqrt")
      .Cases({"tanf", "tan", "fast_tanf"}, "math.tan")
      .Cases({"tanhf", "tanh"}, "math.tanh")
      .Cases({"truncf", "trunc"}, "math.trunc")
      .Cases({"copysignf", "copysign"}, "math.copysign")
      .Cases({"fmaxf", "fmax"}, "arith.maxnumf")
      .Cases({"fminf", "fmin"}, "arith.minnumf")
      .Default({});
}

/// The operation that is a libdevice function rounded to nearest, which the
/// hardware's approximations are not.
static StringRef findExact(StringRef symbol) {
  return llvm::StringSwitch<StringRef>(symbol)
      .Cases({"__nv_fdiv_rn", "__nv_ddiv_rn", "__nv_frcp_rn", "__nv_drcp_rn"},
             "arith.divf")
      .Cases({"__nv_fsqrt_rn", "__nv_dsqrt_rn"}, "math.sqrt")
      .Default({});
}

/// The question that is a libdevice function of a float, which answers with a
/// number.
static StringRef findQuestion(StringRef symbol) {
  return llvm::StringSwitch<StringRef>(symbol)
      .Cases({"__nv_isnanf", "__nv_isnand"}, "math.isnan")
      .Cases({"__nv_isinff", "__nv_isinfd"}, "math.isinf")
      .Cases({"__nv_finitef", "__nv_isfinited"}, "math.isfinite")
      .Default({});
}

bool Converter::convertExact(ExternElementwiseOp op) {
  StringRef name = findExact(op.getSymbol());
  Type type = convertType(op.getType());
  if (name.empty() || !isa<FloatType>(getElementTypeOrSelf(type)) ||
      llvm::any_of(op->getOperandTypes(),
                   [&](Type operand) { return operand != type; }))
    return false;
  SmallVector<Value> operands = get(op.getOperands());
  if (name == "arith.divf" && operands.size() == 1) {
    Type element = getElementTypeOrSelf(type);
    Value one = arith::ConstantOp::create(builder, op.getLoc(), element,
                                          builder.getFloatAttr(element, 1));
    if (isa<RankedTensorType>(type))
      one = tile::SplatOp::create(builder, op.getLoc(), type, one);
    operands.insert(operands.begin(), one);
  }
  OperationState state(op.getLoc(), name);
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttribute(tile::kExactAttr, builder.getUnitAttr());
  bind(op.getResult(), builder.create(state)->getResult(0));
  return true;
}

bool Converter::convertQuestion(ExternElementwiseOp op) {
  StringRef name = findQuestion(op.getSymbol());
  Type type = convertType(op.getType());
  if (name.empty() || op->getNumOperands() != 1 ||
      !getElementTypeOrSelf(type).isInteger(32) ||
      !isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return false;
  Type answer = builder.getI1Type();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    answer = tensor.clone(answer);
  OperationState state(op.getLoc(), name);
  state.addOperands(get(op.getOperands()));
  state.addTypes(answer);
  Value asked = builder.create(state)->getResult(0);
  bind(op.getResult(),
       arith::ExtUIOp::create(builder, op.getLoc(), type, asked));
  return true;
}

LogicalResult Converter::convert(ExternElementwiseOp op) {
  if (convertExact(op) || convertQuestion(op))
    return success();
  Type type = convertType(op.getType());
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  StringRef equal =
      isFloat ? findEqual(op.getSymbol()) : findEqualOfIntegers(op.getSymbol());
  bool isSame = llvm::all_of(op->getOperandTypes(),
                             [&](Type operand) { return operand == type; });
  if (equal.empty() || !isSame)
    return report(op, diag::ttir_use)
           << "the library function " << op.getSymbol()
           << " has no equal among heddle's operations";
  OperationState state(op.getLoc(), equal);
  state.addOperands(get(op.getOperands()));
  state.addTypes(type);
  bind(op.getResult(), builder.create(state)->getResult(0));
  return success();
}
