//===- ElementType.cpp - Sizes and spellings of element types -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table for both directions, so a spelling that prints also parses.
//
//===----------------------------------------------------------------------===//

#include "heddle/Manifest/Manifest.h"

namespace heddle::manifest {
namespace {
struct Row {
  ElementType type;
  const char *spelling;
  int64_t bytes;
};
constexpr Row kRows[] = {
    {ElementType::F16, "f16", 2},   {ElementType::BF16, "bf16", 2},
    {ElementType::F32, "f32", 4},   {ElementType::F64, "f64", 8},
    {ElementType::I8, "i8", 1},     {ElementType::I16, "i16", 2},
    {ElementType::I32, "i32", 4},   {ElementType::I64, "i64", 8},
    {ElementType::E4M3, "e4m3", 1}, {ElementType::E5M2, "e5m2", 1},
};

const Row &row(ElementType type) { return kRows[static_cast<int>(type)]; }
} // namespace

int64_t elementBytes(ElementType type) { return row(type).bytes; }

const char *spelling(ElementType type) { return row(type).spelling; }

std::optional<ElementType> elementTypeFromSpelling(std::string_view text) {
  for (const Row &row : kRows)
    if (text == row.spelling)
      return row.type;
  return std::nullopt;
}

} // namespace heddle::manifest
