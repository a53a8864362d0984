//===- Scan.h - Running totals along an axis ----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The position along the axis is a number whose digits are bits of the register
// and of the lane and, topmost, a repetition. A scan goes through the digits
// from the lowest (Sklansky 1960): of two blocks the second one adds the total
// of the first to what it has.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_SCAN_H
#define HEDDLE_MACHINE_SCAN_H

#include "heddle/Machine/Layout.h"

namespace heddle::machine {

struct ScanDigit {
  bool isLane = false;
  int bit = 0;       ///< of the lane, or of the atom's part of the register
  int64_t scale = 1; ///< elements in a block below
};

struct Scan {
  std::vector<ScanDigit> digits; ///< from the lowest
  int64_t repetitions = 1;       ///< above all digits
};

/// Nothing if warps move along the axis, a vector moves along several axes, or
/// the digits leave out or repeat a position.
std::optional<Scan> planScan(const Layout &layout, int axis);

/// A layout to scan in: neighbours in a thread, then in neighbouring lanes;
/// warps along the other axes only.
Layout makeScannable(const std::vector<int64_t> &shape, int axis, int warps);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_SCAN_H
