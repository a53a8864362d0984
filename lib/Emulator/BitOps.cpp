//===- BitOps.cpp - Logic, shifts and bit fields --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decoders and handlers of logic, shifts and bit fields. The width is a
// template argument, so that a handler is a plain loop over lanes. Shifts by
// the width or more and fields beyond it have PTX's results; C++ leaves them
// undefined.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <algorithm>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// Logic. Predicates are slots of 0 or 1, so the same code serves them.
//===----------------------------------------------------------------------===//

namespace {
struct And {
  static uint64_t apply(uint64_t a, uint64_t b) { return a & b; }
};
struct Or {
  static uint64_t apply(uint64_t a, uint64_t b) { return a | b; }
};
struct Xor {
  static uint64_t apply(uint64_t a, uint64_t b) { return a ^ b; }
};
template <int bits> struct Not {
  static uint64_t apply(uint64_t a) { return ~a & lowBits(bits); }
};
struct LogicalNot {
  static uint64_t apply(uint64_t a) { return a == 0; }
};

/// Shift amounts beyond the width are clamped, not wrapped.
template <int bits> struct ShiftLeft {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return uint32_t(b) >= bits ? 0 : a << uint32_t(b) & lowBits(bits);
  }
};
template <int bits> struct ShiftRight {
  static uint64_t apply(uint64_t a, uint64_t b) {
    return uint32_t(b) >= bits ? 0 : a >> uint32_t(b);
  }
};
template <int bits> struct ShiftRightSigned {
  static uint64_t apply(uint64_t a, uint64_t b) {
    uint32_t amount = std::min<uint32_t>(uint32_t(b), bits - 1);
    return uint64_t(signExtend(a, bits) >> amount) & lowBits(bits);
  }
};

template <bool isLeft, bool wraps> struct Funnel {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    uint32_t amount = wraps ? c & 31 : std::min<uint32_t>(uint32_t(c), 32);
    uint64_t both = b << 32 | (a & 0xFFFFFFFF);
    return uint32_t(isLeft ? both << amount >> 32 : both >> amount);
  }
};

template <int bits> struct CountLeadingZeros {
  static uint64_t apply(uint64_t a) {
    return std::countl_zero(a) - (64 - bits);
  }
};
struct PopulationCount {
  static uint64_t apply(uint64_t a) { return std::popcount(a); }
};
template <int bits> struct Reverse {
  static uint64_t apply(uint64_t a) {
    return __builtin_bitreverse64(a) >> (64 - bits);
  }
};

/// Position of the highest bit that differs from the sign.
template <int bits, bool isSigned, bool isShiftAmount> struct FindLeading {
  static uint64_t apply(uint64_t a) {
    if (isSigned && signExtend(a, bits) < 0)
      a = ~a & lowBits(bits);
    if (!a)
      return 0xFFFFFFFF;
    int position = 63 - std::countl_zero(a);
    return uint64_t(isShiftAmount ? bits - 1 - position : position);
  }
};

/// Ones from bit a on, b of them.
template <bool clamps> struct BitMask {
  static uint64_t apply(uint64_t a, uint64_t b) {
    uint32_t position = uint32_t(a), width = uint32_t(b);
    if (clamps && position >= 32)
      return 0;
    uint32_t first = position & 31, end = first + (width & 31);
    bool reachesTop = end >= 32 || (clamps && width >= 32);
    return (~uint32_t(0) << first) &
           (reachesTop ? ~uint32_t(0) : uint32_t(lowBits(int(end))));
  }
};

/// The low b bits of a, with the highest of them above if it is a sign.
template <bool clamps, bool isSigned> struct Extend {
  static uint64_t apply(uint64_t a, uint64_t b) {
    if (clamps && uint32_t(b) >= 32)
      return uint32_t(a);
    int width = int(b & 31);
    uint64_t field = a & lowBits(width);
    return isSigned && width ? uint32_t(signExtend(field, width)) : field;
  }
};

/// The c-th set bit of a, counted from bit b upwards, or downwards if c < 0.
struct FindNthSet {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    int64_t position = uint32_t(b), count = int32_t(c);
    int step = count < 0 ? -1 : 1;
    if (!count)
      return position < 32 && a >> position & 1 ? uint64_t(position)
                                                : 0xFFFFFFFF;
    for (; position >= 0 && position < 32; position += step)
      if (a >> position & 1 && (count -= step) == 0)
        return uint64_t(position);
    return 0xFFFFFFFF;
  }
};

template <int bits, bool isSigned> struct ExtractField {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    uint32_t position = b & 0xFF, length = c & 0xFF;
    uint64_t field =
        position >= bits ? 0 : a >> position & lowBits(int(length));
    if (!isSigned || !length)
      return field;
    uint32_t top = std::min<uint32_t>(position + length - 1, bits - 1);
    bool sign = a >> top & 1;
    uint32_t width = position >= bits ? 0 : top - position + 1;
    return (sign ? field | ~lowBits(int(width)) : field) & lowBits(bits);
  }
};
} // namespace

static bool finish(Decoder &decoder, int sources, Type type, ExecFn exec) {
  decoder.out.exec = exec;
  return exec ? decodeOperands(decoder, sources, type) : decoder.failUnknown();
}

template <class Op> static bool decodeLogic(Decoder &decoder) {
  return finish(decoder, 2, decoder.takeType(), execBinary<Op>);
}

static bool decodeNot(Decoder &decoder) {
  Type type = decoder.takeType();
  int bits = bitsOf(type);
  ExecFn exec = bits == 1    ? execUnary<Not<1>>
                : bits == 16 ? execUnary<Not<16>>
                : bits == 32 ? execUnary<Not<32>>
                             : execUnary<Not<64>>;
  return finish(decoder, 1, type, exec);
}

static bool decodeLogicalNot(Decoder &decoder) {
  return finish(decoder, 1, decoder.takeType(), execUnary<LogicalNot>);
}

template <template <int> class Op> static ExecFn chooseShift(int bits) {
  return bits == 16   ? execBinary<Op<16>>
         : bits == 32 ? execBinary<Op<32>>
         : bits == 64 ? execBinary<Op<64>>
                      : nullptr;
}

static bool decodeShift(Decoder &decoder, bool isLeft) {
  Type type = decoder.takeType();
  int bits = bitsOf(type);
  decoder.out.type = type;
  decoder.out.exec = isLeft           ? chooseShift<ShiftLeft>(bits)
                     : isSigned(type) ? chooseShift<ShiftRightSigned>(bits)
                                      : chooseShift<ShiftRight>(bits);
  if (!decoder.out.exec)
    return decoder.failUnknown();
  return decoder.destination(type) && decoder.source(type) &&
         decoder.source(Type::U32);
}

static bool decodeShl(Decoder &decoder) { return decodeShift(decoder, true); }
static bool decodeShr(Decoder &decoder) { return decodeShift(decoder, false); }

static bool decodeFunnel(Decoder &decoder) {
  bool isLeft = decoder.take("l");
  if (!isLeft && !decoder.take("r"))
    return decoder.failUnknown();
  bool wraps = decoder.take("wrap");
  decoder.take("clamp");
  ExecFn exec = isLeft ? (wraps ? execTernary<Funnel<true, true>>
                                : execTernary<Funnel<true, false>>)
                       : (wraps ? execTernary<Funnel<false, true>>
                                : execTernary<Funnel<false, false>>);
  return finish(decoder, 3, decoder.takeType(), exec);
}

template <template <int> class Op> static bool decodeWidth(Decoder &decoder) {
  Type type = decoder.takeType();
  return finish(decoder, 1, type,
                bitsOf(type) == 32 ? execUnary<Op<32>> : execUnary<Op<64>>);
}

static bool decodePopc(Decoder &decoder) {
  return finish(decoder, 1, decoder.takeType(), execUnary<PopulationCount>);
}

template <bool isShiftAmount> static ExecFn chooseFindLeading(Type type) {
  switch (type) {
  case Type::U32:
    return execUnary<FindLeading<32, false, isShiftAmount>>;
  case Type::S32:
    return execUnary<FindLeading<32, true, isShiftAmount>>;
  case Type::U64:
    return execUnary<FindLeading<64, false, isShiftAmount>>;
  case Type::S64:
    return execUnary<FindLeading<64, true, isShiftAmount>>;
  default:
    return nullptr;
  }
}

static bool decodeBfind(Decoder &decoder) {
  bool isShiftAmount = decoder.take("shiftamt");
  Type type = decoder.takeType();
  return finish(decoder, 1, type,
                isShiftAmount ? chooseFindLeading<true>(type)
                              : chooseFindLeading<false>(type));
}

/// `.clamp` or `.wrap`, which every form has.
static bool takeClamp(Decoder &decoder, bool &clamps) {
  clamps = decoder.take("clamp");
  return clamps || decoder.take("wrap") || decoder.failUnknown();
}

static bool decodeBmsk(Decoder &decoder) {
  bool clamps;
  return takeClamp(decoder, clamps) &&
         finish(decoder, 2, decoder.takeType(),
                clamps ? execBinary<BitMask<true>>
                       : execBinary<BitMask<false>>);
}

static bool decodeSzext(Decoder &decoder) {
  bool clamps;
  if (!takeClamp(decoder, clamps))
    return false;
  Type type = decoder.takeType();
  static constexpr ExecFn handlers[] = {
      execBinary<Extend<false, false>>, execBinary<Extend<false, true>>,
      execBinary<Extend<true, false>>, execBinary<Extend<true, true>>};
  return finish(decoder, 2, type, handlers[2 * clamps + isSigned(type)]);
}

static bool decodeFns(Decoder &decoder) {
  return finish(decoder, 3, decoder.takeType(), execTernary<FindNthSet>);
}

static bool decodeBfe(Decoder &decoder) {
  Type type = decoder.takeType();
  ExecFn exec = type == Type::U32   ? execTernary<ExtractField<32, false>>
                : type == Type::S32 ? execTernary<ExtractField<32, true>>
                : type == Type::U64 ? execTernary<ExtractField<64, false>>
                : type == Type::S64 ? execTernary<ExtractField<64, true>>
                                    : nullptr;
  return finish(decoder, 3, type, exec);
}

//===----------------------------------------------------------------------===//
// Instructions with four sources, or with an immediate
//===----------------------------------------------------------------------===//

static Step execInsertField(ExecContext &context, const Instruction &in,
                            LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = context.lanes(in.c);
  const uint64_t *length = context.lanes(in.sources[3]);
  int bits = bitsOf(in.type);
  forEachLane(mask, [&](int lane) {
    uint32_t position = c[lane] & 0xFF;
    uint64_t field = lowBits(int(length[lane] & 0xFF));
    field = position >= uint32_t(bits) ? 0 : field << position & lowBits(bits);
    uint64_t inserted = position >= uint32_t(bits) ? 0 : a[lane] << position;
    d[lane] = (b[lane] & ~field) | (inserted & field);
  });
  return Step::Next;
}

static bool decodeBfi(Decoder &decoder) {
  return finish(decoder, 4, decoder.takeType(), execInsertField);
}

/// `lop3`: bit i of the table is the result for the i-th combination of a, b,
/// c.
static Step execLop3(ExecContext &context, const Instruction &in,
                     LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = context.lanes(in.c);
  forEachLane(mask, [&](int lane) {
    uint32_t result = 0;
    for (uint32_t row = 0; row < 8; ++row) {
      if (!(in.immediate >> row & 1))
        continue;
      uint32_t x = uint32_t(a[lane]), y = uint32_t(b[lane]),
               z = uint32_t(c[lane]);
      result |= (row & 4 ? x : ~x) & (row & 2 ? y : ~y) & (row & 1 ? z : ~z);
    }
    d[lane] = result;
  });
  return Step::Next;
}

static bool decodeLop3(Decoder &decoder) {
  return finish(decoder, 3, decoder.takeType(), execLop3) &&
         decoder.immediate(decoder.out.immediate);
}

/// The selector that a mode of `prmt` builds from the low bits of c.
static uint32_t permuteSelector(uint32_t mode, uint32_t c) {
  static constexpr uint16_t tables[][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
      {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
      {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
      {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
      {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
      {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
  };
  return mode ? tables[mode - 1][c & 3] : c;
}

static Step execPermute(ExecContext &context, const Instruction &in,
                        LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a), *b = context.lanes(in.b);
  const uint64_t *c = context.lanes(in.c);
  forEachLane(mask, [&](int lane) {
    uint64_t bytes = b[lane] << 32 | (a[lane] & 0xFFFFFFFF);
    uint32_t selector = permuteSelector(in.variant, uint32_t(c[lane]));
    uint32_t result = 0;
    for (int i = 0; i < 4; ++i) {
      uint32_t nibble = selector >> (4 * i) & 15;
      uint32_t byte = bytes >> (8 * (nibble & 7)) & 0xFF;
      if (nibble & 8)
        byte = byte & 0x80 ? 0xFF : 0; // replicate the sign
      result |= byte << (8 * i);
    }
    d[lane] = result;
  });
  return Step::Next;
}

static bool decodePrmt(Decoder &decoder) {
  Type type = decoder.takeType();
  static constexpr std::string_view modes[] = {"f4e", "b4e", "rc8",
                                               "ecl", "ecr", "rc16"};
  for (uint32_t mode = 0; mode < std::size(modes); ++mode)
    if (decoder.takeAny(modes[mode]))
      decoder.out.variant = mode + 1;
  return finish(decoder, 3, type, execPermute);
}

std::span<const Family> heddle::emulator::bitFamilies() {
  static constexpr Family families[] = {
      {"and", decodeLogic<And>},
      {"or", decodeLogic<Or>},
      {"xor", decodeLogic<Xor>},
      {"not", decodeNot},
      {"cnot", decodeLogicalNot},
      {"shl", decodeShl},
      {"shr", decodeShr},
      {"shf", decodeFunnel},
      {"clz", decodeWidth<CountLeadingZeros>},
      {"brev", decodeWidth<Reverse>},
      {"popc", decodePopc},
      {"bfind", decodeBfind},
      {"bmsk", decodeBmsk},
      {"szext", decodeSzext},
      {"fns", decodeFns},
      {"bfe", decodeBfe},
      {"bfi", decodeBfi},
      {"lop3", decodeLop3},
      {"prmt", decodePrmt},
  };
  return families;
}
