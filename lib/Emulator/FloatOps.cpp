//===- FloatOps.cpp - Floating-point arithmetic ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .approx forms are computed to the host's precision, which is better than
// the hardware's few ulps; comparisons need a tolerance anyway.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "FloatFormats.h"

#include <cfenv>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// Operations on values
//===----------------------------------------------------------------------===//

namespace {
struct Add {
  template <class V> static V apply(V a, V b) { return a + b; }
};
struct Sub {
  template <class V> static V apply(V a, V b) { return a - b; }
};
struct Mul {
  template <class V> static V apply(V a, V b) { return a * b; }
};
struct Div {
  template <class V> static V apply(V a, V b) { return a / b; }
};
/// A NaN loses against a number; -0 is below +0.
struct Min {
  template <class V> static V apply(V a, V b) {
    if (a != a || b != b)
      return a != a ? b : a;
    if (a == b)
      return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
};
struct Max {
  template <class V> static V apply(V a, V b) {
    if (a != a || b != b)
      return a != a ? b : a;
    if (a == b)
      return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
};
/// .NaN: a NaN wins.
struct MinNan {
  template <class V> static V apply(V a, V b) {
    return a != a || b != b ? V(NAN) : Min::apply(a, b);
  }
};
struct MaxNan {
  template <class V> static V apply(V a, V b) {
    return a != a || b != b ? V(NAN) : Max::apply(a, b);
  }
};
/// .xorsign.abs: of the magnitudes, with the product's sign.
template <class Extremum> struct OfMagnitudes {
  template <class V> static V apply(V a, V b) {
    V magnitude = Extremum::apply(std::fabs(a), std::fabs(b));
    bool isNegative = std::signbit(a) != std::signbit(b);
    return magnitude != magnitude || !isNegative ? magnitude : -magnitude;
  }
};
struct Fma {
  template <class V> static V apply(V a, V b, V c) { return std::fma(a, b, c); }
};
struct FmaToOdd {
  static double apply(double a, double b, double c) {
    return fusedToOdd(a, b, c);
  }
};
/// .approx: the reciprocal of a divisor beyond 2^126 is flushed.
struct DivApprox {
  template <class V> static V apply(V a, V b) {
    if (std::fabs(b) > V(0x1p126) && !std::isinf(b))
      return a * std::copysign(V(0), b);
    return a / b;
  }
};
struct Sqrt {
  template <class V> static V apply(V a) { return std::sqrt(a); }
};
struct Rcp {
  template <class V> static V apply(V a) { return V(1) / a; }
};
struct Rsqrt {
  template <class V> static V apply(V a) { return V(1) / std::sqrt(a); }
};
struct Sin {
  template <class V> static V apply(V a) { return std::sin(a); }
};
struct Cos {
  template <class V> static V apply(V a) { return std::cos(a); }
};
struct Lg2 {
  template <class V> static V apply(V a) { return std::log2(a); }
};
struct Ex2 {
  template <class V> static V apply(V a) { return std::exp2(a); }
};
struct Tanh {
  template <class V> static V apply(V a) { return std::tanh(a); }
};

//===----------------------------------------------------------------------===//
// Modifiers, kept in Instruction::variant
//===----------------------------------------------------------------------===//

enum : uint32_t {
  kFlush = 1,    ///< .ftz
  kSaturate = 2, ///< .sat: clamp to [0, 1], NaN to 0
  kRelu = 4,     ///< .relu: negative and -0 to +0, NaN stays
  kRoundingShift = 4,
};

template <class Format, class V> V modifyInput(uint32_t variant, V value) {
  return variant & kFlush ? flush<Format>(value) : value;
}

/// What is left to do when a result is rounded to its format, in bits: a
/// number that rounds up to the smallest normal one is not flushed.
template <class Format>
uint64_t modifyRounded(uint32_t variant, uint64_t bits) {
  if (!(variant & kFlush))
    return bits;
  auto value = Format::load(bits);
  return value == 0 || std::fabs(value) >= Format::smallestNormal ||
                 value != value
             ? bits
             : bits & uint64_t(1) << (Format::bits - 1);
}

template <class V> V modifyResult(uint32_t variant, V value) {
  if (variant & kSaturate)
    value = value > V(0) ? (value < V(1) ? value : V(1)) : V(0);
  if (variant & kRelu)
    value = value != value || !std::signbit(value) ? value : V(0);
  return value;
}

/// Directed rounding for as long as it lives. The operands come from memory
/// and the results go there, so nothing moves across the calls.
class RoundingScope {
public:
  explicit RoundingScope(uint32_t variant) {
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                    FE_UPWARD};
    mode = modes[variant >> kRoundingShift & 3];
    if (mode != FE_TONEAREST)
      std::fesetround(mode);
  }
  ~RoundingScope() {
    if (mode != FE_TONEAREST)
      std::fesetround(FE_TONEAREST);
  }

private:
  int mode;
};

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// One value a slot. `compute` gives bits.
template <class Format> struct Scalar {
  template <class V, class Compute>
  static uint64_t map(Compute compute, uint64_t a, uint64_t b, uint64_t c) {
    return compute(V(Format::load(a)), V(Format::load(b)), V(Format::load(c)));
  }
  using Element = Format;
};

/// Two 16-bit values a slot.
template <class Format> struct Pair {
  template <class V, class Compute>
  static uint64_t map(Compute compute, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t low = Scalar<Format>::template map<V>(compute, a, b, c);
    uint64_t high =
        Scalar<Format>::template map<V>(compute, a >> 16, b >> 16, c >> 16);
    return low | high << 16;
  }
  using Element = Format;
};

template <class Op, class Shape, int sources>
Step execFloat(ExecContext &context, const Instruction &in, LaneMask mask) {
  using Format = typename Shape::Element;
  using V = std::conditional_t<sources == 3, typename Format::Fused,
                               typename Format::Value>;
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  const uint64_t *b = context.lanes(sources > 1 ? in.b : in.a);
  const uint64_t *c = context.lanes(sources > 2 ? in.c : in.a);
  auto compute = [](V x, V y, V z) {
    if constexpr (sources == 1)
      return Op::apply(x);
    else if constexpr (sources == 2)
      return Op::apply(x, y);
    else
      return Op::apply(x, y, z);
  };
  uint32_t variant = in.variant;
  if (!variant) {
    auto plain = [&](V x, V y, V z) { return Format::store(compute(x, y, z)); };
    forEachLane(mask, [&](int lane) {
      d[lane] = Shape::template map<V>(plain, a[lane], b[lane], c[lane]);
    });
    return Step::Next;
  }
  auto modified = [&](V x, V y, V z) {
    V value = modifyResult(variant, compute(modifyInput<Format>(variant, x),
                                            modifyInput<Format>(variant, y),
                                            modifyInput<Format>(variant, z)));
    return modifyRounded<Format>(variant, Format::store(value));
  };
  RoundingScope rounding(variant);
  forEachLane(mask, [&](int lane) {
    d[lane] = Shape::template map<V>(modified, a[lane], b[lane], c[lane]);
  });
  return Step::Next;
}

/// abs, neg and copysign touch nothing but signs, not even of a NaN.
enum class SignOp { Abs, Neg, Copy };

template <SignOp op>
Step execSign(ExecContext &context, const Instruction &in, LaneMask mask) {
  uint64_t signs = in.type == Type::F64    ? uint64_t(1) << 63
                   : in.type == Type::F32  ? 0x80000000
                   : bitsOf(in.type) == 32 ? 0x80008000
                                           : 0x8000;
  bool isHalf = in.type == Type::F16 || in.type == Type::F16x2;
  auto flushed = [&](uint64_t value) {
    if (in.type == Type::F32)
      return modifyRounded<SingleFormat>(in.variant, value);
    if (!isHalf)
      return value;
    return modifyRounded<HalfFormat>(in.variant, value & 0xFFFF) |
           modifyRounded<HalfFormat>(in.variant, value >> 16 & 0xFFFF) << 16;
  };
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  forEachLane(mask, [&](int lane) {
    uint64_t value = flushed(a[lane]);
    if constexpr (op == SignOp::Abs)
      d[lane] = value & ~signs;
    else if constexpr (op == SignOp::Neg)
      d[lane] = value ^ signs;
    else
      d[lane] = (value & signs) | (b[lane] & ~signs);
  });
  return Step::Next;
}
} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <class Op, int sources> static ExecFn chooseNarrow(Type type) {
  switch (type) {
  case Type::F16:
    return execFloat<Op, Scalar<HalfFormat>, sources>;
  case Type::BF16:
    return execFloat<Op, Scalar<BfloatFormat>, sources>;
  case Type::F16x2:
    return execFloat<Op, Pair<HalfFormat>, sources>;
  case Type::BF16x2:
    return execFloat<Op, Pair<BfloatFormat>, sources>;
  default:
    return nullptr;
  }
}

template <class Op, int sources> static ExecFn chooseFloat(Type type) {
  if (type == Type::F32)
    return execFloat<Op, Scalar<SingleFormat>, sources>;
  if (type == Type::F64)
    return execFloat<Op, Scalar<DoubleFormat>, sources>;
  return chooseNarrow<Op, sources>(type);
}

/// rcp and rsqrt of the upper half of a double, which gives the upper half of
/// the result: `.approx.ftz.f64` has 20 bits of fraction on both sides.
template <class Op>
static Step execUpperHalf(ExecContext &context, const Instruction &in,
                          LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  constexpr uint64_t upper = ~uint64_t(0) << 32;
  forEachLane(mask, [&](int lane) {
    double value = flush<DoubleFormat>(DoubleFormat::load(a[lane] & upper));
    double result = flush<DoubleFormat>(Op::apply(value));
    d[lane] = result != result ? 0x7FFFFFFF00000000
                               : DoubleFormat::store(result) & upper;
  });
  return Step::Next;
}

static void takeFloatModifiers(Decoder &decoder) {
  uint32_t &variant = decoder.out.variant;
  static constexpr std::string_view roundings[] = {"rn", "rz", "rm", "rp"};
  for (uint32_t i = 0; i < 4; ++i)
    if (decoder.takeAny(roundings[i]))
      variant |= i << kRoundingShift;
  if (decoder.takeAny("ftz"))
    variant |= kFlush;
  if (decoder.takeAny("sat"))
    variant |= kSaturate;
  if (decoder.takeAny("relu"))
    variant |= kRelu;
  decoder.drop({"approx", "full"});
}

static bool finish(Decoder &decoder, int sources, Type type, ExecFn exec) {
  decoder.out.exec = exec;
  return exec ? decodeOperands(decoder, sources, type) : decoder.failUnknown();
}

template <class Op, int sources> static bool decodeFloat(Decoder &decoder) {
  takeFloatModifiers(decoder);
  Type type = decoder.takeType();
  return finish(decoder, sources, type, chooseFloat<Op, sources>(type));
}

static bool decodeFma(Decoder &decoder) {
  takeFloatModifiers(decoder);
  Type type = decoder.takeType();
  bool isNarrow = type == Type::F16 || type == Type::F16x2 ||
                  type == Type::BF16 || type == Type::BF16x2;
  return finish(decoder, 3, type,
                isNarrow ? chooseNarrow<FmaToOdd, 3>(type)
                         : chooseFloat<Fma, 3>(type));
}

static bool decodeDiv(Decoder &decoder) {
  if (!decoder.takeAny("approx"))
    return decodeFloat<Div, 2>(decoder);
  takeFloatModifiers(decoder);
  Type type = decoder.takeType();
  return finish(decoder, 2, type,
                type == Type::F32
                    ? execFloat<DivApprox, Scalar<SingleFormat>, 2>
                    : nullptr);
}

/// rcp and rsqrt.
template <class Op> static bool decodeReciprocal(Decoder &decoder) {
  bool isApproximate = decoder.takeAny("approx");
  takeFloatModifiers(decoder);
  Type type = decoder.takeType();
  bool isUpperHalf =
      type == Type::F64 && isApproximate && decoder.out.variant & kFlush;
  return finish(decoder, 1, type,
                isUpperHalf ? execUpperHalf<Op> : chooseFloat<Op, 1>(type));
}

template <class Plain, class WithNan> static bool decodeExtremum(Decoder &d) {
  bool hasNan = d.takeAny("NaN");
  if (d.takeAny("xorsign"))
    return (d.takeAny("abs") || d.failUnknown()) &&
           (hasNan ? decodeFloat<OfMagnitudes<WithNan>, 2>(d)
                   : decodeFloat<OfMagnitudes<Plain>, 2>(d));
  return hasNan ? decodeFloat<WithNan, 2>(d) : decodeFloat<Plain, 2>(d);
}

template <SignOp op> static bool decodeSign(Decoder &decoder) {
  takeFloatModifiers(decoder);
  return finish(decoder, op == SignOp::Copy ? 2 : 1, decoder.takeType(),
                execSign<op>);
}

static constexpr std::string_view properties[] = {
    "finite", "infinite", "number", "notanumber", "normal", "subnormal"};

static Step execTestProperty(ExecContext &context, const Instruction &in,
                             LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  bool isDouble = in.type == Type::F64;
  forEachLane(mask, [&](int lane) {
    int kind = isDouble ? std::fpclassify(DoubleFormat::load(a[lane]))
                        : std::fpclassify(SingleFormat::load(a[lane]));
    const bool results[] = {kind != FP_INFINITE && kind != FP_NAN,
                            kind == FP_INFINITE,
                            kind != FP_NAN,
                            kind == FP_NAN,
                            kind == FP_NORMAL,
                            kind == FP_SUBNORMAL};
    d[lane] = results[in.variant];
  });
  return Step::Next;
}

static bool decodeTestProperty(Decoder &decoder) {
  for (uint32_t i = 0; i < std::size(properties); ++i)
    if (decoder.take(properties[i]))
      decoder.out.variant = i;
  return finish(decoder, 1, decoder.takeType(), execTestProperty);
}

std::span<const Family> heddle::emulator::floatFamilies() {
  static constexpr Family families[] = {
      {"add", decodeFloat<Add, 2>, Operands::Float},
      {"sub", decodeFloat<Sub, 2>, Operands::Float},
      {"mul", decodeFloat<Mul, 2>, Operands::Float},
      {"div", decodeDiv, Operands::Float},
      {"fma", decodeFma, Operands::Float},
      {"mad", decodeFma, Operands::Float},
      {"min", decodeExtremum<Min, MinNan>, Operands::Float},
      {"max", decodeExtremum<Max, MaxNan>, Operands::Float},
      {"abs", decodeSign<SignOp::Abs>, Operands::Float},
      {"neg", decodeSign<SignOp::Neg>, Operands::Float},
      {"copysign", decodeSign<SignOp::Copy>, Operands::Float},
      {"sqrt", decodeFloat<Sqrt, 1>, Operands::Float},
      {"rcp", decodeReciprocal<Rcp>, Operands::Float},
      {"rsqrt", decodeReciprocal<Rsqrt>, Operands::Float},
      {"sin", decodeFloat<Sin, 1>, Operands::Float},
      {"cos", decodeFloat<Cos, 1>, Operands::Float},
      {"lg2", decodeFloat<Lg2, 1>, Operands::Float},
      {"ex2", decodeFloat<Ex2, 1>, Operands::Float},
      {"tanh", decodeFloat<Tanh, 1>, Operands::Float},
      {"testp", decodeTestProperty, Operands::Float},
  };
  return families;
}
