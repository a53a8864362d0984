//===- Elementwise.h - Handlers for lane by lane instructions ----*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation is a type with `static uint64_t apply(slots...)`; these
// templates turn it into a handler whose loop the compiler can vectorise.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_ELEMENTWISE_H
#define HEDDLE_LIB_EMULATOR_ELEMENTWISE_H

#include "Decoder.h"
#include "ExecContext.h"

#include <bit>

namespace heddle::emulator {

template <class Op>
Step execUnary(ExecContext &context, const Instruction &in, LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  forEachLane(mask, [&](int lane) { d[lane] = Op::apply(a[lane]); });
  return Step::Next;
}

template <class Op>
Step execBinary(ExecContext &context, const Instruction &in, LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  const uint64_t *b = context.lanes(in.b);
  forEachLane(mask, [&](int lane) { d[lane] = Op::apply(a[lane], b[lane]); });
  return Step::Next;
}

template <class Op>
Step execTernary(ExecContext &context, const Instruction &in, LaneMask mask) {
  uint64_t *d = context.lanes(in.d);
  const uint64_t *a = context.lanes(in.a);
  const uint64_t *b = context.lanes(in.b);
  const uint64_t *c = context.lanes(in.c);
  forEachLane(
      mask, [&](int lane) { d[lane] = Op::apply(a[lane], b[lane], c[lane]); });
  return Step::Next;
}

/// A slot's bits as a value of T, and back.
template <class T> inline T valueOf(uint64_t slot) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(slot);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(uint32_t(slot));
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(uint16_t(slot));
  else
    return std::bit_cast<T>(uint8_t(slot));
}

template <class T> inline uint64_t slotOf(T value) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<uint16_t>(value);
  else
    return std::bit_cast<uint8_t>(value);
}

/// Decodes `d, a[, b[, c]]`, all of `type`.
inline bool decodeOperands(Decoder &decoder, int sources, Type type) {
  decoder.out.type = type;
  if (!decoder.destination(type))
    return false;
  for (int i = 0; i < sources; ++i)
    if (!decoder.source(type))
      return false;
  return true;
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_ELEMENTWISE_H
