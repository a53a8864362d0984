//===- RegionSearch.cpp - Divides a program's statements ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionSearch.h"

#include "Command.h"
#include "CopySearch.h"
#include "ProductSearch.h"

#include "heddle/Support/Diagnostics/Flow.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using sparse::StatementSet;

/// A division is taken when it is at most so much above the bound of all.
static constexpr double kEnough = 0.01;
static constexpr int kMostMeasured = 24;
/// A neighbour whose bound is so many times as much is not simulated.
static constexpr double kFar = 2;

namespace {

class Searcher {
public:
  Searcher(einsum::ProgramOp source, RegionPricer &pricer, raw_ostream &os)
      : source(source), pricer(pricer), os(os) {}

  int run() {
    find();
    if (!found.best)
      return explainNone();
    writePlan();
    printDivision();
    printCoarser();
    printFiner();
    printSearch();
    return kFine;
  }

  /// The cycles of the best division; nullopt if there is none.
  std::optional<double> find() {
    search.reads = pricer.getReads();
    for (StatementSet region : sparse::findRegions(search.reads)) {
      RegionPrices &found = prices[region] = pricer.price(region);
      declined += found.ways.empty();
      left += found.left;
      for (const RegionPrice &way : found.ways)
        search.ways[region].push_back({way.bound, {}});
    }
    search.measure = [&](StatementSet region, size_t way) {
      return pricer.simulate(region, prices[region].ways[way]);
    };
    search.enough = kEnough;
    search.mostMeasured = kMostMeasured;
    found = sparse::findDivision(search);
    return found.best ? std::optional(found.best->cost) : std::nullopt;
  }

  /// Each set of statements, by its best way: expected and counted.
  int printPrices() {
    search.reads = pricer.getReads();
    os << "least cycles  simulated  operations     counted       words     "
          "counted  statements\n";
    for (StatementSet region : sparse::findRegions(search.reads)) {
      RegionPrices priced = pricer.price(region);
      if (priced.ways.empty()) {
        os << "declined: " << namesOf(region) << ": " << priced.declined
           << "\n";
        continue;
      }
      const RegionPrice &way = priced.ways[0];
      auto counted = pricer.countAll(region, way);
      auto cycles = pricer.simulate(region, way);
      if (!counted || !cycles)
        return fail(diag::einsum_run,
                    namesOf(region) + " could not be simulated");
      os << format("%12.0f %10.0f  %10lld  %10lld  %10lld  %10lld  ", way.bound,
                   *cycles, static_cast<long long>(way.operations),
                   static_cast<long long>(counted->operations),
                   static_cast<long long>(way.words),
                   static_cast<long long>(counted->words))
         << namesOf(region) << "\n";
    }
    return kFine;
  }

private:
  struct Sum {
    double cycles = 0, operations = 0, words = 0, tokens = 0;
    void add(double cost, const RegionPrice &price) {
      cycles += cost;
      operations += double(price.operations);
      words += double(price.words);
      tokens += double(price.tokens);
    }
  };

  std::string namesOf(StatementSet set) const {
    std::string names;
    for (einsum::StatementOp op : pricer.statementsOf(set))
      names += (names.empty() ? "" : " ") + op.getName().str();
    return names;
  }

  static std::string number(double value) {
    std::string digits = std::to_string(int64_t(value)), text;
    for (size_t i = 0; i < digits.size(); ++i)
      text += (i && (digits.size() - i) % 3 == 0 ? " " : "") +
              std::string(1, digits[i]);
    return text;
  }

  /// Positions and coordinates are as wide as values.
  int bytesOfWord() const {
    einsum::StatementOp op = pricer.statementsOf(1).front();
    return sparse::sizeOf(describeStatement(op).element);
  }

  std::string spell(const Sum &sum) const {
    return number(sum.cycles) + " cycles, " + number(sum.operations) +
           " operations, " + number(sum.words * bytesOfWord()) +
           " bytes moved, " + number(sum.tokens) + " tokens";
  }

  /// The statements that no region has a way for.
  int explainNone() {
    for (auto [number, op] :
         enumerate(source.getEntry().getOps<einsum::StatementOp>())) {
      StatementSet alone = StatementSet(1) << number;
      if (search.ways[alone].empty())
        return fail(diag::flow_unsupported,
                    op.getName() + " has no streams in any region: " +
                        prices[alone].declined);
    }
    return fail(diag::einsum_run, "no division of the statements could be "
                                  "simulated");
  }

  void writePlan() {
    mlir::OpBuilder builder(source->getBlock(),
                            std::next(source->getIterator()));
    einsum::PlanOp plan = findPlan(source);
    if (!plan) {
      plan =
          einsum::PlanOp::create(builder, source.getLoc(), source.getSymName());
      plan.getBody().emplaceBlock();
    }
    for (auto [number, chosen] : enumerate(found.best->regions)) {
      const RegionPrice &price = prices[chosen.first].ways[chosen.second];
      std::string why =
          "in the division of the statements that takes the fewest cycles, " +
          Twine(int64_t(found.best->cost)).str();
      for (auto [op, order] :
           zip_equal(pricer.statementsOf(chosen.first), price.orders))
        setStreams(plan, op, order, int64_t(number), why);
    }
  }

  void printDivision() {
    for (auto [region, way] : found.best->regions)
      best.add(search.ways[region][way].cost(), prices[region].ways[way]);
    os << "regions: ";
    for (auto [at, chosen] : enumerate(found.best->regions))
      os << (at ? " | " : "") << namesOf(chosen.first);
    os << "\n  in all: " << spell(best) << "\n";
    for (auto [region, way] : found.best->regions) {
      const RegionPrice &price = prices[region].ways[way];
      Sum one;
      one.add(search.ways[region][way].cost(), price);
      os << "  " << namesOf(region) << ": " << spell(one) << "\n    orders";
      for (auto [op, order] :
           zip_equal(pricer.statementsOf(region), price.orders)) {
        sparse::Statement statement = describeStatement(op);
        os << " " << op.getName() << "(";
        for (auto [at, index] : enumerate(order.order))
          os << (at ? " " : "") << statement.indices[size_t(index)];
        os << ")";
        if (!order.copies.empty())
          os << " with " << join(order.copies, ", ") << " copied";
      }
      os << "; busiest: '" << price.busiest << "'\n";
    }
  }

  /// The cheapest way of a region, measured unless its bound says enough;
  /// nullptr if there is none.
  const RegionPrice *cheapest(StatementSet region, double &cost) {
    std::vector<sparse::RegionWay> &ways = search.ways[region];
    while (true) {
      auto least = std::min_element(
          ways.begin(), ways.end(),
          [](const auto &a, const auto &b) { return a.cost() < b.cost(); });
      if (least == ways.end() || least->cost() > 1e300)
        return nullptr;
      auto way = size_t(least - ways.begin());
      // What is far slower is not worth its simulation.
      if (least->measured || least->bound > kFar * found.best->cost) {
        isBound |= !least->measured;
        cost = least->cost();
        return &prices[region].ways[way];
      }
      least->measured = search.measure(region, way).value_or(HUGE_VAL);
    }
  }

  double boundOf(StatementSet region) {
    double least = HUGE_VAL;
    for (const sparse::RegionWay &way : search.ways[region])
      least = std::min(least, way.cost());
    return least;
  }

  /// The division with `gone` in place of `come`, in numbers.
  std::optional<Sum> exchange(ArrayRef<StatementSet> gone,
                              ArrayRef<StatementSet> come,
                              std::string &busiest) {
    Sum sum;
    isBound = false;
    for (auto [region, way] : found.best->regions)
      if (!is_contained(gone, region))
        sum.add(search.ways[region][way].cost(), prices[region].ways[way]);
    double longest = 0;
    for (StatementSet region : come) {
      double cost = 0;
      const RegionPrice *price = cheapest(region, cost);
      if (!price)
        return std::nullopt;
      sum.add(cost, *price);
      if (cost > longest)
        busiest = price->busiest;
      longest = std::max(longest, cost);
    }
    return sum;
  }

  static std::string times(double value) {
    std::string text;
    raw_string_ostream(text) << format("%.2f", value);
    return text;
  }

  /// Why a division takes longer, of what has grown most.
  std::string whySlower(const Sum &other, const std::string &busiest) const {
    std::string text;
    if (other.operations > best.operations * 1.02)
      text = "results that are needed more than once are computed more than "
             "once, " +
             times(other.operations / best.operations) +
             " times the operations";
    else if (other.words > best.words * 1.02)
      text = "results go through memory, " + times(other.words / best.words) +
             " times the bytes";
    else if (other.words > best.words)
      text = "results go through memory, " +
             number((other.words - best.words) * bytesOfWord()) +
             " bytes more, and what reads them waits until all are written";
    else if (other.tokens > best.tokens * 1.02)
      text = "more coordinates are handled, " +
             times(other.tokens / best.tokens) + " times the tokens";
    else
      text = "it waits more";
    return text + "; busiest is '" + busiest + "'";
  }

  void printNeighbour(StringRef what, const std::string &regions,
                      const Sum &sum, const std::string &busiest) {
    os << "  " << what << ", " << regions << ": "
       << (isBound ? "at least " : "") << number(sum.cycles)
       << " cycles in all, " << times(sum.cycles / best.cycles)
       << " times as many";
    if (sum.cycles > best.cycles)
      os << ": " << whySlower(sum, busiest);
    os << "\n";
  }

  void printCoarser() {
    if (found.best->regions.size() == 1) {
      os << "  coarser: there is none\n";
      return;
    }
    std::vector<StatementSet> pair;
    double least = HUGE_VAL;
    std::string reason, refused;
    for (size_t i = 0; i < found.best->regions.size(); ++i)
      for (size_t j = i + 1; j < found.best->regions.size(); ++j) {
        auto [one, way] = found.best->regions[i];
        auto [two, other] = found.best->regions[j];
        auto known = prices.find(one | two);
        if (known == prices.end())
          continue;
        double cost = boundOf(one | two) - search.ways[one][way].cost() -
                      search.ways[two][other].cost();
        if (cost < least) {
          least = cost;
          pair = {one, two};
        } else if (known->second.ways.empty() && refused.empty()) {
          refused = namesOf(one | two);
          reason = known->second.declined;
        }
      }
    std::string busiest;
    std::optional<Sum> sum;
    if (!pair.empty())
      sum = exchange(pair, {pair[0] | pair[1]}, busiest);
    if (sum)
      printNeighbour("coarser", namesOf(pair[0] | pair[1]) + " as one", *sum,
                     busiest);
    else if (!refused.empty())
      os << "  coarser, " << refused << " as one: declined: " << reason << "\n";
    else
      os << "  coarser: no two regions have streams between them\n";
  }

  void printFiner() {
    StatementSet split = 0, first = 0;
    double least = HUGE_VAL;
    for (auto [region, way] : found.best->regions)
      for (StatementSet part = (region - 1) & region; part;
           part = (part - 1) & region) {
        if (!prices.count(part) || !prices.count(region & ~part))
          continue;
        double cost = boundOf(part) + boundOf(region & ~part) -
                      search.ways[region][way].cost();
        if (cost < least) {
          least = cost;
          split = region;
          first = part;
        }
      }
    std::string busiest;
    std::optional<Sum> sum;
    if (split)
      sum = exchange({split}, {first, split & ~first}, busiest);
    if (!sum) {
      os << "  finer: there is none\n";
      return;
    }
    StatementSet second = split & ~first;
    if (second & (split & (~split + 1)))
      std::swap(first, second);
    printNeighbour("finer", namesOf(first) + " | " + namesOf(second), *sum,
                   busiest);
  }

  void printSearch() {
    os << "  searched: " << prices.size() << " sets of statements, " << declined
       << " of them declined; " << pricer.getPriced() << " ways priced, "
       << found.measured << " simulated";
    if (left)
      os << "; " << left << " orders left out that handle far more";
    os << "\n  no other division takes less than "
       << number(std::min(found.bound, found.best->cost)) << " cycles"
       << (pricer.isExact() ? "" : ", as estimated on a part of the operands")
       << "\n";
  }

  einsum::ProgramOp source;
  RegionPricer &pricer;
  raw_ostream &os;
  sparse::RegionSearch search;
  sparse::FoundDivision found;
  std::map<StatementSet, RegionPrices> prices;
  Sum best;
  int declined = 0, left = 0;
  bool isBound = false; ///< a neighbour's cycles are the least that it takes
};

} // namespace

/// Prices the regions of `source` for `use`. Its exit code, or another one.
static int usePricer(einsum::ProgramOp source,
                     const std::vector<Operand> &operands,
                     const ProgramStatistics &statistics,
                     const EinsumCheck &check, const RegionRequest &request,
                     function_ref<int(RegionPricer &)> use) {
  machine::Units units;
  std::string error;
  if (!machine::findUnits(request.machine, units, error))
    return fail(diag::machine, error);
  std::vector<std::string> names;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    names.push_back(op.getName().str());
  if (names.size() > sparse::kMostStatements)
    return fail(diag::usage,
                "a search is for up to " + Twine(sparse::kMostStatements) +
                    " statements; this program has " + Twine(names.size()));
  std::map<std::string, const sparse::Tensor *> tensors;
  for (const Operand &operand : operands)
    tensors[operand.name] = &operand.tensor;
  std::vector<sparse::Tensor> results(names.size());
  for (auto [number, name] : enumerate(names)) {
    if (std::string why = check.store(number, results[number]); !why.empty())
      return fail(diag::einsum_run, name + ": " + why);
    tensors[name] = &results[number];
  }
  RegionPricer pricer(source, statistics, std::move(tensors), units,
                      request.options);
  return use(pricer);
}

int heddle::tool::chooseRegions(einsum::ProgramOp source,
                                const std::vector<Operand> &operands,
                                const ProgramStatistics &statistics,
                                const EinsumCheck &check,
                                const RegionRequest &request, raw_ostream &os) {
  return usePricer(
      source, operands, statistics, check, request, [&](RegionPricer &pricer) {
        Searcher searcher(source, pricer, os);
        if (request.isPrices)
          return searcher.printPrices();
        int status = searcher.run();
        return status || !request.copiesOn
                   ? status
                   : chooseCopies(source, pricer, *request.copiesOn, os);
      });
}

std::optional<double>
heddle::tool::findLeastCycles(einsum::ProgramOp source,
                              const std::vector<Operand> &operands,
                              const RegionRequest &request) {
  auto statistics = describeOperands(source, operands);
  if (!statistics) {
    consumeError(statistics.takeError());
    return std::nullopt;
  }
  EinsumCheck check(describeStatements(source));
  if (!check.evaluate(operands, *statistics).empty())
    return std::nullopt;
  std::optional<double> cycles;
  usePricer(source, operands, *statistics, check, request,
            [&](RegionPricer &pricer) {
              cycles = Searcher(source, pricer, nulls()).find();
              return kFine;
            });
  return cycles;
}

int heddle::tool::chooseCopiesOfPlan(einsum::ProgramOp source,
                                     const std::vector<Operand> &operands,
                                     const ProgramStatistics &statistics,
                                     const EinsumCheck &check,
                                     const RegionRequest &request,
                                     raw_ostream &os) {
  return usePricer(source, operands, statistics, check, request,
                   [&](RegionPricer &pricer) {
                     return chooseCopies(source, pricer, *request.copiesOn, os);
                   });
}

int heddle::tool::explainRegions(mlir::ModuleOp module,
                                 const OperandOptions &options,
                                 ArrayRef<std::string> views,
                                 const RegionRequest &request) {
  for (auto source : module.getOps<einsum::ProgramOp>()) {
    auto sound = makeSoundOperands(source, views, options, 0, false);
    if (!sound)
      return fail(sound.takeError());
    outs() << "program " << source.getSymName() << "\n";
    if (request.reassociates)
      if (int status = chooseProducts(source, *sound, request, outs()))
        return status;
    EinsumCheck check(describeStatements(source));
    std::string error = check.evaluate(sound->operands, sound->statistics);
    if (!error.empty())
      return fail(diag::einsum_operands, error);
    if (int status = chooseRegions(source, sound->operands, sound->statistics,
                                   check, request, outs()))
      return status;
  }
  return kFine;
}
