//===- Cover.cpp - Few tiles for all sizes --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program, and sizes as far as they are known. Out: the few tiles that
// are worth having beside its own. Extents that are not known are drawn between
// 16 and 65536, even by their logarithms; a launch of such sizes takes the
// tiles that the model predicts to be the fastest, so what tiles are worth is
// how much shorter that makes the mean launch, by ratios. The best are added
// one after the other, each scheduled and lowered whole before it counts.
//
// Only what a tile.parallel covers varies, by powers of two and three times
// these, or by all that is legal where somebody says how many tiles to take.
// What the model leaves out is paid for each iteration, so no further
// tile is smaller than an eighth of the program's own, or than a 32nd of it
// where a step is the longest that is legal.
//
// Behind the tiles come forms of them in which sums are made in parts, chosen
// in the same way by the bounds of their loops.
//
//===----------------------------------------------------------------------===//

#include "Alternative.h"
#include "FlatExpr.h"
#include "LaunchExpr.h"
#include "Parts.h"
#include "SameExtents.h"
#include "Trials.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/TileChoice/Alternatives.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;
using manifest::Expr;

namespace {

/// By how much a tile must shorten the mean launch.
constexpr double kWorthHaving = 0.01;
/// The same of forms with sums in parts, and of larger tiles, which shorten few
/// launches.
constexpr double kWorthDividing = 0.002;
/// The same of both where somebody says how many.
constexpr double kWorthCounting = 0.0005;

/// How many tiles are chosen, and from how many.
struct Effort {
  /// Others than the program's own, at the most.
  size_t tiles = 4;
  double worthHaving = kWorthHaving;
  /// Of forms with sums in parts.
  size_t divided = 2;
  double worthDividing = kWorthDividing;
  /// By a part of the launches these are looked at further.
  size_t promising = 32;
  /// All that is legal, and not only powers of two and three times these.
  bool isThorough = false;
  /// Somebody wants it.
  bool isAsked = true;

  /// Of kernels whose threads compute between products, one with longer rows.
  static Effort larger() {
    Effort effort;
    effort.tiles = 1;
    effort.worthHaving = kWorthDividing;
    effort.divided = 0;
    return effort;
  }

  /// Whoever says how many has the time for as many.
  static Effort counted(size_t most) {
    return {most,           kWorthCounting, (most + 1) / 2,
            kWorthCounting, 32 + 6 * most,  true};
  }
};

/// How much more a tile may promise, than the best of those that are scheduled
/// gives, before it is scheduled, too.
constexpr double kWorthSolving = 1.2;

/// The smallest tile that is worth a try, by the program's own.
constexpr double kSmallestPart = 1.0 / 8;
/// The same of tiles with the longest steps that are legal.
constexpr double kSmallestLong = 1.0 / 32;

/// Extents that are not known are drawn from here, even by their logarithms:
/// half of them small multiples of powers of two, as extents of models are, and
/// half of them multiples of sixteen.
constexpr double kLogLeast = 4, kLogMost = 16;
constexpr int kBits = 2; ///< behind the first
constexpr double kGrain = 16;
constexpr size_t kLaunches = 8192, kMixes = 13;
/// By a part of them a part of the tiles is looked at further.
constexpr size_t kFirstLaunches = 1024;

/// Roots of these have multiples whose fractions fill the unit interval evenly,
/// and independently of each other (Richtmyer 1951).
constexpr double kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

/// The arguments of launches, as far as times depend on them.
class Launches {
public:
  Launches(ModuleOp program, const Extents &extents)
      : same(findSameExtents(program)), extents(extents) {}

  void addLeaves(const Expr &expr) {
    if (isLeaf(expr) && !llvm::is_contained(leaves, expr)) {
      if (auto first = firstLike(expr))
        addLeaves(*first);
      leaves.push_back(expr);
      sizes.push_back(drawSizes());
    }
    for (const Expr &operand : expr.operands)
      addLeaves(operand);
  }

  bool knowsLeaves(const Expr &expr) const {
    return (!isLeaf(expr) || llvm::is_contained(leaves, expr)) &&
           llvm::all_of(expr.operands, [&](const Expr &operand) {
             return knowsLeaves(operand);
           });
  }

  /// Cycles of each launch, at least one.
  std::vector<double> timesOf(const Expr &cycles, int multiprocessors,
                              size_t launches) const {
    std::vector<double> times =
        FlatExpr(cycles, leaves, multiprocessors).evaluate(sizes, launches);
    for (double &time : times)
      time = std::isfinite(time) ? std::max(1.0, time) : 1;
    return times;
  }

private:
  static bool isLeaf(const Expr &expr) {
    return expr.op == Expr::Op::Dim || expr.op == Expr::Op::Scalar;
  }

  /// The extent that `leaf` is drawn with, if it is not drawn itself.
  std::optional<Expr> firstLike(const Expr &leaf) const {
    auto first = same.find({leaf.argument, leaf.axis});
    if (leaf.op != Expr::Op::Dim || first == same.end() || known(leaf))
      return std::nullopt;
    return LaunchExpr::dim(first->second.first, first->second.second);
  }

  std::optional<int64_t> known(const Expr &leaf) const {
    if (leaf.op == Expr::Op::Dim) {
      auto view = extents.views.find(leaf.argument);
      return view == extents.views.end()
                 ? std::nullopt
                 : std::optional(view->second[leaf.axis]);
    }
    auto scalar = extents.scalars.find(leaf.argument);
    return scalar == extents.scalars.end()
               ? std::nullopt
               : std::optional(int64_t(scalar->second));
  }

  /// Sizes of the last leaf, one for each launch. Leaves that are added later
  /// do not change them.
  std::vector<double> drawSizes() const {
    if (auto size = known(leaves.back()))
      return std::vector<double>(kLaunches, double(*size));
    if (auto first = firstLike(leaves.back()))
      return sizes[llvm::find(leaves, *first) - leaves.begin()];
    size_t place = llvm::count_if(leaves,
                                  [&](const Expr &leaf) {
                                    return !known(leaf) && !firstLike(leaf);
                                  }) -
                   1;
    double root = std::sqrt(kPrimes[place % std::size(kPrimes)]);
    std::vector<double> drawn;
    for (size_t launch = 0; launch < kLaunches; ++launch)
      drawn.push_back(sizeFrom(std::fmod(double(launch) * root, 1),
                               launch >> place % kMixes & 1));
    return drawn;
  }

  static double sizeFrom(double part, bool isPlain) {
    double log = kLogLeast + (kLogMost - kLogLeast) * part;
    double size = std::exp2(log);
    double grain = isPlain ? std::exp2(std::floor(log) - kBits) : kGrain;
    return std::round(size / grain) * grain;
  }

  std::map<Extent, Extent> same;
  const Extents &extents;
  std::vector<Expr> leaves;
  std::vector<std::vector<double>> sizes; ///< of each leaf in each launch
};

/// One combination of tiles.
struct Tile {
  std::vector<int64_t> values;
  bool isDivided = false; ///< with sums in parts
  LaunchTime time;
  bool isSolved = false;
  std::vector<double> times; ///< of each launch
};

/// Is `value` of `own` a power of two, or three times one? What lies between
/// fills waves of single sizes.
static bool isPlainRatio(int64_t value, int64_t own) {
  int64_t common = std::gcd(value, own);
  auto isPlain = [](int64_t part) {
    return llvm::isPowerOf2_64(uint64_t(part)) ||
           (part % 3 == 0 && llvm::isPowerOf2_64(uint64_t(part / 3)));
  };
  return isPlain(value / common) && isPlain(own / common);
}

/// What is open, where steps of loops are the program's own or the longest.
static Choice ownOrLongestSteps(ModuleOp module, const Options &options,
                                bool isThorough) {
  Choice choice = beginChoice(module, options);
  std::vector<std::string> instances = findInstanceShapes(module);
  for (auto [name, own, legal] :
       llvm::zip(choice.parameters, choice.own, choice.legal)) {
    int64_t longest = *llvm::max_element(legal);
    if (llvm::is_contained(instances, name)) {
      if (!isThorough)
        llvm::erase_if(legal, [own = own](int64_t value) {
          return !isPlainRatio(value, own);
        });
      continue;
    }
    legal = {own};
    if (longest > own)
      legal.push_back(longest);
  }
  return choice;
}

class Cover {
public:
  Cover(ModuleOp module, const Options &options, const Effort &effort,
        Lowered *lowered)
      : module(module), options(options), effort(effort), lowered(lowered),
        choice(ownOrLongestSteps(module, options, effort.isThorough)),
        instances(findInstanceShapes(module)),
        trials(module, options, choice.parameters),
        launches(module, options.extents) {}

  /// Nothing where the program's own tiles are refused, as lowering will say.
  FailureOr<std::optional<std::vector<Settings>>> run() {
    // Where kernels are executed, it takes long to find what the program's own
    // tiles take, and there is often no room for larger ones.
    bool canExecute = lowered && lowered->canExecuteOwn;
    if (canExecute && !effort.isThorough) {
      collectLarger();
      if (tiles.empty())
        return std::optional(std::vector<Settings>());
    }
    Tile own{choice.own, false, {}, true, {}};
    if (failed(findTimeOfOwn(own.time)))
      return failure();
    if (!own.time.refused.empty())
      return std::optional<std::vector<Settings>>();
    if (!own.time.cycles)
      return reportNoLaunchTime(own.time.kernel);
    if (!own.time.areInstancesAlike && !effort.isAsked)
      return std::optional(std::vector<Settings>());
    if (effort.isThorough || (!canExecute && !own.time.isExecuted))
      collect();
    else if (!canExecute)
      collectLarger();
    launches.addLeaves(*own.time.cycles);
    keepPromising(own);
    measure(own);
    for (Tile &tile : tiles)
      measure(tile);
    std::vector<Settings> chosen;
    std::vector<double> now = own.times;
    while (chosen.size() < effort.tiles) {
      Tile *best = findBest(own, now, effort.worthHaving);
      if (!best)
        break;
      if (!best->isSolved) {
        if (!solve(*best))
          drop(best);
        continue;
      }
      now = shortest(own, now, *best);
      chosen.push_back(settingsOf(*best));
      bases.push_back(best->values);
      drop(best);
    }
    divide(own, now, chosen);
    return std::optional(std::move(chosen));
  }

private:
  /// Adds the forms of the program's own and the chosen tiles in which sums are
  /// made in parts, as far as they are worth having.
  void divide(const Tile &own, std::vector<double> now,
              std::vector<Settings> &chosen) {
    tiles.clear();
    bases.push_back(choice.own);
    for (std::vector<int64_t> &values : bases)
      if (auto cycles = trials.boundInParts(values)) {
        launches.addLeaves(*cycles);
        tiles.push_back({std::move(values), true, {"", *cycles, {}}, true, {}});
      }
    for (Tile &tile : tiles)
      measure(tile);
    for (size_t i = 0; i < effort.divided; ++i) {
      Tile *best = findBest(own, now, effort.worthDividing);
      if (!best)
        return;
      now = shortest(own, now, *best);
      chosen.push_back(settingsOf(*best));
      drop(best);
    }
  }

  /// By the size of a tile: the smaller it is, the more of an iteration is
  /// what the model does not see, so the smallest have long ones.
  bool isWorthATry(const std::vector<int64_t> &values) const {
    double part = 1;
    bool areOwn = true, areLongest = false;
    for (auto [name, value, own, legal] :
         llvm::zip(choice.parameters, values, choice.own, choice.legal)) {
      if (llvm::is_contained(instances, name)) {
        part *= double(value) / double(own);
        continue;
      }
      areOwn &= value == own;
      areLongest |= value == legal.back() && value > own;
    }
    return part >= kSmallestPart ? areOwn : part >= kSmallestLong && areLongest;
  }

  void collect() {
    for (std::vector<int64_t> &values : combinationsOf(choice.legal)) {
      if (!isWorthATry(values) || values == choice.own)
        continue;
      auto cycles = trials.boundForLaunch(values, /*inRegisters=*/false);
      if (!cycles)
        continue;
      launches.addLeaves(*cycles);
      tiles.push_back({std::move(values), false, {"", *cycles, {}}, false, {}});
    }
  }

  /// Where threads compute between products, what an iteration costs besides is
  /// less of a longer one, and a tile of more rows reads each key for more of
  /// them. So these are the tiles that are larger along what instances are
  /// counted by, each with the longest steps for which there is a schedule;
  /// smaller ones nobody has timed.
  void collectLarger() {
    effort = Effort::larger();
    Choice all = beginChoice(module, options);
    std::vector<std::vector<int64_t>> rows, steps;
    for (auto [name, own, legal] :
         llvm::zip(all.parameters, all.own, all.legal)) {
      bool isCounted = llvm::is_contained(instances, name);
      llvm::erase_if(legal, [&, own = own](int64_t value) {
        return value < own || (isCounted && !isPlainRatio(value, own));
      });
      llvm::sort(legal, std::greater<>());
      rows.push_back(isCounted ? legal : std::vector<int64_t>{own});
      steps.push_back(isCounted ? std::vector<int64_t>{own} : legal);
    }
    for (const std::vector<int64_t> &larger : combinationsOf(rows))
      if (larger != all.own)
        collectLongest(larger, combinationsOf(steps));
  }

  /// Takes `larger` with the first of `steps` with which it is compiled.
  void collectLongest(const std::vector<int64_t> &larger,
                      const std::vector<std::vector<int64_t>> &steps) {
    for (const std::vector<int64_t> &longer : steps) {
      std::vector<int64_t> values = larger;
      for (auto [value, step] : llvm::zip(values, longer))
        value = std::max(value, step); // each is the program's own in the other
      auto cycles = trials.boundForLaunch(values, /*inRegisters=*/true);
      if (!cycles)
        continue;
      launches.addLeaves(*cycles);
      Tile tile{std::move(values), false, {"", *cycles, {}}, false, {}};
      if (!solve(tile))
        continue;
      tiles.push_back(std::move(tile));
      return;
    }
  }

  /// Drops all but a few tiles, by what each gains alone; beside others it
  /// gains no more.
  void keepPromising(Tile &own) {
    measure(own, kFirstLaunches);
    std::vector<std::pair<double, size_t>> order;
    for (auto [place, tile] : llvm::enumerate(tiles)) {
      measure(tile, kFirstLaunches);
      order.push_back({-gainOf(own, own.times, tile), place});
    }
    llvm::stable_sort(order, llvm::less_first());
    order.resize(std::min(order.size(), effort.promising));
    std::vector<Tile> kept;
    for (auto [gain, place] : order)
      kept.push_back(std::move(tiles[place]));
    tiles = std::move(kept);
  }

  void measure(Tile &tile, size_t count = kLaunches) {
    tile.times = launches.timesOf(
        *tile.time.cycles, int(options.machine.limits.multiprocessors), count);
    // The way to the chip and back is in every launch, and no tile shortens it.
    for (double &time : tile.times)
      time += options.machine.instances.launch;
  }

  static Expr sumOf(const Times &times) {
    Expr sum = LaunchExpr::constant(0);
    for (const auto &[kernel, cycles] : times)
      sum = LaunchExpr::add(sum, cycles);
    return sum;
  }

  LogicalResult findTimeOfOwn(LaunchTime &time) {
    if (!lowered) {
      time = trials.solveForLaunch(choice.own);
      return success();
    }
    FailureOr<Times> own = lowered->own();
    if (failed(own))
      return failure();
    time.cycles = sumOf(*own);
    time.isExecuted = own->areExecuted;
    return success();
  }

  /// As Trials::solveForLaunch, and keeps what it lowers.
  LaunchTime lowerForLaunch(const Tile &tile) {
    Options quick = options;
    quick.lowering.mostSchedules = 1;
    Settings settings = settingsOf(tile);
    auto made = lowerAlternative(module, settings, quick);
    LaunchTime time;
    if (failed(made))
      return time;
    time.cycles = sumOf(made->times);
    lowered->others.insert_or_assign(llvm::join(settings, " "),
                                     std::move(*made));
    return time;
  }

  bool solve(Tile &tile) {
    tile.time =
        lowered ? lowerForLaunch(tile) : trials.solveForLaunch(tile.values);
    tile.isSolved = tile.time.cycles && launches.knowsLeaves(*tile.time.cycles);
    if (tile.isSolved)
      measure(tile);
    return tile.isSolved;
  }

  void drop(Tile *tile) { tiles.erase(tiles.begin() + (tile - tiles.data())); }

  /// Of each launch, with `tile` to choose, too.
  std::vector<double> shortest(const Tile &own, const std::vector<double> &now,
                               const Tile &tile) const {
    auto [parts, of] = shareForOthers(options.machine, own.time.isExecuted);
    std::vector<double> times = now;
    for (size_t i = 0; i < times.size(); ++i)
      if (tile.times[i] * double(of) <= own.times[i] * double(parts))
        times[i] = std::min(times[i], tile.times[i]);
    return times;
  }

  /// By how much it shortens the mean launch.
  double gainOf(const Tile &own, const std::vector<double> &now,
                const Tile &tile) const {
    std::vector<double> times = shortest(own, now, tile);
    double gain = 0;
    for (size_t i = 0; i < times.size(); ++i)
      if (times[i] != now[i]) // most are equal
        gain += std::log(now[i] / times[i]) / double(times.size());
    return gain;
  }

  /// What shortens the mean launch most, if that is worth having.
  Tile *findBest(const Tile &own, const std::vector<double> &now,
                 double worth) {
    Tile *best = nullptr;
    double most = worth;
    for (Tile &tile : tiles) {
      double gain = gainOf(own, now, tile);
      double counted = tile.isSolved ? gain * kWorthSolving : gain;
      if (gain > worth && counted > most) {
        most = counted;
        best = &tile;
      }
    }
    return best;
  }

  Settings settingsOf(const Tile &tile) const {
    Settings settings;
    for (auto [name, value, own] :
         llvm::zip(choice.parameters, tile.values, choice.own))
      if (llvm::is_contained(instances, name) || value != own)
        settings.push_back(name + "=" + std::to_string(value));
    if (tile.isDivided)
      settings.push_back(kPartsSetting.str());
    return settings;
  }

  ModuleOp module;
  const Options &options;
  Effort effort;
  Lowered *lowered; ///< null where nobody wants it
  Choice choice;
  std::vector<std::string> instances; ///< parameters that they hang on
  Trials trials;
  Launches launches;
  std::vector<Tile> tiles;                 ///< that are not chosen
  std::vector<std::vector<int64_t>> bases; ///< that are
};

} // namespace

FailureOr<std::vector<Settings>>
heddle::tilechoice::coverSizes(ModuleOp module, const Options &options,
                               const OtherTiles &asked, Lowered *lowered) {
  if (options.machine.name.empty()) // as lowering will say
    return std::vector<Settings>();
  Effort effort = asked.most ? Effort::counted(*asked.most) : Effort();
  effort.isAsked = !asked.isDefault;
  if (!pipeline::isCodeMadeFor(options.machine))
    lowered = nullptr;
  auto others = Cover(module, options, effort, lowered).run();
  if (failed(others))
    return failure();
  if (!*others)
    return std::vector<Settings>();
  const std::vector<Settings> &chosen = **others;
  Report remark = report(pipeline::startOf(module), diag::tiles_chosen);
  if (chosen.empty()) {
    remark << "no tiles are worth having beside the program's own";
    return chosen;
  }
  remark << "launches choose among the program's own tiles and";
  for (auto [index, settings] : llvm::enumerate(chosen))
    remark << (index ? ", " : " ") << llvm::join(settings, " ");
  return chosen;
}
