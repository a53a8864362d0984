//===- Space.h - The points that a tuner may propose -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: parameters, and constraints as texts. Out: everything that a search asks
// of the points that keep them: how many, one at random, whether a point is one
// of them, its neighbours. Parameters that constraints join are one component,
// held as a decision diagram; components are independent, so the space is their
// product. Constraints that name real parameters are kept by drawing again.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_SPACE_H
#define HEDDLE_TUNER_SPACE_H

#include "heddle/Tuner/Parameter.h"
#include "heddle/Tuner/Random.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <utility>

namespace heddle::tuner {

/// The text of a condition, and where it stands, for messages: "parameter
/// 'unroll', constraint 1".
struct Constraint {
  std::string text;
  std::string place;
};

/// What a component of a space holds, for reports.
struct Component {
  std::vector<int> parameters;
  Count points = 0;
  size_t nodes = 0; ///< of its diagram; 0 if it needs none
};

class Space {
public:
  /// Errors: a constraint that cannot be read, names a parameter that is not
  /// there, or joins too much ([tuner-constraint], [tuner-space-size]); a space
  /// without points, with the fewest constraints that exclude all of them
  /// ([tuner-space-empty]).
  static llvm::Expected<Space> make(std::vector<Parameter> parameters,
                                    std::vector<Constraint> constraints);

  const std::vector<Parameter> &parameters() const;
  const std::vector<Constraint> &constraints() const;
  const std::vector<Component> &components() const;
  /// The index of a parameter, or -1.
  int find(llvm::StringRef name) const;
  /// Whether there are real parameters, which are not counted.
  bool hasReals() const;

  /// How many points there are but for the values of real parameters, in
  /// decimal digits, exact.
  std::string count() const;
  /// The same, or nothing if 120 bits do not hold it.
  std::optional<Count> smallCount() const;
  /// The point with this number, below smallCount(). Without real parameters.
  Point at(Count index) const;

  bool contains(const Point &point) const;
  /// Each point as likely as any other. Nothing if constraints on reals hold
  /// for none of ten thousand draws.
  std::optional<Point> draw(Random &random) const;
  /// The same into `point`, of which the memory is used again. False for
  /// nothing.
  bool draw(Random &random, Point &point) const;
  /// Each value that leads to a point as likely as the others of its parameter,
  /// one parameter after the other: biased towards sparse branches, as walking
  /// a tree of choices is.
  std::optional<Point> drawEmbedded(Random &random) const;
  /// The point at the end of a walk in which `choose(n)`, below n, is the
  /// number of the value that is taken of the n that lead to a point, as tools
  /// walk that know numbers and no constraints. Without real parameters.
  Point follow(llvm::function_ref<uint64_t(uint64_t)> choose) const;

  /// Points that differ in one parameter, and in those that it activates or
  /// deactivates: the next possible value of a number on either side, every
  /// other text, every other order of up to five items, and every exchange of
  /// two items of more. Six steps of a real, if `random` is given.
  void neighbours(const Point &point, Random *random,
                  llvm::function_ref<void(const Point &)> found) const;

  /// The points in which some parameters have the values given.
  llvm::Expected<Space> fix(llvm::ArrayRef<std::pair<int, Word>> values) const;

  /// A point as a JSON object, in the order of the parameters.
  std::string spell(const Point &point) const;

private:
  struct Parts;
  explicit Space(std::shared_ptr<const Parts> parts);
  static llvm::Expected<Space> build(std::shared_ptr<Parts> parts);
  bool drawWith(Random &random, bool isEmbedded, Point &point) const;
  /// Draws what is in no diagram. False where a constraint refuses it.
  bool completeFree(Random &random, Point &point) const;
  bool activate(Point &point) const;

  std::shared_ptr<const Parts> parts;
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_SPACE_H
