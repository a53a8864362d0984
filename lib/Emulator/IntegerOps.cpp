//===- IntegerOps.cpp - Integer arithmetic --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decoders and handlers of add, mul, mad, div, min and their kin on integers.
// Sums wrap on unsigned types of the same width, and divisors of 0 and -1 have
// cases of their own. So no operand of a kernel is undefined behaviour of the
// emulator.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <limits>
#include <type_traits>

using namespace heddle::emulator;

namespace {

// Wrapping arithmetic is done on the unsigned type of the same width.
template <class T> using Unsigned = std::make_unsigned_t<T>;

template <class T> struct Add {
  static uint64_t apply(uint64_t a, uint64_t b) { return Unsigned<T>(a + b); }
};
template <class T> struct Sub {
  static uint64_t apply(uint64_t a, uint64_t b) { return Unsigned<T>(a - b); }
};
template <class T> struct MulLow {
  static uint64_t apply(uint64_t a, uint64_t b) { return Unsigned<T>(a * b); }
};
template <class T> struct MulHigh {
  static uint64_t apply(uint64_t a, uint64_t b) {
    using Wide =
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    Wide product = Wide(T(a)) * Wide(T(b));
    return Unsigned<T>(product >> (8 * sizeof(T)));
  }
};
template <class T> struct MulWide {
  static uint64_t apply(uint64_t a, uint64_t b) {
    if constexpr (sizeof(T) == 2 && std::is_signed_v<T>)
      return uint32_t(int32_t(T(a)) * int32_t(T(b)));
    else if constexpr (sizeof(T) == 2)
      return uint32_t(T(a)) * uint32_t(T(b));
    else if constexpr (std::is_signed_v<T>)
      return uint64_t(int64_t(T(a)) * int64_t(T(b)));
    else
      return uint64_t(T(a)) * uint64_t(T(b));
  }
};
template <class T> struct Div {
  static uint64_t apply(uint64_t a, uint64_t b) {
    T divisor = T(b);
    if (divisor == 0)
      return Unsigned<T>(~uint64_t(0)); // unspecified; what the hardware gives
    if constexpr (std::is_signed_v<T>)
      if (divisor == T(-1))
        return Unsigned<T>(0 - a); // the minimum would trap on the host
    return Unsigned<T>(T(a) / divisor);
  }
};
template <class T> struct Rem {
  static uint64_t apply(uint64_t a, uint64_t b) {
    T divisor = T(b);
    if (divisor == 0)
      return Unsigned<T>(a);
    if constexpr (std::is_signed_v<T>)
      if (divisor == T(-1))
        return 0;
    return Unsigned<T>(T(a) % divisor);
  }
};
template <class T> struct Min {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return Unsigned<T>(T(a) < T(b) ? a : b);
  }
};
template <class T> struct Max {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return Unsigned<T>(T(a) > T(b) ? a : b);
  }
};
/// `.relu`: negative results become 0.
template <template <class> class Op, class T> struct Relu {
  static uint64_t apply(uint64_t a, uint64_t b) {
    uint64_t result = Op<T>::apply(a, b);
    return T(result) < T(0) ? 0 : result;
  }
};
template <class T> struct Abs {
  static uint64_t apply(uint64_t a) {
    return Unsigned<T>(T(a) < T(0) ? 0 - a : a);
  }
};
template <class T> struct Neg {
  static uint64_t apply(uint64_t a) { return Unsigned<T>(0 - a); }
};
template <class T> struct SubAbsAdd {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t difference = T(a) < T(b) ? b - a : a - b;
    return Unsigned<T>(Unsigned<T>(difference) + c);
  }
};
template <class T> struct MadLow {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    return Unsigned<T>(a * b + c);
  }
};
template <class T> struct MadHigh {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    return Unsigned<T>(MulHigh<T>::apply(a, b) + c);
  }
};
template <class T> struct MadWide {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t sum = MulWide<T>::apply(a, b) + c;
    return sizeof(T) == 2 ? uint32_t(sum) : sum;
  }
};
/// .sat of mad.hi, add and sub, which exists for s32 only.
struct SaturatingMadHigh {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    int64_t high = int64_t(int32_t(a)) * int32_t(b) >> 32;
    int64_t sum = high + int32_t(c);
    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return uint32_t(sum);
  }
};
template <int sign> struct Saturating {
  static uint64_t apply(uint64_t a, uint64_t b) {
    int64_t sum = int64_t(int32_t(a)) + sign * int64_t(int32_t(b));
    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return uint32_t(sum);
  }
};
/// Two 16-bit halves.
template <template <class> class Op, class T> struct Packed {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return Op<T>::apply(uint16_t(a), uint16_t(b)) |
           Op<T>::apply(uint16_t(a >> 16), uint16_t(b >> 16)) << 16;
  }
};
template <template <class> class Op> struct PackedRelu {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return Relu<Op, int16_t>::apply(uint16_t(a), uint16_t(b)) |
           Relu<Op, int16_t>::apply(uint16_t(a >> 16), uint16_t(b >> 16)) << 16;
  }
};

} // namespace

template <template <class> class Op, template <class> class Exec>
static ExecFn chooseInteger(Type type) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return Exec<Op<uint16_t>>::run;
  case Type::U32:
  case Type::B32:
    return Exec<Op<uint32_t>>::run;
  case Type::U64:
  case Type::B64:
    return Exec<Op<uint64_t>>::run;
  case Type::S16:
    return Exec<Op<int16_t>>::run;
  case Type::S32:
    return Exec<Op<int32_t>>::run;
  case Type::S64:
    return Exec<Op<int64_t>>::run;
  default:
    return nullptr;
  }
}

namespace {
template <class Op> struct Unary {
  static constexpr ExecFn run = execUnary<Op>;
};
template <class Op> struct Binary {
  static constexpr ExecFn run = execBinary<Op>;
};
template <class Op> struct Ternary {
  static constexpr ExecFn run = execTernary<Op>;
};
} // namespace

static bool finish(Decoder &decoder, int sources, Type type, ExecFn exec) {
  decoder.out.exec = exec;
  return exec ? decodeOperands(decoder, sources, type) : decoder.failUnknown();
}

template <template <class> class Op, template <class> class Exec, int sources>
static bool decodeSimple(Decoder &decoder) {
  Type type = decoder.takeType();
  return finish(decoder, sources, type, chooseInteger<Op, Exec>(type));
}

template <template <class> class Op, int sign>
static bool decodeSum(Decoder &decoder) {
  if (decoder.takeAny("s16x2") || decoder.takeAny("u16x2"))
    return finish(decoder, 2, Type::B32, execBinary<Packed<Op, uint16_t>>);
  if (!decoder.takeAny("sat"))
    return decodeSimple<Op, Binary, 2>(decoder);
  Type type = decoder.takeType();
  return finish(decoder, 2, type,
                type == Type::S32 ? execBinary<Saturating<sign>> : nullptr);
}

template <template <class> class Op> static bool decodeExtremum(Decoder &d) {
  if (d.take("relu")) {
    if (d.takeAny("s16x2"))
      return finish(d, 2, Type::B32, execBinary<PackedRelu<Op>>);
    Type type = d.takeType();
    return finish(d, 2, type,
                  type == Type::S32 ? execBinary<Relu<Op, int32_t>> : nullptr);
  }
  if (d.takeAny("s16x2"))
    return finish(d, 2, Type::B32, execBinary<Packed<Op, int16_t>>);
  if (d.takeAny("u16x2"))
    return finish(d, 2, Type::B32, execBinary<Packed<Op, uint16_t>>);
  return decodeSimple<Op, Binary, 2>(d);
}

static bool decodeMul(Decoder &decoder) {
  if (decoder.take("hi"))
    return decodeSimple<MulHigh, Binary, 2>(decoder);
  if (!decoder.take("wide")) {
    decoder.take("lo");
    return decodeSimple<MulLow, Binary, 2>(decoder);
  }
  Type type = decoder.takeType();
  return finish(decoder, 2, type,
                bitsOf(type) > 32 ? nullptr
                                  : chooseInteger<MulWide, Binary>(type));
}

static bool decodeMad(Decoder &decoder) {
  if (decoder.take("hi")) {
    if (!decoder.takeAny("sat"))
      return decodeSimple<MadHigh, Ternary, 3>(decoder);
    Type type = decoder.takeType();
    return finish(decoder, 3, type,
                  type == Type::S32 ? execTernary<SaturatingMadHigh> : nullptr);
  }
  if (!decoder.take("wide")) {
    decoder.take("lo");
    return decodeSimple<MadLow, Ternary, 3>(decoder);
  }
  Type type = decoder.takeType();
  Instruction &out = decoder.out;
  out.exec =
      bitsOf(type) > 32 ? nullptr : chooseInteger<MadWide, Ternary>(type);
  if (!out.exec)
    return decoder.failUnknown();
  return decodeOperands(decoder, 2, type) &&
         decoder.source(bitsOf(type) == 16 ? Type::U32 : Type::U64);
}

std::span<const Family> heddle::emulator::integerFamilies() {
  static constexpr Family families[] = {
      {"add", decodeSum<Add, 1>, Operands::Integer},
      {"sub", decodeSum<Sub, -1>, Operands::Integer},
      {"mul", decodeMul, Operands::Integer},
      {"mad", decodeMad, Operands::Integer},
      {"sad", decodeSimple<SubAbsAdd, Ternary, 3>, Operands::Integer},
      {"div", decodeSimple<Div, Binary, 2>, Operands::Integer},
      {"rem", decodeSimple<Rem, Binary, 2>, Operands::Integer},
      {"min", decodeExtremum<Min>, Operands::Integer},
      {"max", decodeExtremum<Max>, Operands::Integer},
      {"abs", decodeSimple<Abs, Unary, 1>, Operands::Integer},
      {"neg", decodeSimple<Neg, Unary, 1>, Operands::Integer},
  };
  return families;
}
