//===- Processor.cpp - Reads what loops cost on a CPU ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every figure is an object with a `value` and a source (`from`), and a `range`
// if it was measured; unknown fields are refused.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Processor.h"

#include "heddle/Support/JsonReader.h"

#include <algorithm>
#include <tuple>

using namespace heddle;
using namespace heddle::machine;

namespace {

/// Sums of what a description says stay finite.
constexpr double kMost = 1e12;

void readFigure(const strict::Node &node, double least, double &field) {
  strict::ObjectReader entry(node);
  entry.required("value", [&](const strict::Node &value) {
    std::optional<double> number = value.json().getAsNumber();
    if (number && *number >= least && *number <= kMost)
      field = *number;
    else
      value.expected("a number of at least " + std::to_string(int(least)));
  });
  entry.optional("range", [](const strict::Node &) {});
  entry.required("from", [&](const strict::Node &from) {
    if (from.text().empty())
      from.expected("what the value was taken from");
  });
}

void readFigure(strict::ObjectReader &reader, const char *name, double least,
                double &field) {
  reader.required(
      name, [&](const strict::Node &node) { readFigure(node, least, field); });
}

void readLevel(const strict::Node &node, MemoryLevel &level) {
  strict::ObjectReader reader(node);
  reader.required("name",
                  [&](const strict::Node &name) { level.name = name.text(); });
  readFigure(reader, "bytes", 0, level.bytes);
  readFigure(reader, "latency", 0, level.latency);
  readFigure(reader, "random", 0, level.random);
  readFigure(reader, "bytes_per_cycle", 0, level.bytesPerCycle);
}

/// "" or what a planner could not work with.
std::string findFault(const Processor &processor) {
  if (processor.levels.empty() || processor.levels.back().bytes != 0)
    return "the last of the levels is memory, with 0 bytes";
  double before = 0;
  for (const MemoryLevel &level : processor.levels) {
    if (level.bytesPerCycle <= 0)
      return "level '" + level.name + "' delivers no bytes";
    bool isLast = &level == &processor.levels.back();
    if (!isLast && level.bytes <= before)
      return "level '" + level.name + "' is not larger than the one before it";
    before = level.bytes;
  }
  return "";
}

} // namespace

const MemoryLevel &Processor::levelFor(double bytes) const {
  for (const MemoryLevel &level : levels)
    if (bytes <= level.bytes)
      return level;
  return levels.back();
}

double Processor::randomWithin(double bytes, double least) const {
  double held = 0, cost = 0;
  for (const MemoryLevel &level : levels) {
    bool isLast = &level == &levels.back();
    double until = isLast ? bytes : std::min(bytes, level.bytes);
    double each = least > 0 && &level == &levels.front()
                      ? least
                      : std::max(level.random, least);
    cost += (until - held) * each;
    held = until;
    if (held >= bytes)
      break;
  }
  return bytes > 0 ? cost / bytes : 0;
}

bool heddle::machine::readProcessor(const std::string &json,
                                    Processor &processor, std::string &error) {
  Processor result;
  error = strict::parse(json, "the description", [&](const strict::Node &node) {
    strict::ObjectReader reader(node);
    reader.required(
        "name", [&](const strict::Node &name) { result.name = name.text(); });
    reader.required("target", [](const strict::Node &target) {
      if (target.text() != "cpu")
        target.expected("\"cpu\"");
    });
    reader.optional("about", [](const strict::Node &) {});
    reader.optional("llvm_names", [&](const strict::Node &names) {
      names.list([&](const strict::Node &name) {
        result.llvmNames.push_back(name.text());
      });
    });
    reader.optional("measured", [](const strict::Node &) {});
    readFigure(reader, "cores", 1, result.cores);
    readFigure(reader, "vector_bytes", 4, result.vectorBytes);
    readFigure(reader, "vector_registers", 4, result.vectorRegisters);
    readFigure(reader, "clock_ghz", 0, result.clockGhz);
    readFigure(reader, "line_bytes", 1, result.lineBytes);
    reader.required("costs", [&](const strict::Node &costs) {
      strict::ObjectReader fields(costs);
      for (auto [name, field] : {std::tuple("fma_latency", &result.fmaLatency),
                                 {"add_latency", &result.addLatency},
                                 {"vector_fma", &result.vectorFma},
                                 {"loop", &result.loop},
                                 {"walk", &result.walk},
                                 {"walk_start", &result.walkStart},
                                 {"window", &result.window},
                                 {"branch_miss", &result.branchMiss},
                                 {"store_forward", &result.storeForward},
                                 {"gather", &result.gather},
                                 {"scatter", &result.scatter},
                                 {"lane_step", &result.laneStep},
                                 {"merge_step", &result.mergeStep},
                                 {"bitmap_set", &result.bitmapSet},
                                 {"bitmap_walk", &result.bitmapWalk},
                                 {"fork_join", &result.forkJoin}})
        readFigure(fields, name, 0, *field);
      for (auto [name, field] :
           {std::tuple("gather_start", &result.gatherStart),
            {"scatter_start", &result.scatterStart}})
        fields.optional(name, [&, field = field](const strict::Node &node) {
          readFigure(node, 0, *field);
        });
    });
    reader.required("levels", [&](const strict::Node &list) {
      list.list([&](const strict::Node &level) {
        readLevel(level, result.levels.emplace_back());
      });
    });
  });
  if (error.empty())
    error = findFault(result);
  if (error.empty())
    processor = std::move(result);
  return error.empty();
}
