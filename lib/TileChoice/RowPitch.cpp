//===- RowPitch.cpp - What rows off lines cost a copy -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a box that begins inside a line touches one line more, and one that
// begins inside a sector is put together from parts of sectors.
//
//===----------------------------------------------------------------------===//

#include "RowPitch.h"

#include "heddle/Machine/Times.h"
#include "heddle/Support/CheckedMath.h"

#include "LaunchExpr.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;

namespace {

/// From one row to the next, of a view without gaps.
struct Pitch {
  int64_t axis = 0; ///< whose elements lie side by side
  int64_t elementBytes = 0;
  std::optional<int64_t> extent; ///< if the program says
};

} // namespace

/// Nothing where there is one row, or elements are parts of bytes.
static std::optional<Pitch> pitchOf(tile::KernelOp kernel, unsigned array) {
  auto view =
      dyn_cast<tile::ViewType>(kernel.getEntry().getArgument(array).getType());
  if (!view || view.getShape().size() < 2 ||
      !view.getElementType().isIntOrFloat() ||
      view.getElementType().getIntOrFloatBitWidth() % 8)
    return std::nullopt;
  Pitch pitch;
  pitch.axis = view.getOrder().front();
  pitch.elementBytes = view.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t extent = view.getShape()[pitch.axis];
  if (!ShapedType::isDynamic(extent))
    pitch.extent = extent;
  return pitch;
}

/// The bytes of a row that no memory holds may not fit 64 bits.
static double factorOf(const Pitch &pitch, const machine::Costs &costs) {
  return machine::Times(costs).pitchFactor(
      satMul(*pitch.extent, pitch.elementBytes));
}

double heddle::tilechoice::asIfOnLines(double bytes, tile::KernelOp kernel,
                                       unsigned array,
                                       const machine::Costs &costs,
                                       const Extents &extents) {
  std::optional<Pitch> pitch = pitchOf(kernel, array);
  if (!pitch)
    return bytes;
  auto given = extents.views.find(kernel.getArgName(array));
  if (!pitch->extent && given != extents.views.end())
    pitch->extent = given->second[pitch->axis];
  return pitch->extent ? bytes * factorOf(*pitch, costs) : bytes;
}

/// One where `bytes` is no multiple of `unit`, else zero.
static Expr isOff(const Expr &bytes, double unit) {
  return LaunchExpr::min(LaunchExpr::mod(bytes, LaunchExpr::constant(unit)),
                         LaunchExpr::constant(1));
}

Expr heddle::tilechoice::asIfOnLines(int64_t bytes, tile::KernelOp kernel,
                                     unsigned array,
                                     const machine::Costs &costs) {
  std::optional<Pitch> pitch = pitchOf(kernel, array);
  if (!pitch || pitch->extent)
    return LaunchExpr::constant(double(bytes) *
                                (pitch ? factorOf(*pitch, costs) : 1));
  Expr row =
      LaunchExpr::mul(LaunchExpr::dim(kernel.getArgName(array), pitch->axis),
                      LaunchExpr::constant(double(pitch->elementBytes)));
  auto longer = [&](std::pair<int64_t, double> penalty) {
    return LaunchExpr::mul(
        isOff(row, double(penalty.first)),
        LaunchExpr::constant(double(bytes) * penalty.second));
  };
  auto [lines, sectors] = machine::Times(costs).pitchPenalties();
  return LaunchExpr::add(LaunchExpr::constant(double(bytes)),
                         LaunchExpr::add(longer(lines), longer(sectors)));
}
