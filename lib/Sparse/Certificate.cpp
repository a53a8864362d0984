//===- Certificate.cpp - Why a plan was chosen, to be checked -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Certificate.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <set>

using namespace heddle::sparse;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

/// Arrays beyond this many numbers are left out.
constexpr int64_t kMostNumbers = 20000;

const char *spell(Level level) {
  switch (level) {
  case Level::Dense:
    return "dense";
  case Level::Compressed:
    return "compressed";
  case Level::List:
    return "list";
  case Level::Singleton:
    return "singleton";
  }
  return "";
}

class Writer {
public:
  Writer(const Statement &statement, const Statistics &statistics)
      : statement(statement), statistics(statistics) {}

  Value name(int index) const {
    return index < 0 ? "" : statement.indices[size_t(index)];
  }

  Array names(const std::vector<int> &indices) const {
    Array all;
    for (int index : indices)
      all.push_back(name(index));
    return all;
  }

  Object access(const Access &access) const {
    Array levels;
    for (Level level : access.format.levels)
      levels.push_back(spell(level));
    return Object{{"tensor", access.tensor},
                  {"indices", names(access.indices)},
                  {"levels", std::move(levels)},
                  {"axes", Array(access.format.axes)},
                  {"bits", Array{access.format.positionBits,
                                 access.format.coordinateBits}}};
  }

  Object einsum() const {
    Array terms;
    for (const auto &factors : statement.terms) {
      Array all;
      for (const Access &factor : factors)
        all.push_back(access(factor));
      terms.push_back(std::move(all));
    }
    Array then;
    for (heddle::ScalarFunction function : statement.then)
      then.push_back(std::string(heddle::nameOfFunction(function)));
    return Object{{"indices", Array(statement.indices)},
                  {"mask", statement.mask ? Value(access(*statement.mask))
                                          : Value(nullptr)},
                  {"then", std::move(then)},
                  {"exact", statement.hasExactElements},
                  {"result", access(statement.result)},
                  {"terms", std::move(terms)},
                  {"semiring", std::string(nameOfSemiring(statement.semiring))},
                  {"element", spell(statement.element)}};
  }

  Object machine() const {
    const heddle::machine::Processor &processor = statistics.processor();
    Array levels;
    for (const auto &level : processor.levels)
      levels.push_back(Object{{"name", level.name},
                              {"bytes", level.bytes},
                              {"random", level.random},
                              {"bytes_per_cycle", level.bytesPerCycle}});
    return Object{{"name", processor.name},
                  {"vector_bytes", processor.vectorBytes},
                  {"line_bytes", processor.lineBytes},
                  {"fma_latency", processor.fmaLatency},
                  {"add_latency", processor.addLatency},
                  {"vector_fma", processor.vectorFma},
                  {"loop", processor.loop},
                  {"walk", processor.walk},
                  {"walk_start", processor.walkStart},
                  {"window", processor.window},
                  {"branch_miss", processor.branchMiss},
                  {"store_forward", processor.storeForward},
                  {"gather", processor.gather},
                  {"gather_start", processor.gatherStart},
                  {"scatter", processor.scatter},
                  {"scatter_start", processor.scatterStart},
                  {"lane_step", processor.laneStep},
                  {"merge_step", processor.mergeStep},
                  {"bitmap_set", processor.bitmapSet},
                  {"bitmap_walk", processor.bitmapWalk},
                  {"levels", std::move(levels)}};
  }

  Object nest(const Candidate &candidate) const {
    const Nest &nest = candidate.nest;
    Array iterations;
    for (const Monomial &symbols : candidate.iterations)
      iterations.push_back(symbols.text());
    return Object{{"order", names(nest.order)},
                  {"loops", Array(nest.loops)},
                  {"parallel", name(nest.parallel)},
                  {"chunk", nest.chunk},
                  {"vector", name(nest.vector)},
                  {"width", nest.width},
                  {"into", spell(nest.into)},
                  {"assemble", spell(nest.assemble, nest.pattern)},
                  {"iterations", std::move(iterations)},
                  {"visits", Array(candidate.visits)},
                  {"cycles", candidate.cost},
                  {"for_all_sizes", candidate.isDominated}};
  }

private:
  const Statement &statement;
  const Statistics &statistics;
};

Value arrays(const Tensor &tensor) {
  auto numbers = [](const IndexArray &array) {
    Array all;
    for (int64_t i = 0; i < array.size(); ++i)
      all.push_back(array.get(i));
    return all;
  };
  Array positions, coordinates;
  for (int level = 0; level < tensor.format.rank(); ++level) {
    positions.push_back(numbers(tensor.positions[size_t(level)]));
    coordinates.push_back(numbers(tensor.coordinates[size_t(level)]));
  }
  return Object{{"positions", std::move(positions)},
                {"coordinates", std::move(coordinates)}};
}

} // namespace

std::string heddle::sparse::writeCertificate(
    const Statement &statement, int term, const Statistics &statistics,
    const std::vector<Candidate> &candidates,
    const std::map<std::string, const Tensor *> &operands) {
  Writer writer(statement, statistics);
  Object extents, counts;
  for (size_t index = 0; index < statement.indices.size(); ++index)
    extents[statement.indices[index]] = statistics.extents[index];
  for (const Access &access : statement.terms[size_t(term)])
    if (auto found = statistics.counts.find(access.tensor);
        found != statistics.counts.end())
      counts[access.tensor] = Array(found->second);
  Array plans, refused;
  std::set<std::vector<int>> planned;
  for (const Candidate &candidate : candidates) {
    plans.push_back(writer.nest(candidate));
    planned.insert(candidate.nest.order);
  }
  std::vector<int> order = statement.indicesOf(term);
  do
    if (!planned.count(order))
      refused.push_back(writer.names(order));
  while (std::next_permutation(order.begin(), order.end()));
  Object root{{"statement", writer.einsum()},  {"term", term},
              {"machine", writer.machine()},   {"workers", statistics.workers},
              {"extents", std::move(extents)}, {"counts", std::move(counts)},
              {"plans", std::move(plans)},     {"refused", std::move(refused)}};
  int64_t numbers = 0;
  for (const auto &[name, tensor] : operands)
    for (int level = 0; level < tensor->format.rank(); ++level)
      numbers += tensor->positions[size_t(level)].size() +
                 tensor->coordinates[size_t(level)].size();
  if (!operands.empty() && numbers <= kMostNumbers) {
    Object all;
    for (const auto &[name, tensor] : operands)
      all[name] = arrays(*tensor);
    root["operands"] = std::move(all);
  }
  return llvm::formatv("{0:1}", Value(std::move(root))).str();
}
