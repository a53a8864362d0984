//===- MatrixOps.cpp - ldmatrix, stmatrix and movmatrix ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eight lanes name the rows of one 8x8 matrix of 16-bit elements; lane l holds
// elements 2*(l%4) and the next of row l/4, or of column l/4 with .trans.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecContext.h"

#include <cstring>

using namespace heddle::emulator;

/// variant: 1 with .trans. vectorLength: matrices.
static Step execLoadMatrix(ExecContext &context, const Instruction &in,
                           LaneMask) {
  const uint64_t *base = context.lanes(in.a);
  uint16_t elements[4][8][8];
  for (int m = 0; m < in.vectorLength; ++m)
    for (int row = 0; row < 8; ++row) {
      int lane = m * 8 + row;
      const uint8_t *data = context.access(
          in, in.space, base[lane] + uint64_t(in.immediate), 16, false, lane);
      if (!data)
        return Step::Failed;
      std::memcpy(elements[m][row], data, 16);
    }
  for (int m = 0; m < in.vectorLength; ++m) {
    uint64_t *d = context.lanes(in.destinations[m]);
    for (int lane = 0; lane < kLanes; ++lane) {
      int outer = lane / 4, inner = lane % 4 * 2;
      uint32_t low =
          in.variant ? elements[m][inner][outer] : elements[m][outer][inner];
      uint32_t high = in.variant ? elements[m][inner + 1][outer]
                                 : elements[m][outer][inner + 1];
      d[lane] = high << 16 | low;
    }
  }
  return Step::Next;
}

static Step execStoreMatrix(ExecContext &context, const Instruction &in,
                            LaneMask) {
  const uint64_t *base = context.lanes(in.a);
  for (int m = 0; m < in.vectorLength; ++m) {
    const uint64_t *source = context.lanes(in.sources[1 + m]);
    uint16_t elements[8][8];
    for (int lane = 0; lane < kLanes; ++lane) {
      int outer = lane / 4, inner = lane % 4 * 2;
      for (int i = 0; i < 2; ++i) {
        uint16_t value = uint16_t(source[lane] >> (16 * i));
        if (in.variant)
          elements[inner + i][outer] = value;
        else
          elements[outer][inner + i] = value;
      }
    }
    for (int row = 0; row < 8; ++row) {
      int lane = m * 8 + row;
      uint8_t *data = context.access(
          in, in.space, base[lane] + uint64_t(in.immediate), 16, true, lane,
          reinterpret_cast<const uint8_t *>(elements[row]));
      if (!data)
        return Step::Failed;
      std::memcpy(data, elements[row], 16);
    }
  }
  return Step::Next;
}

/// Element (r, c) of a matrix goes where (c, r) is.
static Step execTranspose(ExecContext &context, const Instruction &in,
                          LaneMask) {
  uint16_t elements[8][8];
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < 2; ++i)
      elements[lane / 4][lane % 4 * 2 + i] =
          uint16_t(context.lanes(in.a)[lane] >> (16 * i));
  uint64_t *d = context.lanes(in.d);
  for (int lane = 0; lane < kLanes; ++lane)
    d[lane] = uint32_t(elements[lane % 4 * 2 + 1][lane / 4]) << 16 |
              elements[lane % 4 * 2][lane / 4];
  return Step::Next;
}

static bool decodeTranspose(Decoder &decoder) {
  decoder.drop({"sync", "aligned"});
  if (!decoder.take("m8n8") || !decoder.take("trans") ||
      decoder.takeType() != Type::B16)
    return decoder.failUnknown();
  decoder.out.exec = execTranspose;
  decoder.out.needsFullWarp = true;
  return decoder.destination(Type::B32) && decoder.source(Type::B32);
}

static bool takeShape(Decoder &decoder) {
  Instruction &out = decoder.out;
  decoder.drop({"sync", "aligned"});
  if (!decoder.take("m8n8"))
    return decoder.failUnknown();
  out.vectorLength = decoder.take("x1")   ? 1
                     : decoder.take("x2") ? 2
                     : decoder.take("x4") ? 4
                                          : 0;
  if (!out.vectorLength)
    return decoder.failUnknown();
  out.variant = decoder.take("trans");
  out.space = Space::Generic;
  if (decoder.takeAny("shared") || decoder.takeAny("shared::cta"))
    out.space = Space::Shared;
  out.needsFullWarp = true;
  return decoder.takeType() == Type::B16 || decoder.failUnknown();
}

static bool decodeLoadMatrix(Decoder &decoder) {
  decoder.out.exec = execLoadMatrix;
  return takeShape(decoder) &&
         decoder.vectorDestination(Type::B32, decoder.out.vectorLength) &&
         decoder.memory(decoder.out.immediate);
}

static bool decodeStoreMatrix(Decoder &decoder) {
  decoder.out.exec = execStoreMatrix;
  return takeShape(decoder) && decoder.memory(decoder.out.immediate) &&
         decoder.vectorSource(Type::B32, decoder.out.vectorLength);
}

std::span<const Family> heddle::emulator::matrixFamilies() {
  static constexpr Family families[] = {
      {"ldmatrix", decodeLoadMatrix},
      {"stmatrix", decodeStoreMatrix},
      {"movmatrix", decodeTranspose},
  };
  return families;
}
