//===- Preconditions.cpp - Which variant may run --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stride of an axis of extent 1 means nothing (frameworks put anything
// there), so no precondition looks at it and a tensor map gets one that is
// legal.
//
//===----------------------------------------------------------------------===//

#include "Preconditions.h"

#include "Lookup.h"

#include "heddle/Support/CheckedMath.h"

using namespace heddle::manifest;

namespace {
constexpr int64_t kTmaAlignment = 16;
constexpr int64_t kTmaStrideLimit = int64_t(1) << 40;
constexpr int64_t kTmaExtentLimit = int64_t(1) << 32;
/// 2^30 of them are nothing to a tensor map, which counts modulo 2^64.
constexpr int64_t kFarStride = int64_t(1) << 34;
} // namespace

static std::string hex(uint64_t address) {
  constexpr const char *digits = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), digits[address & 15]);
  while (address >>= 4);
  return "0x" + text;
}

static std::string axisOf(int axis, const Argument &argument) {
  return "axis " + std::to_string(axis) + " of '" + argument.name + "'";
}

static bool baseIsAligned(const Argument &argument, const ArgumentValue &value,
                          int64_t bytes, std::string &why) {
  if (value.address % bytes == 0)
    return true;
  why = "'" + argument.name + "' starts at " + hex(value.address) +
        ", not a multiple of " + std::to_string(bytes) + " bytes";
  return false;
}

static bool isMultiple(const Expr &scalar, int64_t by, const Manifest &manifest,
                       const std::vector<ArgumentValue> &arguments, int smCount,
                       std::string &why) {
  int64_t number = 0;
  if (!evaluate(scalar, manifest, arguments, smCount, number, why))
    return false;
  if (number % by == 0)
    return true;
  why = "'" + scalar.argument + "' is " + std::to_string(number) +
        ", not a multiple of " + std::to_string(by);
  return false;
}

static bool stridesAreAligned(const Argument &argument,
                              const ArgumentValue &value, int64_t bytes,
                              std::string &why) {
  int64_t size = elementBytes(argument.element);
  for (int i = 1; i < argument.rank; ++i) {
    int axis = argument.order[i];
    int64_t stride = value.strides[axis];
    // Reduced first, so that a huge stride cannot overflow.
    if (value.shape[axis] <= 1 || stride % bytes * size % bytes == 0)
      continue;
    why = "the stride of " + axisOf(axis, argument) + " is " +
          std::to_string(stride) + " elements of " + std::to_string(size) +
          " bytes, not a multiple of " + std::to_string(bytes) + " bytes";
    return false;
  }
  return true;
}

/// A TMA store clips its box at the next 16 bytes behind the extent, not at the
/// extent (seen on an H200): a padded row's padding would be overwritten.
static bool storesStayInside(const Argument &argument,
                             const ArgumentValue &value, std::string &why) {
  int64_t bytes =
      value.shape[argument.order[0]] * elementBytes(argument.element);
  if (!argument.written || bytes % kTmaAlignment == 0)
    return true;
  why = axisOf(argument.order[0], argument) + " spans " +
        std::to_string(bytes) +
        " bytes, but a TMA store writes whole groups of " +
        std::to_string(kTmaAlignment);
  return false;
}

bool heddle::manifest::canBeTensorMap(const Argument &argument,
                                      const ArgumentValue &value,
                                      std::string &why) {
  int64_t size = elementBytes(argument.element);
  for (int axis = 0; axis < argument.rank; ++axis) {
    int64_t extent = value.shape[axis], stride = value.strides[axis];
    if (extent < 1 || extent >= kTmaExtentLimit) {
      why = axisOf(axis, argument) + " has extent " + std::to_string(extent) +
            ", but a TMA tensor needs 1 to 2^32-1";
      return false;
    }
    // Zero (a broadcast) is refused too: the driver documents no such tensor.
    bool isFar = axis == argument.farAxis;
    int64_t least = isFar ? 1 - kFarStride / size : 1;
    int64_t end = isFar ? 0 : kTmaStrideLimit / size;
    if (extent > 1 && (stride < least || stride >= end)) {
      why = "the stride of " + axisOf(axis, argument) + " is " +
            std::to_string(stride) + " elements of " + std::to_string(size) +
            " bytes, but a TMA tensor needs " +
            (isFar ? "less than 0 and more than -2^34 bytes"
                   : "more than 0 and less than 2^40 bytes");
      return false;
    }
  }
  return storesStayInside(argument, value, why) &&
         baseIsAligned(argument, value, kTmaAlignment, why) &&
         stridesAreAligned(argument, value, kTmaAlignment, why);
}

static bool rowsAreWhole(const Argument &argument, const ArgumentValue &value,
                         int64_t bytes, std::string &why) {
  int64_t span =
      value.shape[argument.order[0]] * elementBytes(argument.element);
  if (span % bytes == 0)
    return true;
  why = axisOf(argument.order[0], argument) + " spans " + std::to_string(span) +
        " bytes, not a multiple of " + std::to_string(bytes);
  return false;
}

/// The corners of a map in im2col mode: pixels begin at the first place, and at
/// the last of as many steps as the recipe counts.
static bool addCorners(const TensorMapRecipe &recipe, const Manifest &manifest,
                       const std::vector<ArgumentValue> &arguments, int smCount,
                       TensorMap &map, std::string &why) {
  const Im2colRecipe &im2col = *recipe.im2col;
  map.pixels = im2col.pixels;
  // The corners of all pixel axes share 16 bits.
  int64_t axes = int64_t(map.dims.size()) - 2;
  int64_t end = int64_t(1) << (16 / axes - 1);
  for (int64_t axis = 0; axis < axes; ++axis) {
    int64_t first = 0, count = 0;
    if (!evaluate(im2col.first[axis], manifest, arguments, smCount, first,
                  why) ||
        !evaluate(im2col.count[axis], manifest, arguments, smCount, count, why))
      return false;
    int64_t step = recipe.steps.empty() ? 1 : recipe.steps[axis + 1];
    int64_t last =
        heddle::satAdd(first, heddle::satMul(heddle::satSub(count, 1), step));
    int64_t upper = heddle::satSub(last, map.dims[axis + 1] - 1);
    std::string name = "view " + recipe.view + " read in im2col mode";
    if (count < 1) {
      why = name + " has " + std::to_string(count) + " pixels along an axis";
      return false;
    }
    for (int64_t corner : {first, upper})
      if (corner < -end || corner >= end) {
        why = name + " has a corner of " + std::to_string(corner) +
              ", but a TMA tensor of its rank takes " + std::to_string(-end) +
              " to " + std::to_string(end - 1);
        return false;
      }
    map.lower.push_back(int(first));
    map.upper.push_back(int(upper));
  }
  return true;
}

bool heddle::manifest::makeTensorMap(
    const TensorMapRecipe &recipe, const Manifest &manifest,
    const std::vector<ArgumentValue> &arguments, int smCount, TensorMap &map,
    std::string &why) {
  int index = argumentIndex(manifest, recipe.view);
  const Argument &argument = argumentAt(manifest, index);
  const ArgumentValue &value = arguments[index];
  if (!canBeTensorMap(argument, value, why))
    return false;
  map = {};
  map.element = argument.element;
  map.address = value.address;
  map.box = recipe.box;
  map.swizzleBytes = recipe.swizzleBytes;
  map.l2PromotionBytes = recipe.l2PromotionBytes;
  int64_t size = elementBytes(argument.element);
  for (int i = 0; i < argument.rank; ++i) {
    int axis = argument.order[i];
    int64_t stride = i == 0 ? size : satMul(value.strides[axis], size);
    if (axis == argument.farAxis)
      stride += kFarStride;
    if (i > 0 && value.shape[axis] == 1) {
      // As if packed: any legal stride does, this one keeps them increasing.
      int64_t below = map.stridesBytes[i - 1];
      int64_t packed = satAlign(satMul(below, map.dims[i - 1]), kTmaAlignment);
      stride = packed < kTmaStrideLimit ? packed : kTmaAlignment;
    }
    map.dims.push_back(value.shape[axis]);
    map.stridesBytes.push_back(stride);
  }
  map.steps = recipe.steps;
  return !recipe.im2col ||
         addCorners(recipe, manifest, arguments, smCount, map, why);
}

bool heddle::manifest::holds(const Precondition &condition,
                             const Manifest &manifest,
                             const std::vector<ArgumentValue> &arguments,
                             int smCount, std::string &why) {
  if (condition.kind == Precondition::Kind::AtLeast) {
    int64_t value = 0;
    if (!evaluate(condition.expr, manifest, arguments, smCount, value, why))
      return false;
    if (value >= condition.bytes)
      return true;
    why = (condition.message.empty() ? "" : condition.message + ", but ") +
          "a required minimum of " + std::to_string(condition.bytes) +
          " is not reached: the value is " + std::to_string(value);
    return false;
  }
  int index = argumentIndex(manifest, condition.view);
  const Argument &argument = argumentAt(manifest, index);
  const ArgumentValue &value = arguments[index];
  if (argument.kind == Argument::Kind::Scalar) {
    Expr number;
    number.op = Expr::Op::Scalar;
    number.argument = argument.name;
    return isMultiple(number, condition.bytes, manifest, arguments, smCount,
                      why);
  }
  if (condition.kind == Precondition::Kind::Tma)
    return canBeTensorMap(argument, value, why);
  if (condition.kind == Precondition::Kind::Rows &&
      !rowsAreWhole(argument, value, condition.bytes, why))
    return false;
  return baseIsAligned(argument, value, condition.bytes, why) &&
         stridesAreAligned(argument, value, condition.bytes, why);
}
