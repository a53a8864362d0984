//===- Launches.cpp - Small launches, and extreme ones --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel goes in; the launches that the model executes come out. Small
// extents reach each turn of each ring in few steps; scalars at the ends of
// their types, and next to constants of the kernel, are where arithmetic of the
// wrong width or sign gives another path.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "Choice.h"

#include <algorithm>

using namespace heddle::adversary;
using heddle::fuzz::Choice;

namespace {
/// One thing that a launch decides, and its values. The first is the smallest.
struct Axis {
  enum Kind { Extent, Scalar, Elements, Workers } kind;
  int argument = 0, axis = 0;
  std::vector<int64_t> values;
};
} // namespace

static void add(std::vector<int64_t> &values, int64_t value) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(value);
}

static std::vector<int64_t> extentsOf(const Kernel &kernel) {
  int64_t depth = 1;
  for (const RingInfo &ring : kernel.rings)
    depth = std::max(depth, ring.depth);
  std::vector<int64_t> values;
  for (int64_t i = 0; i <= 2 * depth + 1; ++i)
    values.push_back(i);
  for (int64_t step : kernel.constants)
    if (step >= 8 && step <= 4096)
      for (int64_t times : {1, 2, 3, 5})
        add(values, step * times);
  return values;
}

static std::vector<int64_t> scalarsOf(const Kernel &kernel, int width) {
  std::vector<int64_t> values = {0, 1, 2, 3, 5, -1};
  add(values, wrap(width, int64_t(uint64_t(1) << (width - 1))));
  add(values, wrap(width, int64_t((uint64_t(1) << (width - 1)) - 1)));
  for (int64_t constant : kernel.constants)
    if (constant < -8 || constant > 8)
      for (int64_t by : {0, 1, -1})
        add(values, wrap(width, int64_t(uint64_t(constant) + uint64_t(by))));
  std::vector<int64_t> fitting;
  for (int64_t value : values)
    add(fitting, wrap(width, value));
  return fitting;
}

static std::vector<Axis> axesOf(const Kernel &kernel) {
  std::vector<Axis> axes;
  for (auto [argument, axis] : kernel.usedExtents)
    axes.push_back({Axis::Extent, argument, axis, extentsOf(kernel)});
  for (int argument : kernel.usedScalars)
    axes.push_back({Axis::Scalar, argument, 0,
                    scalarsOf(kernel, kernel.argumentWidths[argument])});
  for (int argument : kernel.usedElements)
    axes.push_back({Axis::Elements, argument, 0, {0, 1, 2, 3, 5, -1, 1000}});
  if (kernel.usesWorkers)
    axes.push_back({Axis::Workers, 0, 0, {0, 1, 2, 3}});
  return axes;
}

static void set(Launch &launch, const Axis &axis, int64_t value) {
  static const std::pair<int, int> workers[] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  switch (axis.kind) {
  case Axis::Extent:
    launch.extents[{axis.argument, axis.axis}] = value;
    break;
  case Axis::Scalar:
    launch.scalars[axis.argument] = value;
    break;
  case Axis::Elements:
    if (value != 1000) // else elements differ
      launch.elements[axis.argument] = value;
    break;
  case Axis::Workers:
    launch.worker = workers[value].first;
    launch.workers = workers[value].second;
    break;
  }
}

std::vector<Launch> heddle::adversary::chooseLaunches(const Kernel &kernel,
                                                      size_t most,
                                                      uint64_t seed) {
  std::vector<Axis> axes = axesOf(kernel);
  uint64_t total = 1;
  for (const Axis &axis : axes)
    total = std::min<uint64_t>(total * axis.values.size(), 1 << 20);
  std::vector<Launch> launches;
  if (total <= most) {
    for (uint64_t number = 0; number < total; ++number) {
      Launch launch;
      uint64_t rest = number;
      for (const Axis &axis : axes) {
        set(launch, axis, axis.values[rest % axis.values.size()]);
        rest /= axis.values.size();
      }
      launches.push_back(launch);
    }
    return launches;
  }
  // All at one small number first, then anything.
  Choice choice(seed);
  std::set<Launch> taken;
  for (size_t tries = 0; taken.size() < most && tries < 4 * most; ++tries) {
    Launch launch;
    for (const Axis &axis : axes)
      set(launch, axis,
          tries < 5 ? axis.values[std::min(tries, axis.values.size() - 1)]
                    : choice.of(axis.values));
    if (taken.insert(launch).second)
      launches.push_back(launch);
  }
  return launches;
}
