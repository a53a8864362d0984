//===- TileChoice.h - Which tiles a kernel had best take --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program declares shape parameters and their legal values. Those that are
// tile shapes may be chosen: each combination is lowered to the scheduling
// problem, and either refused, for the reason that the compiler gives, or
// estimated; the best are scheduled and lowered whole. Nothing is timed, and
// the same input gives the same choice. docs/rationale/tiles.md.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILECHOICE_TILECHOICE_H
#define HEDDLE_TILECHOICE_TILECHOICE_H

#include "heddle/Machine/Costs.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Source.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::tilechoice {

/// The sizes for which tiles are chosen. An extent that is not given counts as
/// `kOpenExtent`; then tiles are counted in fractions, so that no size is
/// favoured for dividing that number.
struct Extents {
  std::map<std::string, std::vector<int64_t>> views; ///< by argument
  std::map<std::string, double> scalars;
};
inline constexpr int64_t kOpenExtent = 4096;

/// What the model says of one kernel with one choice of tiles. All times are
/// cycles of a multiprocessor.
struct Estimate {
  bool isSolved = false; ///< else intervals are lower bounds
  double total = 0;      ///< of the whole kernel
  double longest = 0;    ///< of the slowest worker
  /// The share of the workers' time in which they have no instance.
  double idle = 0;
  double perInstance = 0; ///< the mean of one instance in its thread block
  double ends = 0;        ///< of that, what is no steady state
  double instances = 0;   ///< thread blocks' work
  double waves = 0;       ///< instances a worker does, one after the other
  /// What the busiest unit works in pipelined loops, for the sizes given: no
  /// schedule is faster. 0 where nothing is known.
  double least = 0;
  int64_t interval = 0;  ///< of the longest pipelined loop; 0 if there is none
  int64_t bound = 0;     ///< below which that loop has no schedule
  int64_t processes = 0; ///< that compute
  int64_t blocks = 1;    ///< thread blocks on a multiprocessor
  std::string binds;     ///< a few words
};

struct Candidate {
  std::vector<int64_t> values; ///< of each parameter in Choice::parameters
  std::string refused;         ///< why it cannot be taken; empty if it can
  Estimate estimate;
};

struct Choice {
  std::vector<std::string> parameters; ///< that are tile shapes and not fixed
  std::vector<int64_t> own;            ///< their values in the program
  std::vector<std::vector<int64_t>> legal; ///< theirs
  std::vector<Candidate> candidates;       ///< best first, refused ones last
  bool isOpen = false;                     ///< some extent was not given

  double modelError = 0; ///< of the machine's costs

  /// The best that was solved: the program's own unless another is faster by
  /// more than the model may err. Null if every one was refused.
  const Candidate *best() const;
  const Candidate *find(const std::vector<int64_t> &values) const;
};

struct Options {
  pipeline::LowerOptions lowering;
  machine::Costs machine; ///< that `lowering` names
  Extents extents;
  std::vector<std::string> fixed; ///< parameters that keep their values
  int solve = 8;                  ///< how many to schedule
};

/// For a program that was read from `source`: what is set there stays. A
/// machine that is not known gets no name; lowering says so.
Options optionsFor(const Source &source,
                   const pipeline::LowerOptions &lowering);

/// The parameters that are tile shapes: the step of a loop or the number of
/// instances depends on them.
std::vector<std::string> findTileShapes(mlir::ModuleOp module);

/// All combinations, ranked; `module` is on the tile rung and stays as it is.
Choice chooseTiles(mlir::ModuleOp module, const Options &options);

/// The same by bounds alone, in the order of the values: nothing is scheduled,
/// so this takes milliseconds a combination.
Choice boundTiles(mlir::ModuleOp module, const Options &options);

/// What the next smaller and larger value of each parameter would give, in
/// sentences, all scheduled as `options` say; nothing for a program that the
/// compiler refuses.
std::vector<std::string> describeNeighbours(mlir::ModuleOp module,
                                            const Options &options);

} // namespace heddle::tilechoice

#endif // HEDDLE_TILECHOICE_TILECHOICE_H
