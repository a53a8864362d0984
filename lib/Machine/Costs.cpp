//===- Costs.cpp - Reads the costs of a machine description ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Costs.h"

#include "ReadLimits.h"

#include "heddle/Support/JsonReader.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace heddle;
using namespace heddle::machine;

namespace {

/// A number of a description and where it goes.
struct Field {
  const char *name;
  double *value;
  /// Must be a whole number, and at least this.
  bool isWhole = false;
  double least = 0;
};

struct Section {
  const char *name;
  std::vector<Field> fields;
};

constexpr bool kWhole = true;

std::vector<Section> sectionsOf(Costs &costs) {
  Costs::Instructions &one = costs.instructions;
  return {
      {"tensor",
       {{"rows", &costs.tensor.rows, kWhole, 1},
        {"flops_per_cycle", &costs.tensor.flopsPerCycle, kWhole, 1},
        {"warp_flops_per_cycle", &costs.tensor.warpFlopsPerCycle, kWhole, 1},
        {"shared_bytes_per_cycle", &costs.tensor.sharedBytesPerCycle},
        {"shared_bytes_both_ways", &costs.tensor.sharedBytesBothWays},
        {"latency", &costs.tensor.latency},
        {"issue", &costs.tensor.issue},
        {"issue_step", &costs.tensor.issueStep},
        {"issue_register_step", &costs.tensor.issueRegisterStep},
        {"queue_steps", &costs.tensor.queueSteps, kWhole}}},
      {"tensor_memory",
       {{"columns", &costs.tensorMemory.columns, kWhole},
        {"load_column", &costs.tensorMemory.loadColumn},
        {"store_column", &costs.tensorMemory.storeColumn}}},
      {"copy",
       {{"bytes_per_cycle", &costs.copy.bytesPerCycle, false, 1},
        {"latency", &costs.copy.latency},
        {"latency_spread", &costs.copy.latencySpread},
        {"line_bytes", &costs.copy.lineBytes, kWhole, 1},
        {"off_lines", &costs.copy.offLines, false, 1},
        {"sector_bytes", &costs.copy.sectorBytes, kWhole, 1},
        {"off_sectors", &costs.copy.offSectors, false, 1},
        {"issue", &costs.copy.issue}}},
      {"hand_over",
       {{"mbarrier", &costs.handOver.mbarrier},
        {"named_barrier", &costs.handOver.namedBarrier},
        {"step", &costs.handOver.step},
        {"apart", &costs.handOver.apart}}},
      {"instructions",
       {{"arithmetic", &one.arithmetic},
        {"wide", &one.wide},
        {"compare", &one.compare},
        {"integer", &one.integer},
        {"narrow", &one.narrow},
        {"widen", &one.widen},
        {"special", &one.special},
        {"shuffle", &one.shuffle},
        {"memory", &one.memory},
        {"barrier", &one.barrier},
        {"latency", &one.latency},
        {"special_latency", &one.specialLatency},
        {"shuffle_latency", &one.shuffleLatency},
        {"row_work", &one.rowWork, kWhole, 1},
        {"branch", &one.branch}}},
      {"beside_products",
       {{"arithmetic", &costs.besideProducts.arithmetic, false, 1},
        {"compare", &costs.besideProducts.compare, false, 1},
        {"narrow", &costs.besideProducts.narrow, false, 1},
        {"special", &costs.besideProducts.special, false, 1}}},
      {"registers",
       {{"row_lanes", &costs.registers.rowLanes, kWhole, 1},
        {"most", &costs.registers.most, kWhole, 1},
        {"overhead", &costs.registers.overhead, kWhole},
        {"spare", &costs.registers.spare, kWhole},
        {"reducing", &costs.registers.reducing, kWhole},
        {"loader", &costs.registers.loader, kWhole},
        {"copying", &costs.registers.copying, kWhole},
        {"floor", &costs.registers.floor, kWhole},
        {"wanted", &costs.registers.wanted, kWhole},
        {"rows", &costs.registers.rows, kWhole},
        {"copying_least", &costs.registers.copyingLeast, kWhole},
        {"copying_more", &costs.registers.copyingMore, kWhole},
        {"rearranged", &costs.registers.rearranged, kWhole},
        {"joining", &costs.registers.joining, kWhole},
        {"comparisons", &costs.registers.comparisons, kWhole, 1}}},
      {"shared",
       {{"barrier_bytes", &costs.shared.barrierBytes, kWhole},
        {"staging_bytes", &costs.shared.stagingBytes, kWhole},
        {"ring_depth", &costs.shared.ringDepth, kWhole, 1},
        {"tile_alignment", &costs.shared.tileAlignment, kWhole, 1}}},
      {"thread_copy",
       {{"batch", &costs.threadCopy.batch, kWhole, 1},
        {"column_batch", &costs.threadCopy.columnBatch, kWhole, 1},
        {"least_batch", &costs.threadCopy.leastBatch, kWhole, 1},
        {"hold_places", &costs.threadCopy.holdPlaces, kWhole},
        {"held", &costs.threadCopy.held, kWhole},
        {"computed", &costs.threadCopy.computed, kWhole},
        {"unrolled", &costs.threadCopy.unrolled, kWhole, 1},
        {"issue", &costs.threadCopy.issue, kWhole},
        {"move", &costs.threadCopy.move, kWhole}}},
      {"memory", {{"bytes_per_cycle", &costs.memory.bytesPerCycle, false, 1}}},
      {"rows",
       {{"elements_per_thread", &costs.rows.elementsPerThread, kWhole, 1},
        {"fewest_warps", &costs.rows.fewestWarps, kWhole, 1},
        {"most_warps", &costs.rows.mostWarps, kWhole, 1},
        {"in_flight", &costs.rows.inFlight, kWhole, 1},
        {"sum_columns", &costs.rows.sumColumns, kWhole, 1}}},
      {"choices",
       {{"saturated", &costs.choices.saturated},
        {"token_round", &costs.choices.tokenRound},
        {"deferring", &costs.choices.deferring},
        {"model_error", &costs.choices.modelError},
        {"other_tiles", &costs.choices.otherTiles},
        {"deferred_iterations", &costs.choices.deferredIterations, kWhole, 1}}},
      {"instances",
       {{"group", &costs.instances.group, kWhole, 1},
        {"uneven_group", &costs.instances.unevenGroup, kWhole, 1},
        {"behind", &costs.instances.behind},
        {"launch", &costs.instances.launch}}},
  };
}

/// The number of `node`, or nothing after an error.
std::optional<double> readNumber(const strict::Node &node,
                                 const std::string &expected, double least,
                                 bool isWhole) {
  std::optional<double> number = node.json().getAsNumber();
  if (number && *number >= least &&
      (!isWhole || *number == std::floor(*number)))
    return number;
  node.expected(expected);
  return std::nullopt;
}

/// How far the truth may be from a value that is not measured.
void checkRange(const strict::Node &node, double value) {
  std::vector<std::optional<double>> ends;
  for (const strict::Node &end : node.tuple(2, "a list of 2"))
    ends.push_back(readNumber(end, "a number", 0, false));
  if (node.failed() || (*ends[0] <= value && value <= *ends[1]))
    return;
  node.expected("two numbers around the value " +
                strict::describe(llvm::json::Value(value)));
}

void readField(const strict::Node &node, const Field &field) {
  strict::ObjectReader reader(node);
  reader.required("value", [&](const strict::Node &value) {
    std::string expected =
        llvm::formatv("a {0}number of at least {1}",
                      field.isWhole ? "whole " : "", int64_t(field.least));
    if (auto number = readNumber(value, expected, field.least, field.isWhole))
      *field.value = *number;
  });
  reader.required("from", [&](const strict::Node &from) {
    if (from.text().empty())
      from.expected("what the value was taken from");
  });
  reader.optional("range", [&](const strict::Node &range) {
    checkRange(range, *field.value);
  });
}

/// Some of the costs again, as fitted to measured kernels.
void readFitted(const strict::Node &node, Costs &costs) {
  Costs fitted = costs;
  strict::ObjectReader reader(node);
  for (const Section &section : sectionsOf(fitted))
    reader.optional(section.name, [&](const strict::Node &table) {
      strict::ObjectReader fields(table);
      for (const Field &field : section.fields)
        fields.optional(field.name, [&](const strict::Node &entry) {
          readField(entry, field);
          costs.fitted[std::string(section.name) + "." + field.name] =
              *field.value;
        });
    });
}

void readSections(const strict::Node &node, Costs &costs) {
  strict::ObjectReader reader(node);
  for (const Section &section : sectionsOf(costs))
    reader.required(section.name, [&](const strict::Node &table) {
      strict::ObjectReader fields(table);
      for (const Field &field : section.fields)
        fields.required(field.name, [&](const strict::Node &entry) {
          readField(entry, field);
        });
    });
}

} // namespace

int64_t heddle::machine::wholeCycles(double cycles) {
  // Decimal fractions are not exact: 1.1 x 10 is no 12.
  return std::max<int64_t>(1, std::ceil(cycles - 1e-6));
}

Costs Costs::asFitted() const {
  Costs costs = *this;
  for (const Section &section : sectionsOf(costs))
    for (const Field &field : section.fields)
      if (auto found =
              fitted.find(std::string(section.name) + "." + field.name);
          found != fitted.end())
        *field.value = found->second;
  return costs;
}

Costs Costs::whileProductsRun() const {
  Costs costs = *this;
  costs.instructions.arithmetic *= besideProducts.arithmetic;
  costs.instructions.compare *= besideProducts.compare;
  costs.instructions.narrow *= besideProducts.narrow;
  costs.instructions.special *= besideProducts.special;
  return costs;
}

int64_t Costs::tensorColumns(int64_t rows, int64_t columns,
                             int64_t bits) const {
  return std::ceil(rows / tensor.rows) * std::ceil(columns * bits / 32.0);
}

bool heddle::machine::readCosts(const std::string &json, Costs &costs,
                                std::string &error) {
  Costs result;
  auto readFields = [&](const strict::Node &node) {
    strict::ObjectReader reader(node);
    reader.required("name", [&](const strict::Node &name) {
      if ((result.name = name.text()).empty())
        name.expected("the machine's name");
    });
    reader.required("target", [&](const strict::Node &target) {
      result.target = target.text();
    });
    for (const char *other : {"about", "limits", "measured"})
      reader.optional(other, [](const strict::Node &) {});
    reader.required("costs", [&](const strict::Node &table) {
      readSections(table, result);
    });
    reader.optional("fitted", [&](const strict::Node &table) {
      readFitted(table, result);
    });
  };
  std::string limits;
  error = strict::parse(json, "the description", [&](const strict::Node &node) {
    readFields(node);
    readLimits(node.json(), result.limits, limits);
  });
  // What is wrong with limits is said of a description that is right otherwise.
  if (error.empty())
    error = limits;
  if (!error.empty())
    return false;
  costs = result;
  return true;
}
