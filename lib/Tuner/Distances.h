//===- Distances.h - How far two values are apart ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel sees points through their distances. In: two words of a parameter.
// Out: their squared distance along an axis, from 0 to 1. A parameter has one
// axis, or one for each coordinate of an order's encoding, as BaCO's code has.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_DISTANCES_H
#define HEDDLE_LIB_TUNER_DISTANCES_H

#include "heddle/Tuner/GaussianProcess.h"

namespace heddle::tuner {

/// The value of a number between its least, 0, and its greatest, 1; by its
/// logarithm where `usesLog` and the parameter says so.
double unitOf(const Parameter &parameter, Word word, bool usesLog = true);

/// Between two orders of the same items, not divided by anything.
int orderDistance(Distance distance, int items, Word one, Word other);
/// The most that it can be.
int greatestDistance(Distance distance, int items);

struct Axis {
  int parameter = 0;
  int coordinate = -1; ///< of an order's encoding; -1 for the whole
};

std::vector<Axis> makeAxes(const std::vector<Parameter> &parameters,
                           const KernelOptions &options);

/// `unit` and `otherUnit`: what unitOf gives for numbers; any number else.
double squaredDistance(const Parameter &parameter, const Axis &axis,
                       const KernelOptions &options, Word one, double unit,
                       Word other, double otherUnit);
/// The same, for few.
double squaredDistance(const Parameter &parameter, const Axis &axis,
                       const KernelOptions &options, Word one, Word other);

/// What unitOf gives for a number; 0 for other words and where there is none.
double unitOrNone(const Parameter &parameter, Word word, bool usesLog);

/// A point as numbers, for trees: units, a flag for each text, positions of
/// items. What is inactive is -1.
/// The logarithms of the products of two numbers above 0 each; memory and
/// registers run out by products.
void addProducts(const std::vector<Parameter> &parameters, const Point &point,
                 std::vector<float> &features);

std::vector<float> features(const std::vector<Parameter> &parameters,
                            bool usesLog, const Point &point);

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_DISTANCES_H
