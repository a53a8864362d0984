//===- Type.cpp - The fundamental types of PTX ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Type.h"

using namespace heddle::emulator;

namespace {
struct Row {
  std::string_view name;
  Type type;
  uint8_t bits;
};
} // namespace

static constexpr Row rows[] = {
    {"pred", Type::Pred, 1},      {"b1", Type::B1, 1},
    {"b8", Type::B8, 8},          {"b16", Type::B16, 16},
    {"b32", Type::B32, 32},       {"b64", Type::B64, 64},
    {"b128", Type::B128, 128},    {"u8", Type::U8, 8},
    {"u16", Type::U16, 16},       {"u32", Type::U32, 32},
    {"u64", Type::U64, 64},       {"s8", Type::S8, 8},
    {"s16", Type::S16, 16},       {"s32", Type::S32, 32},
    {"s64", Type::S64, 64},       {"f16", Type::F16, 16},
    {"bf16", Type::BF16, 16},     {"f16x2", Type::F16x2, 32},
    {"bf16x2", Type::BF16x2, 32}, {"f32", Type::F32, 32},
    {"f64", Type::F64, 64},       {"tf32", Type::TF32, 32},
    {"e4m3", Type::E4M3, 8},      {"e5m2", Type::E5M2, 8},
    {"e4m3x2", Type::E4M3x2, 16}, {"e5m2x2", Type::E5M2x2, 16},
};

Type heddle::emulator::typeNamed(std::string_view name) {
  for (const Row &row : rows)
    if (row.name == name)
      return row.type;
  return Type::None;
}

int heddle::emulator::bitsOf(Type type) {
  for (const Row &row : rows)
    if (row.type == type)
      return row.bits;
  return 0;
}

bool heddle::emulator::isSigned(Type type) {
  return type >= Type::S8 && type <= Type::S64;
}

bool heddle::emulator::isFloat(Type type) { return type >= Type::F16; }
