//===- Circuits.cpp - Pipelined loops on an FPGA, by formulas -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An analytical model of what a synthesis tool makes of loop nests: a pipeline
// for each loop, unrolled by a factor, fused with the next or not, its arrays
// in memory or in buffers on the chip. In: the choices. Out: the time, or which
// resource the circuit has too little of. The three designs have the numbers of
// parameters and points of BFS, audio and PreEuler in BaCO's HPVM2FPGA suite
// (4, 15 and 7; 256, 839 808 and 15 552); their loops are made up.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include <cmath>

using namespace heddle::tuner;
using heddle::study::Problem;

namespace {

constexpr double kClock = 300e6, kLuts = 220e3, kDsps = 1000, kBrams = 900;

struct Loop {
  double trips;
  double products, sums;    ///< of an iteration
  double reads, writes;     ///< of an iteration, of `array`
  double recurrence, depth; ///< cycles between iterations, and of one
  int array;                ///< or -1
};

struct Design {
  std::string name;
  std::vector<Loop> loops;
  std::vector<double> arrays; ///< words of each
  /// Loops k and k + 1 may be one: they pass what one writes to the other.
  std::vector<int> fusions;
};

/// One circuit: what was chosen for each loop, array and pair.
struct Choice {
  std::vector<double> unroll;
  std::vector<double> buffered; ///< the share of the array on the chip
  std::vector<bool> fused;
  double ports = 2; ///< words that memory takes in a cycle
};

class Circuit {
public:
  Circuit(const Design &design, const Choice &choice)
      : design(design), choice(choice) {
    luts = 6000 + 1500 * choice.ports;
    for (size_t k = 0; k < design.loops.size(); ++k) {
      bool isFused = isFusedWithNext(k);
      add(design.loops[k], choice.unroll[k],
          isFused ? &design.loops[k + 1] : nullptr,
          isFused ? choice.unroll[k + 1] : 0);
      k += isFused;
    }
    for (size_t a = 0; a < design.arrays.size(); ++a) {
      double words = design.arrays[a] * choice.buffered[a];
      brams += std::ceil(words / 1024) * (words > 0 ? 2 : 0);
      cycles += words / choice.ports; // the way in
    }
  }

  Outcome outcome() const {
    if (luts > kLuts)
      return {false, 0, "luts"};
    if (dsps > kDsps)
      return {false, 0, "dsps"};
    if (brams > kBrams)
      return {false, 0, "brams"};
    // Full chips have long wires.
    double used = std::max({luts / kLuts, dsps / kDsps, brams / kBrams});
    return {true, cycles / (kClock * (1 - 0.4 * used * used * used)), ""};
  }

  /// What is counted without the memory's ports, and without wires.
  double coarseLog() const { return std::log(coarse / kClock); }

private:
  bool isFusedWithNext(size_t loop) const {
    for (size_t pair = 0; pair < design.fusions.size(); ++pair)
      if (design.fusions[pair] == int(loop))
        return choice.fused[pair];
    return false;
  }

  /// Cycles between iterations for the accesses of so many copies.
  double interval(const Loop &loop, double copies, double accesses) const {
    double share = loop.array < 0 ? 0 : choice.buffered[size_t(loop.array)];
    double outside = copies * accesses * (1 - share) / choice.ports;
    double inside = share > 0 ? copies * accesses * share / (2 * copies) : 0;
    return std::max({loop.recurrence, std::ceil(outside), std::ceil(inside)});
  }

  void add(const Loop &loop, double unroll, const Loop *next, double other) {
    double copies = next ? std::min(unroll, other) : unroll;
    double between =
        interval(loop, copies, loop.reads + (next ? 0 : loop.writes));
    double products = loop.products, sums = loop.sums, depth = loop.depth;
    double recurrence = loop.recurrence;
    if (next) {
      between = std::max(between, interval(*next, copies, next->writes));
      products += next->products;
      sums += next->sums;
      depth += next->depth;
      recurrence = std::max(recurrence, next->recurrence);
    }
    double rounds = std::ceil(loop.trips / copies);
    cycles += rounds * between + depth;
    coarse += rounds * recurrence + depth;
    luts += 2200 + copies * (420 * sums + 160 * products);
    dsps += 3 * copies * products;
    if (loop.array >= 0 && choice.buffered[size_t(loop.array)] > 0)
      brams += 2 * copies; // banks
  }

  const Design &design;
  const Choice &choice;
  double cycles = 0, coarse = 0, luts = 0, dsps = 0, brams = 0;
};

Parameter listed(const std::string &name, std::vector<double> values) {
  Parameter made;
  made.name = name;
  made.isLog = true;
  made.numbers = std::move(values);
  made.preset = 0;
  return made;
}

Parameter flag(const std::string &name, int values = 2) {
  Parameter made = heddle::study::steps(name, values);
  made.preset = 0;
  return made;
}

using Read = std::function<Choice(const Space &, const Point &)>;

double numberOf(const Space &space, const Point &point, size_t parameter) {
  return space.parameters()[parameter].numbers[size_t(point[parameter])];
}

/// Everything fused and buffered, unrolled alike as far as the chip goes: what
/// a guide to these tools says.
std::optional<Point> expertOf(const Space &space, const Design &design,
                              const Read &read) {
  std::optional<Point> found;
  for (Word unroll = 0; unroll < 6; ++unroll) {
    Point point;
    for (const Parameter &each : space.parameters())
      point.push_back(each.isLog ? std::min(unroll, Word(each.words()) - 1)
                                 : Word(each.words()) - 1);
    Choice choice = read(space, point);
    if (Circuit(design, choice).outcome().isValid)
      found = point;
  }
  return found;
}

Problem makeProblem(Design design, std::vector<Parameter> parameters,
                    const Read &read, int firstSamples, int budget) {
  Space space = heddle::study::makeSpace(std::move(parameters), {});
  Problem problem{design.name, "circuits", space, nullptr};
  problem.expert = expertOf(space, design, read);
  problem.measure = [=](const Point &point) {
    Choice choice = read(space, point);
    return Circuit(design, choice).outcome();
  };
  problem.model = [=](const Point &point) {
    Choice choice = read(space, point);
    return Circuit(design, choice).coarseLog();
  };
  problem.firstSamples = firstSamples;
  problem.budget = budget;
  return problem;
}

/// Two loops, their arrays, and how wide the memory is.
Problem traversal() {
  Design design = {
      "bfs-like",
      {{40000, 4, 6, 3, 0, 2, 40, 0}, {160000, 9, 14, 2, 1, 1, 60, 1}},
      {24000, 90000},
      {}};
  Read read = [](const Space &space, const Point &point) {
    Choice choice;
    choice.unroll = {numberOf(space, point, 0), numberOf(space, point, 1)};
    choice.buffered = {double(point[2] & 1), double(point[2] >> 1)};
    choice.ports = numberOf(space, point, 3);
    return choice;
  };
  return makeProblem(design,
                     {listed("frontier", {1, 2, 4, 8}),
                      listed("neighbours", {1, 2, 4, 8}), flag("buffers", 4),
                      listed("ports", {1, 2, 4, 8})},
                     read, 5, 20);
}

/// Eight loops in a row, three pairs of which may be one, over four arrays.
Problem audio() {
  Design design = {"audio-like",
                   {{48000, 8, 8, 2, 1, 1, 30, 0},
                    {48000, 2, 3, 1, 1, 1, 20, 0},
                    {96000, 16, 15, 2, 1, 1, 80, 1},
                    {96000, 4, 6, 1, 1, 1, 40, 1},
                    {64000, 24, 23, 3, 1, 2, 90, 2},
                    {64000, 1, 2, 1, 1, 1, 12, 2},
                    {32000, 12, 30, 2, 2, 4, 120, 3},
                    {48000, 6, 6, 1, 1, 1, 24, -1}},
                   {48000, 96000, 64000, 32000},
                   {0, 2, 4}};
  std::vector<Parameter> parameters;
  for (int k = 0; k < 8; ++k)
    parameters.push_back(listed("unroll" + std::to_string(k), {1, 4, 10}));
  for (int k = 0; k < 3; ++k)
    parameters.push_back(flag("fuse" + std::to_string(k)));
  for (int k = 0; k < 4; ++k)
    parameters.push_back(flag("buffer" + std::to_string(k)));
  Read read = [](const Space &space, const Point &point) {
    Choice choice;
    for (size_t k = 0; k < 8; ++k)
      choice.unroll.push_back(numberOf(space, point, k));
    for (size_t k = 8; k < 11; ++k)
      choice.fused.push_back(point[k] == 1);
    for (size_t k = 11; k < 15; ++k)
      choice.buffered.push_back(double(point[k]));
    return choice;
  };
  return makeProblem(design, std::move(parameters), read, 16, 60);
}

/// Four loops over two arrays, of which one may be on the chip in part.
Problem euler() {
  Design design = {"euler-like",
                   {{97000, 18, 14, 4, 1, 1, 70, 0},
                    {97000, 22, 20, 3, 2, 1, 90, 0},
                    {97000, 40, 36, 5, 4, 3, 150, 1},
                    {24000, 6, 9, 2, 1, 6, 60, 1}},
                   {97000, 200000},
                   {0}};
  Read read = [](const Space &space, const Point &point) {
    Choice choice;
    for (size_t k = 0; k < 4; ++k)
      choice.unroll.push_back(numberOf(space, point, k));
    choice.fused = {point[4] == 1};
    choice.buffered = {double(point[5]), double(point[6]) / 2};
    choice.ports = 4;
    return choice;
  };
  std::vector<Parameter> parameters;
  for (int k = 0; k < 4; ++k)
    parameters.push_back(
        listed("unroll" + std::to_string(k), {1, 2, 4, 5, 8, 10}));
  parameters.push_back(flag("fuse"));
  parameters.push_back(flag("buffer0"));
  parameters.push_back(flag("buffer1", 3));
  return makeProblem(design, std::move(parameters), read, 8, 60);
}

} // namespace

std::vector<Problem> heddle::study::circuitProblems() {
  std::vector<Problem> made;
  made.push_back(traversal());
  made.push_back(audio());
  made.push_back(euler());
  return made;
}
