//===- Execution.cpp - What an instance takes when it is run --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one instance more takes is the difference of two launches of one size,
// in which each worker has one instance, and several. It is looked at at two
// sizes: the smallest at which every pipelined loop comes to its steady state,
// and one with several times as many iterations. A line through both gives
// intervals and ends. The interval of the steady state alone would not do:
// where three processes take turns, it wanders.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "IndexValue.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Evaluate/Evaluate.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

namespace {

/// Of a worker, where it has several.
constexpr int64_t kInstances = 3;
/// How many times as many iterations the larger size has.
constexpr size_t kLonger = 4;
/// All extents of a launch are one number, between these.
constexpr int64_t kShortest = 64, kLongest = int64_t(1) << 16;

class Executor {
public:
  Executor(tile::KernelOp kernel, const LoopWork &work)
      : kernel(kernel), tiles(cast<scf::ForOp>(work.loop)) {
    for (const LoopWork &inner : work.inner)
      loops.push_back(&inner);
  }

  /// Comes the smallest launch to its end?
  bool canRun(const machine::Costs &costs) {
    return begin(costs) && chooseExtent(1) && launch(1);
  }

  std::optional<Execution> run(const machine::Costs &costs) {
    if (!begin(costs))
      return std::nullopt;
    auto few = look(1), many = few ? look(kLonger) : std::nullopt;
    if (!many)
      return std::nullopt;
    Execution execution;
    for (const evaluate::Score::Loop &loop : many->loops)
      execution.intervals[loop.name] = loop.interval;
    bool areKnown = llvm::all_of(loops, [&](const LoopWork *loop) {
      auto known = execution.intervals.find(loop->problem.loop);
      return known != execution.intervals.end() && known->second > 0;
    });
    if (!areKnown)
      return std::nullopt;
    double fewSteady = steady(*few, execution);
    double more = steady(*many, execution) - fewSteady;
    double drift = more > 0 ? (many->cycles - few->cycles) / more : 1;
    for (auto &[name, interval] : execution.intervals)
      interval *= drift;
    execution.ends = std::max(0.0, few->cycles - drift * fewSteady);
    execution.once = std::max(0.0, few->once);
    return execution;
  }

private:
  /// Iterations of each loop, in the order of `loops`.
  using Trips = SmallVector<double>;

  bool begin(const machine::Costs &costs) {
    if (!isSupported())
      return false;
    auto module = kernel->getParentOfType<ModuleOp>();
    auto found = evaluate::Expansion::of(module, kernel.getSymName(), costs);
    if (failed(found))
      return false;
    expansion = std::move(*found);
    return true;
  }

  bool isSupported() {
    return llvm::all_of(kernel.getEntry().getArgumentTypes(), [](Type type) {
      return isa<tile::ViewType>(type) || type.isIntOrIndexOrFloat();
    });
  }

  int64_t extentOf(int64_t declared) const {
    return ShapedType::isDynamic(declared) ? extent : declared;
  }

  Extents extents() {
    Extents extents;
    for (BlockArgument argument : kernel.getEntry().getArguments()) {
      std::string name = kernel.getArgName(argument.getArgNumber());
      if (auto view = dyn_cast<tile::ViewType>(argument.getType())) {
        for (int64_t declared : view.getShape())
          extents.views[name].push_back(extentOf(declared));
      } else {
        extents.scalars[name] = double(extent);
      }
    }
    return extents;
  }

  /// Nothing is read there.
  SmallVector<interp::Argument> arguments() {
    constexpr int64_t kBetweenViews = int64_t(1) << 44;
    SmallVector<interp::Argument> arguments;
    for (BlockArgument argument : kernel.getEntry().getArguments()) {
      auto view = dyn_cast<tile::ViewType>(argument.getType());
      if (!view && argument.getType().isIntOrIndex()) {
        arguments.push_back(extent);
      } else if (!view) {
        arguments.push_back(1.0);
      } else {
        interp::Buffer buffer;
        buffer.data = reinterpret_cast<void *>(
            int64_t(argument.getArgNumber() + 1) * kBetweenViews);
        for (int64_t declared : view.getShape())
          buffer.shape.push_back(extentOf(declared));
        arguments.push_back(std::move(buffer));
      }
    }
    return arguments;
  }

  std::optional<double> instances() {
    Extents sizes = extents();
    IndexEvaluator indices(kernel, sizes, /*inFractions=*/false);
    return indices.evaluate(tiles.getUpperBound());
  }

  /// The number of busy multiprocessors where each block has `each` instances.
  int64_t multiprocessorsFor(int64_t each) {
    double all = std::max(1.0, instances().value_or(1));
    auto share = double(each * expansion->blocks());
    return std::max<int64_t>(1, int64_t(std::ceil(all / share)));
  }

  /// Of all instances of a worker. Nothing where trips are no arithmetic.
  std::optional<Trips> tripsOf(int64_t worker, int64_t workers) {
    Extents sizes = extents();
    IndexEvaluator indices(kernel, sizes, /*inFractions=*/false);
    indices.bindWorker(double(worker), double(workers));
    auto all = indices.evaluate(tiles.getUpperBound());
    if (!all)
      return std::nullopt;
    Trips sum(loops.size(), 0);
    for (auto number = double(worker); number < *all;
         number += double(workers)) {
      indices.bind(tiles.getInductionVar(), number);
      for (auto [trips, loop] : llvm::zip(sum, loops)) {
        auto iterations = indices.iterationsOf(cast<scf::ForOp>(loop->loop));
        if (!iterations)
          return std::nullopt;
        trips += iterations->whole();
      }
    }
    return sum;
  }

  /// What one more instance takes at one size.
  struct Added {
    double cycles = 0;
    double once = 0; ///< of a launch, besides its instances
    Trips trips;     ///< of that instance
    std::vector<evaluate::Score::Loop> loops;
  };

  /// At the smallest size with which some instance has `times` as many
  /// iterations of each loop as its steady state needs.
  std::optional<Added> look(size_t times) {
    if (!chooseExtent(times))
      return std::nullopt;
    auto one = launch(1), several = launch(kInstances);
    auto ofOne = mostTrips(1), ofSeveral = mostTrips(kInstances);
    if (!one || !several || !ofOne || !ofSeveral)
      return std::nullopt;
    constexpr auto kMore = double(kInstances - 1);
    Added added;
    added.cycles = double(several->cycles - one->cycles) / kMore;
    added.once = double(one->cycles) - added.cycles;
    for (auto [trips, less] : llvm::zip(*ofSeveral, *ofOne))
      added.trips.push_back((trips - less) / kMore);
    added.loops = std::move(several->loops);
    return added;
  }

  std::optional<evaluate::Score> launch(int64_t each) {
    evaluate::Launch launch;
    launch.arguments = arguments();
    launch.workers = multiprocessorsFor(each);
    auto score = expansion->run(launch);
    return succeeded(score) ? std::optional(std::move(*score)) : std::nullopt;
  }

  /// Of the workers that are run, each with `each` instances, the trips of the
  /// one with the most.
  std::optional<Trips> mostTrips(int64_t each) {
    std::optional<Trips> most;
    int64_t workers = multiprocessorsFor(each) * expansion->blocks();
    for (int64_t worker :
         evaluate::someOf(workers, evaluate::Launch().executed)) {
      auto trips = tripsOf(worker, workers);
      if (!trips)
        return std::nullopt;
      if (!most || sumOf(*trips) > sumOf(*most))
        most = std::move(trips);
    }
    return most;
  }

  static double sumOf(const Trips &trips) {
    return std::accumulate(trips.begin(), trips.end(), 0.0);
  }

  bool chooseExtent(size_t times) {
    size_t needed = 0;
    for (const PlannedLoop &loop : expansion->model().loops)
      if (loop.isPipelined)
        needed = std::max(needed, evaluate::iterationsNeeded(loop));
    for (extent = kShortest; extent <= kLongest; extent += extent / 4) {
      auto most = mostTrips(1);
      if (most && llvm::all_of(*most, [&](double trips) {
            return trips >= double(needed * times);
          }))
        return true;
    }
    return false;
  }

  double steady(const Added &added, const Execution &execution) {
    double cycles = 0;
    for (auto [trips, loop] : llvm::zip(added.trips, loops))
      cycles += trips * execution.intervals.at(loop->problem.loop);
    return cycles;
  }

  tile::KernelOp kernel;
  scf::ForOp tiles;
  SmallVector<const LoopWork *> loops;
  std::optional<evaluate::Expansion> expansion;
  int64_t extent = kShortest;
};

} // namespace

/// Do threads compute in it?
static bool computes(const LoopWork &loop) {
  const schedule::Problem &problem = loop.problem;
  return llvm::any_of(problem.operations, [&](const auto &op) {
    return op.unit >= 0 && !problem.units[op.unit].asynchronous;
  });
}

bool heddle::tilechoice::isExecuted(const LoopWork &work) {
  return llvm::any_of(work.inner, computes) &&
         llvm::all_of(work.inner, [](const LoopWork &loop) {
           return loop.isPipelined && loop.inner.empty() &&
                  isa<scf::ForOp>(loop.loop);
         });
}

static bool hasExecutedPlan(tile::KernelOp kernel, const LoopWork &work) {
  return sched::findPlan(kernel) && isExecuted(work);
}

/// That a kernel cannot be executed without memory is no error of anybody's.
static ScopedDiagnosticHandler silenceErrors(tile::KernelOp kernel) {
  return ScopedDiagnosticHandler(kernel.getContext(),
                                 [](Diagnostic &) { return success(); });
}

bool heddle::tilechoice::canExecute(tile::KernelOp kernel,
                                    const machine::Costs &costs) {
  LoopWork work = describeWork(kernel, costs);
  if (!hasExecutedPlan(kernel, work))
    return false;
  ScopedDiagnosticHandler silence = silenceErrors(kernel);
  return Executor(kernel, work).canRun(costs);
}

std::optional<Execution>
heddle::tilechoice::execute(tile::KernelOp kernel, const LoopWork &work,
                            const machine::Costs &costs) {
  if (!hasExecutedPlan(kernel, work))
    return std::nullopt;
  ScopedDiagnosticHandler silence = silenceErrors(kernel);
  return Executor(kernel, work).run(costs);
}
