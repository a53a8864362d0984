//===- Overlap.cpp - Whether elements of a view share memory --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two elements share a place if the sum of d[i] * stride[i] is 0 for distances
// d, not all 0, of at most extent[i] - 1 each. The axes are tried from the
// largest stride down; what those below can reach bounds each distance. Where
// every stride exceeds that reach, as in all usual layouts, 0 is the only
// choice.
//
//===----------------------------------------------------------------------===//

#include "Overlap.h"

#include <algorithm>

using namespace heddle::manifest;

namespace {
using Wide = __int128;

struct Axis {
  Wide stride;
  Wide most;  ///< distance
  Wide below; ///< reach of the axes behind this one
};

class Search {
public:
  explicit Search(std::vector<Axis> axes) : axes(std::move(axes)) {}
  /// Whether distances of the axes from `index` on sum up to `target`. The
  /// first that is not 0 may be taken positive.
  bool reaches(size_t index, Wide target, bool isZeroSoFar);

private:
  std::vector<Axis> axes;
  int steps = 4096;
};
} // namespace

static Wide floorDiv(Wide left, Wide right) {
  return left / right - (left % right < 0);
}

bool Search::reaches(size_t index, Wide target, bool isZeroSoFar) {
  if (index == axes.size())
    return target == 0 && !isZeroSoFar;
  const Axis &axis = axes[index];
  Wide first = -floorDiv(axis.below - target, axis.stride);
  Wide last = floorDiv(target + axis.below, axis.stride);
  first = std::max(first, isZeroSoFar ? 0 : -axis.most);
  last = std::min(last, axis.most);
  for (Wide distance = first; distance <= last; ++distance)
    if (--steps < 0 || reaches(index + 1, target - distance * axis.stride,
                               isZeroSoFar && distance == 0))
      return true;
  return false;
}

bool heddle::manifest::overlapsItself(const std::vector<int64_t> &shape,
                                      const std::vector<int64_t> &strides) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > 1 && strides[i] == 0)
      return true;
    if (shape[i] > 1)
      axes.push_back({strides[i], shape[i] - 1, 0});
  }
  std::sort(axes.begin(), axes.end(), [](const Axis &left, const Axis &right) {
    return left.stride > right.stride;
  });
  Wide below = 0;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i].below = below;
    below += axes[i].stride * axes[i].most;
  }
  return Search(std::move(axes)).reaches(0, 0, true);
}
