//===- RegionPrices.cpp - What a region of statements takes ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionPrices.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Sparse/RowWork.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/Diagnostics.h"

#include <queue>
#include <set>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

/// Tokens up to which a way is counted whole.
static constexpr double kMostCounted = 600'000;
/// Outermost coordinates that a first look takes.
static constexpr size_t kFirstLook = 48;
/// Of rows with less work than the most, so many at least are walked.
static constexpr size_t kLeastRows = 16;
/// Ways of one region that are counted, and orders that are tried for them.
static constexpr size_t kMostWays = 12, kMostTries = 48;
/// Orders that handle so many times the coordinates of the best are left out.
static constexpr double kFarWorse = 8;

std::string heddle::tool::findTokenCycles(flow::GraphOp graph,
                                          const machine::Units &units,
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

RegionPricer::RegionPricer(
    einsum::ProgramOp source, const ProgramStatistics &statistics,
    std::map<std::string, const sparse::Tensor *> tensors,
    const machine::Units &units, simulator::Options options)
    : tensors(std::move(tensors)), units(units), options(options) {
  einsum::PlanOp plan = findPlan(source);
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    statements.push_back(op);
  described = describeStatements(source);
  for (auto [op, statement, given] :
       zip_equal(statements, described, statistics)) {
    sparse::Statistics known = given;
    for (const auto &[name, tensor] : this->tensors) {
      auto &counts = known.counts[name];
      counts.clear();
      for (int level = 0; level < tensor->format.rank(); ++level)
        counts.push_back(tensor->countOfLevel(level));
    }
    std::string error;
    orders.push_back(sparse::rankOrders(statement, known, error));
    noOrder.push_back(std::move(error));
    // What a person wrote stays.
    if (!plan)
      continue;
    for (auto entry : plan.getBody().front().getOps<einsum::StreamsOp>())
      if (entry.getStatement() == op.getName()) {
        // A wrong one is told where it is lowered.
        auto fixed = describeStreams(entry, statement);
        orders.back().clear();
        if (succeeded(fixed))
          orders.back().push_back(std::move(*fixed));
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
  std::vector<sparse::RankedOrder> take() {
    std::vector<size_t> choice = queue.top().second;
    queue.pop();
    std::vector<sparse::RankedOrder> orders;
    for (size_t i = 0; i < choice.size(); ++i)
      orders.push_back((*lists[i])[choice[i]]);
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

const sparse::Tensor &RegionPricer::argumentOf(flow::GraphOp graph,
                                               mlir::Value argument) {
  unsigned number = cast<mlir::BlockArgument>(argument).getArgNumber();
  return *tensors.at(
      cast<mlir::StringAttr>(graph.getArgNames()[number]).getValue().str());
}

const sparse::Tensor &RegionPricer::tensorOf(flow::WriteOp write) {
  std::string name = write.getName().str();
  if (auto found = tensors.find(name); found != tensors.end())
    return *found->second;
  sparse::Tensor &copy = copies[name];
  if (!copy.extents.empty())
    return copy;
  const sparse::Tensor &source = argumentOf(
      write->getParentOfType<flow::GraphOp>(), write.getShape().front());
  std::string error;
  sparse::Tensor::build(
      describeFormat(cast<mlir::RankedTensorType>(write.getTensor().getType())),
      source.element, source.extents, source.entries(), copy, error);
  return copy;
}

mlir::LogicalResult RegionPricer::addPart(flow::GraphOp graph,
                                          std::vector<bool> walked,
                                          double scale, flow::GraphRun &sum) {
  flow::GraphRun run;
  run.walked = std::move(walked);
  run.scale = scale;
  run.countsOnly = true;
  run.lineBytes = units.lineBytes;
  for (mlir::BlockArgument argument : graph.getEntry().getArguments())
    run.arguments.push_back(argumentOf(graph, argument));
  if (failed(flow::interpret(graph, run)))
    return mlir::failure();
  sum.tokens += run.tokens;
  sum.operations += run.operations;
  sum.words += run.words - run.wordsWritten;
  for (auto [op, turns] : run.turns)
    sum.turns[op] += turns;
  for (auto [op, lines] : run.lines)
    if (!isa<flow::WriteOp>(op))
      sum.lines[op] += lines;
  return mlir::success();
}

/// Every `stride`th of a list of rows, from the middle of the first on; their
/// part of the weight of all.
static double pick(ArrayRef<size_t> rows, double stride,
                   const std::vector<double> &weights,
                   std::vector<bool> &walked) {
  double some = 0, all = 0;
  for (size_t row : rows)
    all += weights[row];
  for (double at = stride / 2; at < double(rows.size()); at += stride) {
    walked[rows[size_t(at)]] = true;
    some += weights[rows[size_t(at)]];
  }
  return some / all;
}

mlir::LogicalResult RegionPricer::count(sparse::StatementSet set,
                                        flow::GraphOp graph, RegionPrice &way) {
  std::vector<sparse::Statement> members;
  for (auto [number, statement] : enumerate(described))
    if (set >> number & 1)
      members.push_back(statement);
  std::vector<double> weights = sparse::weighRows(members, way.orders, tensors);
  std::vector<size_t> rows(weights.size());
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = i;
  stable_sort(rows,
              [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  // A first look at rows of every size says how many tokens there may be.
  double tokens = 0;
  if (rows.size() > kFirstLook) {
    std::vector<bool> walked(rows.size());
    double part =
        pick(rows, double(rows.size()) / double(kFirstLook), weights, walked);
    flow::GraphRun look;
    if (failed(addPart(graph, std::move(walked), 1 / part, look)))
      return mlir::failure();
    tokens = double(look.tokens);
  }
  flow::GraphRun sum;
  if (tokens <= kMostCounted) {
    if (failed(addPart(graph, {}, 1, sum)))
      return mlir::failure();
    return finish(graph, sum, way);
  }
  // Rows with much work are all walked, of the others some of every size.
  exact = false;
  double all = 0, heavy = 0, part = kMostCounted / 2 / tokens;
  for (double weight : weights)
    all += weight;
  std::vector<bool> walked(rows.size());
  size_t first = 0;
  while (first < rows.size() && heavy + weights[rows[first]] <= all * part) {
    heavy += weights[rows[first]];
    walked[rows[first++]] = true;
  }
  if (first > 0 && failed(addPart(graph, walked, 1, sum)))
    return mlir::failure();
  ArrayRef<size_t> others = ArrayRef(rows).drop_front(first);
  walked.assign(rows.size(), false);
  if (others.empty())
    return finish(graph, sum, way);
  double stride =
      std::min(std::max(1.0, 1 / part),
               std::max(1.0, double(others.size()) / double(kLeastRows)));
  double picked = pick(others, stride, weights, walked);
  if (failed(addPart(graph, std::move(walked), 1 / picked, sum)))
    return mlir::failure();
  return finish(graph, sum, way);
}

std::optional<RegionPrice> RegionPricer::countAll(sparse::StatementSet set,
                                                  const RegionPrice &way) {
  auto module = makeRegionProgram(statementsOf(set), way.orders);
  RegionPrice counted;
  flow::GraphRun sum;
  if (failed(lowerEinsumToFlow(*module)))
    return std::nullopt;
  flow::GraphOp graph = *module->getOps<flow::GraphOp>().begin();
  if (failed(addPart(graph, {}, 1, sum)) || failed(finish(graph, sum, counted)))
    return std::nullopt;
  return counted;
}

mlir::LogicalResult RegionPricer::finish(flow::GraphOp graph,
                                         const flow::GraphRun &run,
                                         RegionPrice &way) {
  StringMap<int64_t> cycles;
  if (std::string lack = findTokenCycles(graph, units, cycles); !lack.empty())
    return report(graph, diag::machine) << lack;
  way.operations = run.operations;
  way.tokens = run.tokens;
  way.words = run.words;
  llvm::DenseMap<mlir::Operation *, int64_t> lines = run.lines;
  for (auto write : graph.getEntry().getOps<flow::WriteOp>()) {
    const sparse::Tensor &tensor = tensorOf(write);
    int64_t words = flow::wordsMoved(write, tensor);
    way.words += words;
    lines[write] = int64_t(divideCeil(
        uint64_t(words * sparse::sizeOf(tensor.element)), units.lineBytes));
  }
  auto kernels = groupByKernel(graph);
  if (failed(kernels))
    return mlir::failure();
  int64_t most = 0;
  for (const auto &kernel : *kernels) {
    int64_t busiest = 0, processes = 0;
    StringMap<int64_t> ofName;
    for (mlir::Operation *op : kernel) {
      std::string name = op->getName().stripDialect().str();
      auto write = dyn_cast<flow::WriteOp>(op);
      int64_t parts = write ? int64_t(write.getParts()) : 1;
      processes += parts;
      int64_t turns = run.turns.lookup(op) * cycles.lookup(name);
      way.turns.push_back(turns);
      int64_t has = units.findUnit(name)->count;
      if ((ofName[name] += parts) > has)
        return report(op, diag::units_overflow)
               << "machine '" << units.name << "' has " << has << " units for '"
               << name << "', and a kernel needs more";
      busiest = std::max(busiest, turns);
      if (turns <= most)
        continue;
      most = turns;
      way.busiest = name;
      if (auto type = dyn_cast<flow::StreamType>(op->getResultTypes()[0]))
        if (type.getDepth())
          way.busiest += " " + type.getNest().back().str();
    }
    way.memory.push_back(findMemory(kernel, lines));
    int64_t least = addMemory(units, way.memory.back(), busiest);
    if (cyclesOfLines(units, way.memory.back()) > most) {
      most = cyclesOfLines(units, way.memory.back());
      way.busiest = "memory";
    }
    way.bound += double(least);
    way.units = std::max(way.units, processes);
  }
  sort(way.turns, std::greater<>());
  return mlir::success();
}

std::optional<RegionPrice>
RegionPricer::priceOrders(sparse::StatementSet set,
                          std::vector<sparse::RankedOrder> given,
                          std::string &why) {
  std::vector<einsum::StatementOp> members = statementsOf(set);
  RegionPrice way;
  way.orders = std::move(given);
  // What has no streams is no message here, but a reason, without its id.
  std::string reason;
  mlir::ScopedDiagnosticHandler handler(
      members[0].getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (reason.empty())
          reason = StringRef(diagnostic.str()).rsplit(" [").first.str();
        return mlir::success();
      });
  auto module = makeRegionProgram(members, way.orders);
  ++priced;
  if (succeeded(lowerEinsumToFlow(*module)) &&
      succeeded(count(set, *module->getOps<flow::GraphOp>().begin(), way)))
    return way;
  why = std::move(reason);
  return std::nullopt;
}

RegionPrices RegionPricer::price(sparse::StatementSet set) {
  std::vector<const std::vector<sparse::RankedOrder> *> lists;
  RegionPrices prices;
  for (auto [number, list] : enumerate(orders)) {
    if (!(set >> number & 1))
      continue;
    lists.push_back(&list);
    if (list.empty() && prices.declined.empty())
      prices.declined = noOrder[number];
  }
  Choices choices(std::move(lists));
  double best = choices.isDone() ? 0 : choices.least();
  size_t tries = 0;
  while (!choices.isDone() && prices.ways.size() < kMostWays &&
         tries < kMostTries &&
         (prices.ways.empty() || choices.least() <= best * kFarWorse)) {
    ++tries;
    std::string why;
    if (auto way = priceOrders(set, choices.take(), why))
      prices.ways.push_back(std::move(*way));
    else if (prices.declined.empty())
      prices.declined = std::move(why);
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
  run.engine = Engine::Auto;
  run.tokens = way.tokens;
  for (mlir::BlockArgument argument : graph.getEntry().getArguments())
    run.tensors[argument] = argumentOf(graph, argument);
  for (auto write : graph.getEntry().getOps<flow::WriteOp>())
    run.tensors[write.getTensor()] = tensorOf(write);
  auto fault = runFlowKernels(*module, *kernels, run);
  if (failed(fault) || !fault->empty())
    return std::nullopt;
  double cycles = 0;
  for (auto [times, memory] : zip_equal(run.runs, way.memory))
    cycles += double(addMemory(units, memory, times.cycles));
  return cycles;
}
