//===- Grid.cpp - Runs the CTAs of a launch -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid.h"

#include "Cluster.h"
#include "Scheduler.h"

#include "heddle/Support/Workers.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// Independence
//===----------------------------------------------------------------------===//

static bool hasModifier(std::string_view opcode, std::string_view name) {
  for (size_t at = opcode.find(name); at != std::string_view::npos;
       at = opcode.find(name, at + 1)) {
    size_t end = at + name.size();
    if (at && opcode[at - 1] == '.' &&
        (end == opcode.size() || opcode[end] == '.'))
      return true;
  }
  return false;
}

bool heddle::emulator::isCommunication(std::string_view opcode) {
  std::string_view family = opcode.substr(0, opcode.find('.'));
  auto has = [&](auto... names) { return (hasModifier(opcode, names) || ...); };
  bool isShared = has("shared", "shared::cta", "shared::cluster");
  if (family == "atom" || family == "red")
    return !isShared;
  if (opcode.starts_with("cp.reduce.async.bulk"))
    return has("global");
  if (family == "ld" || family == "st")
    return !isShared &&
           has("volatile", "relaxed", "acquire", "release", "mmio");
  if (family == "membar")
    return has("gl", "sys");
  // Fences of proxies order a CTA's own accesses.
  return family == "fence" && !has("proxy") && has("gpu", "sys");
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void add(Statistics &sum, const Statistics &part) {
  sum.ctas += part.ctas;
  sum.warpInstructions += part.warpInstructions;
  sum.wgmmas += part.wgmmas;
  sum.bulkLoads += part.bulkLoads;
  sum.bulkStores += part.bulkStores;
  sum.bulkLoadBytes += part.bulkLoadBytes;
  sum.bulkStoreBytes += part.bulkStoreBytes;
}

namespace {
/// CTAs are given out in order, so that all before a failed one have run.
class GridRun {
public:
  explicit GridRun(const Launch &launch)
      : launch(launch), seeds(launch.options.seed), total(1) {
    for (size_t axis = 0; axis < 3; ++axis) {
      clusters[axis] = launch.plan.grid[axis] / launch.cluster[axis];
      size *= launch.cluster[axis];
      total *= clusters[axis];
    }
  }

  bool run(std::string &error);

private:
  struct Turn {
    int64_t number = -1; ///< of a cluster; -1: no more
    Random seeds;
  };
  Turn takeTurn();
  void noteEnd(int64_t number, const Cluster &cluster);
  /// Of its first CTA.
  std::array<int64_t, 3> indexOf(int64_t number) const;
  void work();
  void workTogether();

  const Launch &launch;
  std::array<int64_t, 3> clusters{}; ///< along x, y, z
  int64_t size = 1;                  ///< CTAs in one
  std::mutex mutex;                  ///< guards what follows
  Random seeds;
  int64_t total;
  int64_t next = 0;
  int64_t ended = 0;
  int64_t steps = 0; ///< warp instructions
  int64_t failed = -1;
  std::string firstError;
};
} // namespace

GridRun::Turn GridRun::takeTurn() {
  std::lock_guard lock(mutex);
  if (next == total || failed >= 0)
    return Turn{-1, seeds};
  Turn turn{next++, seeds};
  for (int64_t i = 0; i < size; ++i)
    seeds.next();
  return turn;
}

void GridRun::noteEnd(int64_t number, const Cluster &cluster) {
  std::lock_guard lock(mutex);
  ++ended;
  if (!cluster.error.empty() && (failed < 0 || number < failed)) {
    failed = number;
    firstError = cluster.error;
  }
  steps += cluster.steps();
  if (failed < 0 && steps > launch.options.maxSteps && ended < total) {
    failed = number;
    firstError =
        "kernel '" + launch.entry.name + "': " + std::to_string(steps) +
        " warp instructions after " + std::to_string(ended * size) + " of " +
        std::to_string(total * size) + " CTAs; the emulator runs at most " +
        std::to_string(launch.options.maxSteps) +
        " in a launch (--max-total-steps allows more)";
  }
  if (launch.options.progress)
    launch.options.progress(ended * size, total * size);
}

std::array<int64_t, 3> GridRun::indexOf(int64_t number) const {
  return {number % clusters[0] * launch.cluster[0],
          number / clusters[0] % clusters[1] * launch.cluster[1],
          number / clusters[0] / clusters[1] * launch.cluster[2]};
}

/// One thread's share. What CTAs change besides memory, it has for itself.
void GridRun::work() {
  GlobalMemory global = launch.global;
  Statistics statistics;
  Launch own{launch.program, launch.entry,   launch.manifest, launch.variant,
             launch.plan,    launch.options, global,          statistics,
             launch.block,   launch.cluster, launch.params,   launch.variables};
  Cluster cluster(own, size_t(size));
  for (Turn turn = takeTurn(); turn.number >= 0; turn = takeTurn()) {
    cluster.start(indexOf(turn.number), turn.seeds);
    cluster.run();
    statistics.warpInstructions += cluster.steps();
    statistics.ctas += size;
    noteEnd(turn.number, cluster);
  }
  std::lock_guard lock(mutex);
  add(launch.statistics, statistics);
}

namespace {
/// A CTA that runs beside others.
struct Running {
  explicit Running(Launch &launch) : cluster(launch, 1) {}

  void start(int64_t own, std::array<int64_t, 3> index, Random &seeds) {
    number = own;
    cluster.start(index, seeds);
    scheduler.emplace(cluster.at(0));
  }

  Cluster cluster;
  std::optional<Scheduler> scheduler;
  int64_t number = -1;
};
} // namespace

/// CTAs that look at what others do, a few at a time: they start in the order
/// of their numbers, and go on in any.
void GridRun::workTogether() {
  constexpr size_t kTogether = 3;
  constexpr uint32_t kMostSteps = 64; // of one before another goes on
  GlobalMemory global = launch.global;
  Statistics statistics;
  Launch own{launch.program, launch.entry,   launch.manifest, launch.variant,
             launch.plan,    launch.options, global,          statistics,
             launch.block,   launch.cluster, launch.params,   launch.variables};
  Random order(launch.options.seed);
  std::vector<std::unique_ptr<Running>> running;
  auto startIn = [&](Running &place) {
    Turn turn = takeTurn();
    if (turn.number >= 0)
      place.start(turn.number, indexOf(turn.number), turn.seeds);
    return turn.number >= 0;
  };
  for (size_t i = 0; i < kTogether; ++i)
    if (auto place = std::make_unique<Running>(own); startIn(*place))
      running.push_back(std::move(place));
  while (!running.empty() && failed < 0) {
    size_t chosen = order.below(uint32_t(running.size()));
    Running &one = *running[chosen];
    auto progress = Scheduler::Progress::Moved;
    for (uint32_t steps = 1 + order.below(kMostSteps);
         steps && progress == Scheduler::Progress::Moved; --steps)
      progress = one.scheduler->stepAlone();
    if (progress == Scheduler::Progress::Moved)
      continue;
    one.cluster.error = one.cluster.at(0).error;
    statistics.warpInstructions += one.cluster.steps();
    ++statistics.ctas;
    noteEnd(one.number, one.cluster);
    if (!startIn(one))
      running.erase(running.begin() + ptrdiff_t(chosen));
  }
  add(launch.statistics, statistics);
}

bool GridRun::run(std::string &error) {
  if (launch.entry.communicates && size == 1 &&
      launch.options.schedule != Schedule::Fair) {
    workTogether();
    error = firstError;
    return failed < 0;
  }
  int64_t threads = launch.options.threads;
  if (!threads)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = launch.entry.communicates ? 1 : std::min(threads, total);
  heddle::Threads others;
  for (int64_t i = 1; i < threads; ++i)
    if (!others.start([this] { work(); }))
      break;
  work();
  others.join();
  error = firstError;
  return failed < 0;
}

bool heddle::emulator::runGrid(const Launch &launch, std::string &error) {
  return GridRun(launch).run(error);
}
