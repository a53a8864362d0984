//===- LoadWays.h - How a tile of a view of views is loaded -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a load of a view that windows and merges make, and the tile in shared
// memory. Out: the way in which TMA moves it, or the rule that fails; then
// threads copy it, element by element. The whole table is here:
//
//   the tile's rows                    way
//   one digit along one axis           a box of the view in memory, with steps
//   all digits of pixels, in order     a run, in im2col mode
//   anything else                      threads
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_LOADWAYS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_LOADWAYS_H

#include "heddle/Analysis/ViewMap.h"
#include "heddle/Dialect/Hopper/Hopper.h"

namespace heddle::areftohopper {

struct LoadWay {
  ViewMap map;
  bool isRun = false;
  llvm::SmallVector<int64_t> steps; ///< by axis of the base
};

/// Nothing where TMA cannot, with the reason in `why`. Whether a launch can
/// make the base is the caller's to ask.
std::optional<LoadWay> findLoadWay(tile::LoadOp load, hopper::SmemType tile,
                                   std::string &why);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_LOADWAYS_H
