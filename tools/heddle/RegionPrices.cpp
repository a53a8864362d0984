//===- RegionPrices.cpp - What a region of statements takes ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionPrices.h"

#include "mlir/IR/Diagnostics.h"

#include <queue>
#include <set>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

/// Tokens up to which a way is counted whole.
static constexpr double kMostCounted = 400'000;
/// Outermost coordinates that a first look takes.
static constexpr int64_t kFirstLook = 64;
/// Ways of one region that are counted, and orders that are tried for them.
static constexpr size_t kMostWays = 12, kMostTries = 48;
/// Orders that handle so many times the coordinates of the best are left out.
static constexpr double kFarWorse = 8;

std::string
heddle::tool::findTokenCycles(flow::GraphOp graph, const machine::Units &units,
                              StringMap<int64_t> &cycles) {
  for (mlir::Operation &op : graph.getEntry().without_terminator()) {
    std::string name = op.getName().stripDialect().str();
    const machine::Unit *unit = units.findUnit(name);
    if (!unit)
      return "machine '" + units.name + "' has no unit for the primitive '" +
             name + "'";
    cycles[name] = unit->turn;
  }
  return {};
}

RegionPricer::RegionPricer(einsum::ProgramOp source,
                           const ProgramStatistics &statistics,
                           std::map<std::string, const sparse::Tensor *> tensors,
                           const machine::Units &units,
                           simulator::Options options)
    : tensors(std::move(tensors)), units(units), options(options) {
  einsum::PlanOp plan = findPlan(source);
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    statements.push_back(op);
  for (auto [op, given] : zip_equal(statements, statistics)) {
    sparse::Statistics known = given;
    for (const auto &[name, tensor] : this->tensors) {
      auto &counts = known.counts[name];
      counts.clear();
      for (int level = 0; level < tensor->format.rank(); ++level)
        counts.push_back(tensor->countOfLevel(level));
    }
    sparse::Statement statement = describeStatement(op);
    std::string error;
    orders.push_back(sparse::rankOrders(statement, known, error));
    // What a person wrote stays.
    if (!plan)
      continue;
    for (auto entry : plan.getBody().front().getOps<einsum::StreamsOp>())
      if (entry.getStatement() == op.getName()) {
        std::vector<int> fixed;
        for (mlir::Attribute name : entry.getOrder())
          fixed.push_back(
              int(find(statement.indices,
                       cast<mlir::StringAttr>(name).getValue().str()) -
                  statement.indices.begin()));
        orders.back() = {{fixed, 0}};
      }
  }
}

std::vector<sparse::StatementSet> RegionPricer::getReads() const {
  std::vector<sparse::StatementSet> reads;
  for (einsum::StatementOp op : statements) {
    sparse::StatementSet set = 0;
    for (mlir::Value operand : op->getOperands())
      for (auto [number, made] : enumerate(statements))
        if (operand.getDefiningOp() == made)
          set |= sparse::StatementSet(1) << number;
    reads.push_back(set);
  }
  return reads;
}

std::vector<einsum::StatementOp>
RegionPricer::statementsOf(sparse::StatementSet set) const {
  std::vector<einsum::StatementOp> some;
  for (auto [number, op] : enumerate(statements))
    if (set >> number & 1)
      some.push_back(op);
  return some;
}

namespace {

/// Choices of an order for each statement, the fewest coordinates in sum first.
class Choices {
public:
  explicit Choices(std::vector<const std::vector<sparse::RankedOrder> *> lists)
      : lists(std::move(lists)) {
    bool isAny = all_of(this->lists, [](auto *list) { return !list->empty(); });
    if (isAny)
      add(std::vector<size_t>(this->lists.size(), 0));
  }

  bool isDone() const { return queue.empty(); }
  double least() const { return queue.top().first; }
  std::vector<std::vector<int>> take() {
    std::vector<size_t> choice = queue.top().second;
    queue.pop();
    std::vector<std::vector<int>> orders;
    for (size_t i = 0; i < choice.size(); ++i)
      orders.push_back((*lists[i])[choice[i]].order);
    for (size_t i = 0; i < choice.size(); ++i) {
      std::vector<size_t> next = choice;
      if (++next[i] < lists[i]->size())
        add(std::move(next));
    }
    return orders;
  }
  double count() const {
    double all = 1;
    for (auto *list : lists)
      all *= double(list->size());
    return all;
  }

private:
  void add(std::vector<size_t> choice) {
    if (!seen.insert(choice).second)
      return;
    double sum = 0;
    for (size_t i = 0; i < choice.size(); ++i)
      sum += (*lists[i])[choice[i]].coordinates;
    queue.push({sum, std::move(choice)});
  }

  using Entry = std::pair<double, std::vector<size_t>>;
  std::vector<const std::vector<sparse::RankedOrder> *> lists;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  std::set<std::vector<size_t>> seen;
};

} // namespace

mlir::LogicalResult RegionPricer::interpret(flow::GraphOp graph,
                                            flow::GraphRun &run) {
  for (mlir::BlockArgument argument : graph.getEntry().getArguments())
    run.arguments.push_back(*tensors.at(
        cast<mlir::StringAttr>(graph.getArgNames()[argument.getArgNumber()])
            .getValue()
            .str()));
  return flow::interpret(graph, run);
}

mlir::LogicalResult RegionPricer::count(flow::GraphOp graph, RegionPrice &way) {
  int64_t longest = 1;
  for (mlir::Attribute name : graph.getArgNames())
    for (int64_t extent :
         tensors.at(cast<mlir::StringAttr>(name).getValue().str())->extents)
      longest = std::max(longest, extent);
  flow::GraphRun run;
  run.oneIn = std::max<int64_t>(1, longest / kFirstLook);
  if (failed(interpret(graph, run)))
    return mlir::failure();
  auto oneIn = int64_t(double(run.tokens) / kMostCounted) + 1;
  if (oneIn < run.oneIn) {
    run = flow::GraphRun();
    run.oneIn = oneIn;
    if (failed(interpret(graph, run)))
      return mlir::failure();
  }
  exact &= run.oneIn == 1;
  way.operations = run.operations;
  way.tokens = run.tokens;
  way.words = run.words - run.wordsWritten;
  for (auto write : graph.getEntry().getOps<flow::WriteOp>())
    way.words += sparse::wordsOf(*tensors.at(write.getName().str()));
  auto kernels = groupByKernel(graph);
  if (failed(kernels))
    return mlir::failure();
  int64_t most = 0;
  for (const auto &kernel : *kernels) {
    int64_t busiest = 0;
    for (mlir::Operation *op : kernel) {
      const machine::Unit *unit =
          units.findUnit(op->getName().stripDialect().str());
      int64_t turns = run.turns.lookup(op) * (unit ? unit->turn : 1);
      busiest = std::max(busiest, turns);
      if (turns <= most)
        continue;
      most = turns;
      way.busiest = op->getName().stripDialect().str();
      if (op->getNumResults() == 1 || !isa<flow::WriteOp>(op))
        if (auto type = dyn_cast<flow::StreamType>(op->getResultTypes()[0]))
          if (type.getDepth())
            way.busiest += " " + type.getNest().back().str();
    }
    way.bound += double(busiest);
  }
  return mlir::success();
}

RegionPrices RegionPricer::price(sparse::StatementSet set) {
  std::vector<einsum::StatementOp> members = statementsOf(set);
  std::vector<const std::vector<sparse::RankedOrder> *> lists;
  for (auto [number, list] : enumerate(orders))
    if (set >> number & 1)
      lists.push_back(&list);
  Choices choices(std::move(lists));
  RegionPrices prices;
  double best = choices.isDone() ? 0 : choices.least();
  size_t tries = 0;
  while (!choices.isDone() && prices.ways.size() < kMostWays &&
         tries < kMostTries &&
         (prices.ways.empty() || choices.least() <= best * kFarWorse)) {
    RegionPrice way;
    way.orders = choices.take();
    ++tries;
    // What has no streams is no message here, but a reason.
    std::string reason;
    mlir::ScopedDiagnosticHandler handler(
        members[0].getContext(), [&](mlir::Diagnostic &diagnostic) {
          if (reason.empty())
            reason = diagnostic.str();
          return mlir::success();
        });
    auto module = makeRegionProgram(members, way.orders);
    ++priced;
    if (succeeded(lowerEinsumToFlow(*module)) &&
        succeeded(count(*module->getOps<flow::GraphOp>().begin(), way)))
      prices.ways.push_back(std::move(way));
    else if (prices.declined.empty())
      prices.declined = reason;
  }
  prices.left = int(std::min(choices.count() - double(tries), 1e9));
  stable_sort(prices.ways, [](const RegionPrice &a, const RegionPrice &b) {
    return a.bound < b.bound;
  });
  return prices;
}

std::optional<double> RegionPricer::simulate(sparse::StatementSet set,
                                             const RegionPrice &way) {
  auto module = makeRegionProgram(statementsOf(set), way.orders);
  if (failed(lowerEinsumToFlow(*module)))
    return std::nullopt;
  flow::GraphOp graph = *module->getOps<flow::GraphOp>().begin();
  FlowKernelOptions lowering;
  findTokenCycles(graph, units, lowering.tokenCycles);
  auto kernels = lowerFlowToAref(graph, *module, lowering);
  if (failed(kernels))
    return std::nullopt;
  FlowKernelsRun run;
  run.options = options;
  run.options.schedule = simulator::Schedule::Local;
  run.compiled = &compiled;
  for (mlir::BlockArgument argument : graph.getEntry().getArguments())
    run.tensors[argument] = *tensors.at(
        cast<mlir::StringAttr>(graph.getArgNames()[argument.getArgNumber()])
            .getValue()
            .str());
  for (auto write : graph.getEntry().getOps<flow::WriteOp>())
    run.tensors[write.getTensor()] = *tensors.at(write.getName().str());
  auto fault = runFlowKernels(*module, *kernels, run);
  if (failed(fault) || !fault->empty())
    return std::nullopt;
  double cycles = 0;
  for (const simulator::TimedRun &times : run.runs)
    cycles += double(times.cycles);
  return cycles;
}
