//===- CopySearch.cpp - Chooses numbers of parallel copies ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No kernel ends before its busiest primitive has handled its tokens, whatever
// stands beside it. So numbers of copies are doubled, index by index, as long
// as that lowers these tokens and units are left; and of what was priced so,
// the least bounds are simulated until no other one can be less.
//
//===----------------------------------------------------------------------===//

#include "CopySearch.h"

#include "Command.h"

#include "heddle/Support/Diagnostics/Flow.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static constexpr int kBadUse = 3;
/// Ways that are doubled further, after each doubling; ways that are simulated.
static constexpr size_t kMostFollowed = 3, kMostMeasured = 8;
/// Of ways that differ by less, the one with the fewest units is taken.
static constexpr double kEnough = 0.01;

std::optional<int64_t> heddle::tool::parseCopySearch(StringRef text) {
  int64_t units = 0;
  if (!text.consume_front("auto:") || text.getAsInteger(10, units) || units < 1)
    return std::nullopt;
  return units;
}

static std::string spell(double value) {
  std::string digits = std::to_string(int64_t(value)), text;
  for (size_t i = 0; i < digits.size(); ++i)
    text += (i && (digits.size() - i) % 3 == 0 ? " " : "") +
            std::string(1, digits[i]);
  return text;
}

static std::string spellNames(const RegionPricer &pricer,
                              sparse::StatementSet set) {
  std::string names;
  for (einsum::StatementOp op : pricer.statementsOf(set))
    names += (names.empty() ? "" : " ") + op.getName().str();
  return names;
}

namespace {

/// An index of one statement of the region, by number.
struct Place {
  size_t statement;
  int index;
};

/// Copies of each place, and what they take.
struct Way {
  std::vector<int64_t> copies;
  RegionPrice price;
  std::optional<double> cycles;
};

/// The copies of one region.
class RegionCopies {
public:
  RegionCopies(RegionPricer &pricer, sparse::StatementSet set,
               std::vector<sparse::RankedOrder> orders, int64_t mostUnits)
      : pricer(pricer), set(set), orders(std::move(orders)),
        mostUnits(mostUnits) {
    for (auto [number, order] : enumerate(this->orders))
      for (int index : order.order)
        places.push_back({number, index});
  }

  /// Empty, or why the region takes nothing.
  std::string search() {
    std::string why;
    std::vector<int64_t> once(places.size(), 1);
    std::optional<RegionPrice> alone = price(once, why);
    if (!alone)
      return why;
    if (alone->units > mostUnits)
      return namesOf() + " needs " + std::to_string(alone->units) +
             " units with one copy of everything, and may have " +
             std::to_string(mostUnits);
    ways.push_back({once, std::move(*alone), {}});
    std::vector<size_t> followed = {0};
    while (!followed.empty())
      followed = doubleAll(followed);
    if (!measure(ways[0]))
      return namesOf() + " could not be simulated";
    findLeast();
    return {};
  }

  const std::vector<sparse::RankedOrder> &getOrders() const {
    return ways[best].price.orders;
  }
  double getCycles() const { return *ways[best].cycles; }

  void print(raw_ostream &os) const {
    const Way &alone = ways[0], &way = ways[best];
    os << "  " << namesOf() << ": " << spellCopies(way.copies) << "; "
       << spell(*way.cycles) << " cycles";
    if (best != 0)
      os << " instead of " << spell(*alone.cycles)
         << format(", %.2f times as fast", *alone.cycles / *way.cycles);
    os << ", on " << way.price.units << " units";
    if (best != 0)
      os << " instead of " << alone.price.units;
    os << "; busiest: '" << way.price.busiest
       << "'\n    searched: " << ways.size()
       << (ways.size() == 1 ? " number" : " numbers") << " of copies, "
       << measured << " simulated; none of these takes less "
       << "than " << spell(least) << " cycles"
       << (pricer.isExact() ? "" : ", as estimated on a part of the operands")
       << "\n";
    if (tooLarge)
      os << "    " << spellCopies(tooLarge->copies) << " would need "
         << tooLarge->price.units << " units\n";
  }

private:
  std::string namesOf() const { return spellNames(pricer, set); }

  std::optional<RegionPrice> price(const std::vector<int64_t> &copies,
                                   std::string &why) {
    std::vector<sparse::RankedOrder> wanted = orders;
    for (auto [place, count] : zip_equal(places, copies))
      if (count > 1)
        wanted[place.statement].parallel.push_back({place.index, count});
    return pricer.priceOrders(set, std::move(wanted), why);
  }

  /// Less work for the busiest, or else for those that are as busy, or nearly.
  static bool isLess(const RegionPrice &one, const RegionPrice &other) {
    return std::tie(one.bound, one.turns) < std::tie(other.bound, other.turns);
  }

  /// The best of the ways with one number twice as much as in `from`.
  std::vector<size_t> doubleAll(ArrayRef<size_t> from) {
    std::vector<size_t> made;
    for (size_t parent : from)
      for (size_t place = 0; place < places.size(); ++place) {
        std::vector<int64_t> copies = ways[parent].copies;
        copies[place] *= 2;
        // Another name of a space, or one whose copies are of no use.
        if (useless.contains(place) || !seen.insert(copies).second)
          continue;
        std::string why;
        std::optional<RegionPrice> priced = price(copies, why);
        bool isBetter = priced && isLess(*priced, ways[parent].price);
        bool isKnown = isBetter && any_of(made, [&](size_t other) {
                         const RegionPrice &found = ways[other].price;
                         return found.turns == priced->turns &&
                                found.units == priced->units;
                       });
        if (parent == 0 && isKnown)
          useless.insert(place);
        if (!isBetter || isKnown)
          continue;
        Way way{std::move(copies), std::move(*priced), {}};
        if (way.price.units > mostUnits) {
          if (!tooLarge || way.price.units < tooLarge->price.units)
            tooLarge = std::move(way);
          continue;
        }
        made.push_back(ways.size());
        ways.push_back(std::move(way));
      }
    stable_sort(made, [&](size_t a, size_t b) {
      return isLess(ways[a].price, ways[b].price);
    });
    if (made.size() > kMostFollowed)
      made.resize(kMostFollowed);
    return made;
  }

  bool measure(Way &way) {
    ++measured;
    way.cycles = pricer.simulate(set, way.price);
    return way.cycles.has_value();
  }

  /// Simulates ways by their bounds, and takes the one with the fewest cycles.
  void findLeast() {
    std::vector<size_t> byBound;
    for (size_t number = 1; number < ways.size(); ++number)
      byBound.push_back(number);
    stable_sort(byBound, [&](size_t a, size_t b) {
      return isLess(ways[a].price, ways[b].price);
    });
    double fewest = *ways[0].cycles;
    least = fewest;
    for (size_t number : byBound) {
      Way &way = ways[number];
      if (way.price.bound >= fewest)
        break;
      if (measured == kMostMeasured) {
        least = std::min(least, way.price.bound);
        break;
      }
      if (measure(way))
        fewest = std::min(fewest, *way.cycles);
    }
    least = std::min(least, fewest);
    for (auto [number, way] : enumerate(ways))
      if (way.cycles && *way.cycles <= fewest * (1 + kEnough) &&
          (*ways[best].cycles > fewest * (1 + kEnough) ||
           way.price.units < ways[best].price.units))
        best = number;
  }

  std::string spellCopies(ArrayRef<int64_t> copies) const {
    std::string text;
    std::vector<einsum::StatementOp> statements = pricer.statementsOf(set);
    for (auto [place, count] : zip_equal(places, copies)) {
      if (count == 1)
        continue;
      einsum::StatementOp op = statements[place.statement];
      text += (text.empty() ? "" : ", ") + Twine(count).str() +
              " copies below " +
              describeStatement(op).indices[size_t(place.index)] + " of " +
              op.getName().str();
    }
    return text.empty() ? "one copy" : text;
  }

  RegionPricer &pricer;
  sparse::StatementSet set;
  std::vector<sparse::RankedOrder> orders; ///< without copies
  int64_t mostUnits;
  std::vector<Place> places;
  std::vector<Way> ways; ///< one copy of everything first
  std::set<std::vector<int64_t>> seen;
  std::set<size_t> useless;
  std::optional<Way> tooLarge; ///< that with the fewest units
  size_t best = 0, measured = 0;
  double least = 0; ///< no way that was priced takes fewer cycles
};

struct Region {
  sparse::StatementSet set = 0;
  std::vector<sparse::RankedOrder> orders;
  bool isGiven = false; ///< a person wrote its copies
};

} // namespace

int heddle::tool::chooseCopies(einsum::ProgramOp source, RegionPricer &pricer,
                               int64_t mostUnits, raw_ostream &os) {
  einsum::PlanOp plan = findPlan(source);
  std::map<int64_t, Region> regions;
  StringMap<einsum::StreamsOp> entries;
  for (auto entry : plan.getBody().front().getOps<einsum::StreamsOp>())
    entries[entry.getStatement()] = entry;
  for (auto [number, op] :
       enumerate(source.getEntry().getOps<einsum::StatementOp>())) {
    einsum::StreamsOp entry = entries.lookup(op.getName());
    auto order = describeStreams(entry, describeStatement(op));
    if (failed(order))
      return kBadUse;
    Region &region = regions[int64_t(entry.getInRegion())];
    region.set |= sparse::StatementSet(1) << number;
    region.isGiven |= !order->parallel.empty();
    region.orders.push_back(std::move(*order));
  }
  os << "copies on at most " << mostUnits << " units\n";
  double cycles = 0;
  bool isAll = true;
  for (auto &[number, region] : regions) {
    if (region.isGiven) {
      os << "  " << spellNames(pricer, region.set)
         << ": copies as the plan has them\n";
      isAll = false;
      continue;
    }
    RegionCopies copies(pricer, region.set, region.orders, mostUnits);
    if (std::string why = copies.search(); !why.empty())
      return fail(diag::flow_unsupported, why);
    copies.print(os);
    cycles += copies.getCycles();
    for (auto [op, order] :
         zip_equal(pricer.statementsOf(region.set), copies.getOrders()))
      setStreams(plan, op, order, number,
                 "with the copies that take the fewest cycles on " +
                     std::to_string(mostUnits) + " units");
  }
  if (isAll)
    os << "  in all: " << spell(cycles) << " cycles\n";
  return kFine;
}
