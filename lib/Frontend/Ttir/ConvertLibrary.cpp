//===- ConvertLibrary.cpp - libdevice's functions ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Triton's front end calls of libdevice, as operations of math, arith and
// tile: one that is the same function, or a formula in others. A function that
// neither is known for is refused by name.
//
//===----------------------------------------------------------------------===//

#include "LibraryFunctions.h"

#include "heddle/Dialect/Tile/Exact.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

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
      .Cases({"fmaf", "fma", "fmaf_rn", "fma_rn"}, "math.fma")
      .Cases({"logf", "log", "fast_logf"}, "math.log")
      .Cases({"log2f", "log2", "fast_log2f"}, "math.log2")
      .Cases({"log10f", "log10", "fast_log10f"}, "math.log10")
      .Cases({"log1pf", "log1p"}, "math.log1p")
      .Cases({"powf", "pow", "fast_powf"}, "math.powf")
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

namespace {
/// Of f32.
class SingleFormula : public Formula {
public:
  using Formula::Formula;

  /// A power of a base, whose log2 is `high + low`, `high` being short. The
  /// whole part of the product is apart from the rest, which keeps its
  /// precision so.
  Value power(Value x, double high, double low) {
    // What is beyond is 0 or infinity, and infinity itself has no rest.
    x = make("arith.minimumf", {x, number(256)});
    x = make("arith.maximumf", {x, number(-256)});
    Value whole = make("math.floor", multiply(x, number(high)));
    Value rest = fma(x, number(high), subtract(number(0), whole));
    rest = fma(x, number(low), rest);
    return multiply(make("math.exp2", rest), make("math.exp2", whole));
  }

  /// 1 - erf(x), whose relative precision is kept where x is large (Numerical
  /// Recipes, erfcc; 1.2e-7).
  Value complementOfErf(Value x) {
    // From there on it is 0 or 2, and the square of infinity has no rest.
    Value size = make("arith.minimumf", {absolute(x), number(64)});
    Value t = divide(number(1), fma(size, number(0.5), number(1)));
    Value square = multiply(size, size);
    Value rest = fma(size, subtract(number(0), size), square);
    Value exponent = polynomial(
        t, {-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806,
            0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277});
    Value tail = multiply(
        t, multiply(make("math.exp", add(exponent, rest)),
                    power(subtract(number(0), square), kLog2E, kLog2ERest)));
    return select(compare(arith::CmpFPredicate::OLT, x, number(0)),
                  subtract(number(2), tail), tail);
  }

  /// Giles, Approximating the erfinv function (2012).
  Value inverseErf(Value x) {
    Value inside = multiply(subtract(number(1), x), add(number(1), x));
    Value w = subtract(number(0), make("math.log", inside));
    Value near = multiply(
        x, polynomial(subtract(w, number(2.5)),
                      {1.50140941, 0.246640727, -0.00417768164, -0.00125372503,
                       0.00021858087, -4.39150654e-06, -3.5233877e-06,
                       3.43273939e-07, 2.81022636e-08}));
    Value far = multiply(
        x, polynomial(subtract(make("math.sqrt", w), number(3)),
                      {2.83297682, 1.00167406, 0.00943887047, -0.0076224613,
                       0.00573950773, -0.00367342844, 0.00134934322,
                       0.000100950558, -0.000200214257}));
    Value found =
        select(compare(arith::CmpFPredicate::OLT, w, number(5)), near, far);
    Value infinite =
        multiply(x, number(std::numeric_limits<double>::infinity()));
    return select(compare(arith::CmpFPredicate::OEQ, absolute(x), number(1)),
                  infinite, found);
  }

  /// `function` of pi x, within a turn.
  Value ofTurns(StringRef function, Value x) {
    Value turns = make("math.roundeven", multiply(x, number(0.5)));
    Value angle = fma(turns, number(-2), x);
    return make(function, multiply(angle, number(3.141592653589793)));
  }

  static constexpr double kLog2E = 1.44268798828125,
                          kLog2ERest = 7.052607713387005e-06;
};
} // namespace

/// Of f32: a formula in x and y; null if there is none.
static Value writeFormula(SingleFormula &f, StringRef name, ValueRange in) {
  Value x = in.front(), y = in.size() > 1 ? in[1] : Value();
  if (in.size() == 2)
    return name == "fdivide" ? f.divide(x, y) : Value();
  if (in.size() != 1)
    return {};
  if (name == "exp10") // log2 10
    return f.power(x, 3.3212890625, 0.0006390323873621817);
  if (name == "erfc")
    return f.complementOfErf(x);
  if (name == "normcdf")
    return f.multiply(f.number(0.5), f.complementOfErf(f.multiply(
                                         x, f.number(-0.7071067811865476))));
  if (name == "erfinv")
    return f.inverseErf(x);
  if (name == "sinpi")
    return f.ofTurns("math.sin", x);
  if (name == "cospi")
    return f.ofTurns("math.cos", x);
  if (name == "rcbrt")
    return f.divide(f.number(1), f.make("math.cbrt", x));
  if (name == "saturate")
    return f.make("arith.minnumf",
                  {f.make("arith.maxnumf", {x, f.number(0)}), f.number(1)});
  return {};
}

/// A number as another one, `float2int_rd`, or its bits; null if `name` is no
/// such function.
static Value writeConversion(Formula &f, StringRef name, Value x, Type from,
                             Type to) {
  if (llvm::is_contained({"int_as_float", "uint_as_float", "float_as_int",
                          "float_as_uint", "longlong_as_double",
                          "double_as_longlong"},
                         name))
    return f.make("arith.bitcast", f.of(to), x);
  if (name == "clzll" || name == "popcll")
    return f.make(
        "arith.trunci", f.of(to),
        f.make(name == "clzll" ? "math.ctlz" : "math.ctpop", f.of(from), x));
  if (isa<FloatType>(from) == isa<FloatType>(to))
    return {};
  if (name.starts_with("llrint") || name.starts_with("llround"))
    return f.make(
        "arith.fptosi", f.of(to),
        f.make(name.starts_with("llrint") ? "math.roundeven" : "math.round",
               f.of(from), x));
  if (name == "signbitf") {
    Value bits = f.make("arith.bitcast", f.of(to), x);
    return f.make("arith.shrui", f.of(to), {bits, f.integer(f.of(to), 31)});
  }
  auto [words, rounding] = name.rsplit('_');
  auto [source, target] = words.split('2');
  bool isUnsigned = source.starts_with("u") || target.starts_with("u");
  if (target.empty())
    return {};
  if (isa<FloatType>(to)) // to nearest
    return rounding == "rn"
               ? f.make(isUnsigned ? "arith.uitofp" : "arith.sitofp", f.of(to),
                        x)
               : Value();
  StringRef whole = llvm::StringSwitch<StringRef>(rounding)
                        .Case("rn", "math.roundeven")
                        .Case("rz", "math.trunc")
                        .Case("rd", "math.floor")
                        .Case("ru", "math.ceil")
                        .Default("");
  if (whole.empty())
    return {};
  return f.make(isUnsigned ? "arith.fptoui" : "arith.fptosi", f.of(to),
                f.make(whole, f.of(from), x));
}

/// A formula in integers; null if there is none.
static Value writeOfIntegers(Formula &f, StringRef name, ValueRange in,
                             Type type) {
  auto binary = [&](StringRef op, Value a, Value b) {
    return f.make(op, type, {a, b});
  };
  Value one = f.integer(type, 1);
  if (in.size() == 1) {
    if (name == "abs" || name == "llabs")
      return f.make("math.absi", type, in[0]);
    if (name == "ffs") {
      // Of 0 there is none: 32 + 1 becomes 0.
      Value zeros = f.make("math.cttz", type, in[0]);
      Value isOne = binary("arith.shrui", zeros, f.integer(type, 5));
      return binary("arith.muli", binary("arith.addi", zeros, one),
                    binary("arith.subi", one, isOne));
    }
    return {};
  }
  if (in.size() != 2)
    return {};
  Value a = in[0], b = in[1];
  // Half of a sum that may have a bit more than its operands.
  auto half = [&](StringRef common, StringRef combine, StringRef shift) {
    return binary(combine, binary(common, a, b),
                  binary(shift, binary("arith.xori", a, b), one));
  };
  if (name == "hadd" || name == "uhadd")
    return half("arith.andi", "arith.addi",
                name == "hadd" ? "arith.shrsi" : "arith.shrui");
  if (name == "rhadd" || name == "urhadd")
    return half("arith.ori", "arith.subi",
                name == "rhadd" ? "arith.shrsi" : "arith.shrui");
  if (name == "mul24" || name == "umul24") {
    StringRef shift = name == "mul24" ? "arith.shrsi" : "arith.shrui";
    auto low = [&](Value x) {
      Value byte = f.integer(type, 8);
      return binary(shift, binary("arith.shli", x, byte), byte);
    };
    return binary("arith.muli", low(a), low(b));
  }
  return {};
}

/// x^n, of f32 rounded from f64.
static Value writePower(Formula &f, Value x, Value n, Type to) {
  Formula wide = f.in(Float64Type::get(to.getContext()));
  if (to.isF32())
    x = wide.make("tile.cast", x);
  Value power =
      wide.writeDoubleOf("math.powf", {x, wide.make("arith.sitofp", n)});
  return to.isF32() ? wide.make("tile.cast", f.of(to), power) : power;
}

bool Converter::convertExpanded(ExternElementwiseOp op) {
  StringRef name = op.getSymbol();
  if (!name.consume_front("__nv_") || op->getNumOperands() == 0)
    return false;
  Location loc = op.getLoc();
  Type type = convertType(op.getType());
  SmallVector<Value> in = get(op.getOperands());
  Type to = getElementTypeOrSelf(type),
       from = getElementTypeOrSelf(in.front().getType());
  SingleFormula formula(builder, loc, type);
  auto isOfType = [&](Value operand) { return operand.getType() == type; };
  Value made;
  if (in.size() == 1)
    made = writeConversion(formula, name, in.front(), from, to);
  if (!made)
    made = writeInstruction(formula, name, in, to);
  if (!made)
    made = writeExactNumber(formula, name, in, to);
  if (!made)
    made = writeErrorFunction(formula, name, in, to);
  bool isHigh =
      llvm::is_contained({"mulhi", "umulhi", "mul64hi", "umul64hi"}, name);
  if (!made && llvm::all_of(in, isOfType)) {
    if (isHigh && in.size() == 2 && name.starts_with("u"))
      made =
          arith::MulUIExtendedOp::create(builder, loc, in[0], in[1]).getHigh();
    else if (isHigh && in.size() == 2)
      made =
          arith::MulSIExtendedOp::create(builder, loc, in[0], in[1]).getHigh();
    else if (isa<IntegerType>(to))
      made = writeOfIntegers(formula, name, in, type);
    else if (to.isF64() &&
             llvm::is_contained({"exp10", "rcbrt", "sinpi", "cospi"}, name))
      made = writeDouble(builder, loc, name, in);
    else if (to.isF32() && (name.consume_front("fast_") || true) &&
             name.consume_back("f"))
      made = writeFormula(formula, name, in);
  }
  if (!made && (name == "powi" || name == "powif") && in.size() == 2 &&
      in[0].getType() == type &&
      in[1].getType() == formula.of(builder.getI32Type()))
    made = writePower(formula, in[0], in[1], to);
  if (!made)
    return false;
  bind(op.getResult(), made);
  return true;
}

LogicalResult Converter::convert(ExternElementwiseOp op) {
  if (convertExact(op) || convertQuestion(op) || convertExpanded(op))
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
  if (getElementTypeOrSelf(type).isF64())
    if (Value made =
            writeDouble(builder, op.getLoc(), equal, get(op.getOperands()))) {
      bind(op.getResult(), made);
      return success();
    }
  OperationState state(op.getLoc(), equal);
  state.addOperands(get(op.getOperands()));
  state.addTypes(type);
  bind(op.getResult(), builder.create(state)->getResult(0));
  return success();
}
