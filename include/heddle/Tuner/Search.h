//===- Search.h - Which point to measure next --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a space, and the values of the points measured so far. Out: the point
// that is worth measuring next. A proposal depends on the seed and on what was
// told, in order, and on nothing else: a search that is stopped and told the
// same again goes on as if it had not been.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNER_SEARCH_H
#define HEDDLE_TUNER_SEARCH_H

#include "heddle/Tuner/Budget.h"
#include "heddle/Tuner/Forest.h"
#include "heddle/Tuner/GaussianProcess.h"
#include "heddle/Tuner/Space.h"

#include <functional>

namespace heddle::tuner {

enum class Method {
  Bayes,     ///< expected improvement of a model, times P(valid)
  Uniform,   ///< each point as likely
  Embedding, ///< each value that leads to a point as likely
  Bandit,    ///< OpenTuner-like: several techniques, by what they gained lately
  Annealing, ///< steps to neighbours, worse ones ever less often
};

enum class Surrogate {
  Process, ///< a Gaussian process
  Forest,  ///< a random forest, as Ytopt has it
};

struct SearchOptions {
  Method method = Method::Bayes;
  uint64_t seed = 1;
  int firstSamples = 10; ///< points before a model is asked; the default is one
  bool startsFromDefault = true;
  int budget =
      60; ///< how many evaluations there will be; annealing cools by it
  /// So many points in a row with the codes of earlier ones end the search. If
  /// one point of ten were something else, so long a row would come by chance
  /// once in two hundred times.
  int mostTwins = 50;
  /// With bounds: a point that cannot be faster than the best by more than this
  /// share is not proposed.
  double worth = 0;

  // For studies: the default is what pays.
  Surrogate surrogate = Surrogate::Process;
  ProcessOptions process;
  bool logsValues = true; ///< times are compared as ratios
  bool predictsValidity = true;
  bool multiplies = true;      ///< P(valid) sees products of two numbers too
  bool drawsThreshold = true;  ///< of P(valid), anew for each proposal; else 0
  bool searchesLocally = true; ///< from the best candidates; else they are it
  /// Draws few candidates, and does not climb from them, while little is known.
  bool holdsBack = true;
  int candidates = 30000;
  int localStarts = 10, localFromBest = 3;
};

struct Told {
  Point point;
  Outcome outcome;
};

/// What follows from lower bounds of the values.
struct Claim {
  /// Whether bounds were given and every point of the space was looked at.
  bool isKnown = false;
  Count points = 0;  ///< of the space
  Count refused = 0; ///< with an infinite bound
  Count slower = 0;  ///< others that no bound lets be faster by `worth`
  Count open = 0;    ///< others that were not told
  /// The least bound of a point that was not told; infinite if there is none.
  double least = 0;
  /// The number of a told point whose value is below its bound: then bounds are
  /// wrong, and nothing follows from them. -1 for none.
  int broken = -1;
  double brokenBound = 0; ///< that it is below

  /// By how much, as a share of `best`, any point that was not measured can be
  /// faster than it; nothing where that is not known.
  std::optional<double> gapTo(double best) const;
};

/// What the model says of a point: the value to expect, and the ends between
/// which it is in 95 of 100 cases if the model is right.
struct Expectation {
  double value = 0, low = 0, high = 0;
  double valid = 1; ///< how likely the point is valid
};

class Search {
public:
  using Function = std::function<double(const Point &)>;
  /// `model`: the logarithm of the time that a model of the machine predicts;
  /// or none. `bound`: what no value of the point can be below, infinite for a
  /// point that is known to be invalid; or none.
  Search(Space space, SearchOptions options, Function model = nullptr,
         Function bound = nullptr);
  ~Search();
  Search(Search &&);

  /// Nothing once every point was told or is excluded, or if none can be found.
  /// `pending`: points that were proposed and are being measured; the model
  /// believes what it expects of them, so that others are proposed.
  std::optional<Point> propose(llvm::ArrayRef<Point> pending = {});
  /// Values that are not finite, and those that have no logarithm where one is
  /// taken, make a point invalid.
  void tell(const Point &point, Outcome outcome);

  const std::vector<Told> &told() const;
  /// What is left to evaluate, after what was told.
  const Budget &budget() const;
  /// The index of the best valid point among told(), or -1.
  int best() const;
  /// Of the last fit, for reports: which parameters matter. Empty without one.
  Hyperparameters hyperparameters() const;
  Claim claim() const;
  /// Of each point, told or not, by a model of all that was told; empty where
  /// there is none: fewer than two valid points, or another method.
  std::vector<Expectation> expect(llvm::ArrayRef<Point> points);

  struct State; ///< of the library alone

private:
  std::optional<Point> proposeNew();
  std::unique_ptr<State> state;
};

} // namespace heddle::tuner

#endif // HEDDLE_TUNER_SEARCH_H
