//===- ViewMap.h - Where the elements of a view of views lie -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a view that windows and merges make of another one. Out: one map from its
// coordinates to those of the view in memory. A coordinate is a number of
// digits, one for each axis that was merged; a coordinate in memory is a sum of
// digits, each times a constant, less a low end. Whoever decides how a tile of
// such a view is loaded asks here, and no longer cares how the view was made.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_VIEWMAP_H
#define HEDDLE_ANALYSIS_VIEWMAP_H

#include "heddle/Dialect/Tile/Tile.h"

#include <optional>

namespace heddle {

struct ViewMap {
  /// A number of elements: a value, or an axis of a view.
  struct Extent {
    mlir::Value value;
    mlir::Value view; ///< if no value
    int64_t axis = 0;
  };
  struct Digit {
    int64_t axis = 0; ///< of the outermost view
    Extent extent;
  };
  struct Term {
    unsigned digit = 0;
    int64_t factor = 1;
  };
  /// A sum of digits, less the low ends: a coordinate in some view.
  struct Sum {
    llvm::SmallVector<Term, 2> terms;
    /// Each is taken off, times a constant.
    llvm::SmallVector<std::pair<mlir::Value, int64_t>, 1> lows;
  };
  /// A coordinate of a view on the way that is no digit: outside of the extent
  /// all is zero.
  struct Bound {
    Sum sum;
    Extent extent;
  };

  mlir::Value base; ///< in memory
  llvm::SmallVector<Digit> digits;
  /// By axis of the outermost view, the slowest digit first.
  llvm::SmallVector<llvm::SmallVector<unsigned, 3>> digitsOf;
  llvm::SmallVector<Sum> axes; ///< by axis of `base`
  llvm::SmallVector<Bound> bounds;
};

/// Of any view; one that nothing was made of maps to itself. Nothing where an
/// axis of windows is divided again, with the reason in `why`.
std::optional<ViewMap> getViewMap(mlir::Value view, std::string &why);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_VIEWMAP_H
