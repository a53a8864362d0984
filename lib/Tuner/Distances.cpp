//===- Distances.cpp - How far two values are apart -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "Distances.h"

#include "PortableMath.h"

#include "llvm/Support/ErrorHandling.h"

using namespace heddle::tuner;

double heddle::tuner::unitOf(const Parameter &parameter, Word word,
                             bool usesLog) {
  double low = parameter.low, high = parameter.high, value = 0;
  switch (parameter.kind) {
  case Kind::Real:
    value = realOf(word);
    break;
  case Kind::Integer:
    low = double(parameter.first);
    high = double(parameter.last);
    value = double(parameter.first + word);
    break;
  case Kind::Ordinal:
    low = parameter.numbers.front();
    high = parameter.numbers.back();
    value = parameter.numbers[size_t(word)];
    break;
  default:
    llvm_unreachable("no number");
  }
  if (!(high > low))
    return 0;
  if (!usesLog || !parameter.isLog)
    return (value - low) / (high - low);
  return portableLog(value / low) / portableLog(high / low);
}

namespace {
struct Orders {
  Orders(int items, Word one, Word other) : items(items) {
    for (int k = 0; k < items; ++k) {
      first[itemAt(one, k)] = k;
      second[itemAt(other, k)] = k;
    }
  }
  int items;
  int first[kMostItems] = {}, second[kMostItems] = {}; ///< positions by item
};
} // namespace

/// Items in a longest common subsequence: a longest run of the first order
/// whose positions in the second ascend.
static int longestCommon(const Orders &orders, Word one) {
  int lasts[kMostItems], length = 0;
  for (int k = 0; k < orders.items; ++k) {
    int position = orders.second[itemAt(one, k)];
    int at = int(std::lower_bound(lasts, lasts + length, position) - lasts);
    lasts[at] = position;
    length = std::max(length, at + 1);
  }
  return length;
}

int heddle::tuner::orderDistance(Distance distance, int items, Word one,
                                 Word other) {
  if (one == other)
    return 0;
  Orders orders(items, one, other);
  int sum = 0;
  switch (distance) {
  case Distance::Spearman:
    for (int k = 0; k < items; ++k)
      sum += (orders.first[k] - orders.second[k]) *
             (orders.first[k] - orders.second[k]);
    return sum;
  case Distance::Kendall:
    for (int i = 0; i < items; ++i)
      for (int j = 0; j < i; ++j)
        sum += (orders.first[i] < orders.first[j]) !=
               (orders.second[i] < orders.second[j]);
    return sum;
  case Distance::Hamming:
    for (int k = 0; k < items; ++k)
      sum += orders.first[k] != orders.second[k];
    return sum;
  case Distance::Ulam:
    return items - longestCommon(orders, one);
  case Distance::Naive:
    return 1;
  }
  llvm_unreachable("a distance without a definition");
}

int heddle::tuner::greatestDistance(Distance distance, int items) {
  switch (distance) {
  case Distance::Spearman:
    return std::max(1, items * (items * items - 1) / 3);
  case Distance::Kendall:
    return std::max(1, items * (items - 1) / 2);
  case Distance::Hamming:
    return items;
  case Distance::Ulam:
    return std::max(1, items - 1);
  case Distance::Naive:
    return 1;
  }
  llvm_unreachable("a distance without a definition");
}

std::vector<Axis>
heddle::tuner::makeAxes(const std::vector<Parameter> &parameters,
                        const KernelOptions &options) {
  std::vector<Axis> axes;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Parameter &parameter = parameters[k];
    int coordinates = 1, n = parameter.items;
    if (options.isPerCoordinate && parameter.kind == Kind::Permutation)
      switch (options.distance.value_or(parameter.distance)) {
      case Distance::Spearman:
        coordinates = n;
        break;
      case Distance::Kendall:
        coordinates = n * (n - 1) / 2;
        break;
      case Distance::Hamming:
        coordinates = n * n;
        break;
      default:
        break;
      }
    for (int c = 0; c < coordinates; ++c)
      axes.push_back({int(k), coordinates == 1 ? -1 : c});
  }
  return axes;
}

/// Of one coordinate of an order's encoding.
static double coordinateDistance(Distance distance, int items, int coordinate,
                                 Word one, Word other) {
  Orders orders(items, one, other);
  switch (distance) {
  case Distance::Spearman: {
    double apart =
        double(orders.first[coordinate] - orders.second[coordinate]) / items;
    return apart * apart;
  }
  case Distance::Kendall: {
    int i = 1; // coordinates count the pairs (1, 0), (2, 0), (2, 1), ...
    while (coordinate >= i)
      coordinate -= i++;
    return (orders.first[i] < orders.first[coordinate]) !=
           (orders.second[i] < orders.second[coordinate]);
  }
  default: {
    int item = coordinate / items, position = coordinate % items;
    return (orders.first[item] == position) !=
           (orders.second[item] == position);
  }
  }
}

double heddle::tuner::unitOrNone(const Parameter &parameter, Word word,
                                 bool usesLog) {
  bool isNumber = parameter.kind != Kind::Categorical &&
                  parameter.kind != Kind::Permutation && word != kInactive;
  return isNumber ? unitOf(parameter, word, usesLog) : 0;
}

double heddle::tuner::squaredDistance(const Parameter &parameter,
                                      const Axis &axis,
                                      const KernelOptions &options, Word one,
                                      double unit, Word other,
                                      double otherUnit) {
  if (one == other)
    return 0;
  if (one == kInactive || other == kInactive ||
      parameter.kind == Kind::Categorical)
    return 1;
  if (parameter.kind != Kind::Permutation)
    return (unit - otherUnit) * (unit - otherUnit);
  Distance distance = options.distance.value_or(parameter.distance);
  if (axis.coordinate >= 0)
    return coordinateDistance(distance, parameter.items, axis.coordinate, one,
                              other);
  return double(orderDistance(distance, parameter.items, one, other)) /
         greatestDistance(distance, parameter.items);
}

double heddle::tuner::squaredDistance(const Parameter &parameter,
                                      const Axis &axis,
                                      const KernelOptions &options, Word one,
                                      Word other) {
  return squaredDistance(parameter, axis, options, one,
                         unitOrNone(parameter, one, options.usesLog), other,
                         unitOrNone(parameter, other, options.usesLog));
}

std::vector<float>
heddle::tuner::features(const std::vector<Parameter> &parameters, bool usesLog,
                        const Point &point) {
  std::vector<float> made;
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter &parameter = parameters[k];
    bool isActive = point[k] != kInactive;
    if (parameter.kind == Kind::Categorical)
      for (size_t text = 0; text < parameter.texts.size(); ++text)
        made.push_back(isActive ? float(point[k] == Word(text)) : -1.0f);
    else if (parameter.kind == Kind::Permutation)
      for (int item = 0; item < parameter.items; ++item)
        made.push_back(isActive
                           ? float(positionOf(point[k], item, parameter.items))
                           : -1.0f);
    else
      made.push_back(isActive ? float(unitOf(parameter, point[k], usesLog))
                              : -1.0f);
  }
  return made;
}

void heddle::tuner::addProducts(const std::vector<Parameter> &parameters,
                                const Point &point,
                                std::vector<float> &features) {
  std::vector<double> logarithms;
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter &parameter = parameters[k];
    double least = 0;
    if (parameter.kind == Kind::Ordinal)
      least = parameter.numbers.front();
    else if (parameter.kind == Kind::Integer)
      least = double(parameter.first);
    else if (parameter.kind == Kind::Real)
      least = parameter.low;
    if (!(least > 0))
      continue;
    double value = 1;
    if (point[k] == kInactive)
      value = least;
    else if (parameter.kind == Kind::Ordinal)
      value = parameter.numbers[size_t(point[k])];
    else if (parameter.kind == Kind::Integer)
      value = double(parameter.first + point[k]);
    else
      value = realOf(point[k]);
    logarithms.push_back(portableLog(value));
  }
  for (size_t a = 0; a < logarithms.size(); ++a)
    for (size_t b = a + 1; b < logarithms.size(); ++b)
      features.push_back(float(logarithms[a] + logarithms[b]));
}
