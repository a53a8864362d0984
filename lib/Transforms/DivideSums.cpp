//===- DivideSums.cpp - A loop that sums, in parts ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile.parallel (i, j)          parts:  tile.parallel (p, i, j)
//     s = init                              s = 0
//     for k < length: s += f(k)             for t < part: s += f(p part + t)
//     epilogue(s)                           workspace[p, i, j] = s
//
// (or a nest of loops that do nothing but carry s, of which the innermost is
// divided)
//
//                                 whole:  tile.parallel (i, j)
//                                           s = init
//                                           for p: s += workspace[p, i, j]
//                                           epilogue(s)
//
// All parts are equally long, so that instances do not differ and the loop
// is scheduled as before; the last ones run past the end. There f is zero,
// which is asked of it: products of tiles that are both loaded from outside.
//
// The second program moves little and multiplies nothing, so it takes small
// tiles. Places in the workspace are those of the elements in the whole array,
// whatever the tiles, so everything must follow from the corner of a tile: the
// number of an instance is used to compute that, and the corner as an offset.
//
//===----------------------------------------------------------------------===//

#include "heddle/Transforms/DivideSums.h"

#include "heddle/Dialect/Sched/Pins.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace heddle;

namespace {

/// Parts that are added in an iteration, loaded side by side.
constexpr int64_t kTogether = 8;
constexpr size_t kMostAxes = 5;

/// A bound of tile.parallel that is the number of tiles along an axis.
struct Walk {
  Value extent; ///< in elements
  Value tile;   ///< the tile's, which is that of a parameter
  StringRef parameter;
};

/// One kernel, as far as its sums can be divided.
class Kernel {
public:
  Kernel(ModuleOp module, StringRef suffix, const machine::Costs &costs,
         SumObstacle &obstacle)
      : module(module), suffix(suffix), costs(costs), obstacle(obstacle) {}

  bool analyse();
  /// Rewrites the kernel in place.
  void makeParts();
  void makeWhole();
  /// In front of makeParts(), and behind it.
  void describeLoop(DividedSums &result);
  void describe(DividedSums &result);

private:
  bool no(const Twine &reason) {
    obstacle.reason = reason.str();
    obstacle.place = loop     ? loop.getLoc()
                     : kernel ? kernel.getLoc()
                              : module.getLoc();
    return false;
  }
  bool findLoop();
  bool findLength();
  bool checkEffects();
  bool checkSums();
  bool checkSum(BlockArgument carried, Value yielded);
  bool vanishes(Value value);
  bool vanishes(tile::LoadOp load);
  bool findWalks();
  bool findAxes();
  bool checkCorners();
  bool checkAccess(Value view, OperandRange offsets, RankedTensorType type);

  void addArguments();
  SmallVector<Value> placeOf(OpBuilder &builder, size_t sum, Value part,
                             ArrayRef<Value> instance);
  Value countParts(OpBuilder &builder);

  ModuleOp module;
  StringRef suffix;
  const machine::Costs &costs;
  SumObstacle &obstacle;
  tile::KernelOp kernel;
  tile::ParallelOp parallel;
  scf::ForOp loop;      ///< of whose results an epilogue is made
  scf::ForOp innermost; ///< in it, or it
  SmallVector<std::optional<Walk>> walks; ///< by index of the instance
  /// Of each sum, the index that goes along each of its axes.
  SmallVector<SmallVector<size_t>> axes;
  SmallVector<DividedSums::Within> within;
  SmallVector<BlockArgument> workspaces;
  SmallVector<std::string> names;
};

} // namespace

static int64_t initOf(tile::ParamValueOp value) {
  return value->getParentOfType<ModuleOp>()
      .lookupSymbol<tile::ParamOp>(value.getParam())
      .getInit();
}

/// The loop that `outer`, which does nothing else, carries its results through.
static scf::ForOp carriedThrough(scf::ForOp outer) {
  auto loops = llvm::to_vector(outer.getOps<scf::ForOp>());
  if (loops.size() != 1)
    return {};
  scf::ForOp inner = loops.front();
  bool isAll = llvm::equal(inner.getInitArgs(), outer.getRegionIterArgs()) &&
               llvm::equal(outer.getYieldedValues(), inner.getResults()) &&
               llvm::all_of(outer.getRegionIterArgs(),
                            [](Value carried) { return carried.hasOneUse(); });
  return isAll ? inner : scf::ForOp();
}

bool Kernel::findLoop() {
  auto kernels = llvm::to_vector(module.getOps<tile::KernelOp>());
  if (kernels.size() != 1)
    return no("the program has " + Twine(kernels.size()) + " kernels");
  kernel = kernels.front();
  auto parallels = llvm::to_vector(kernel.getOps<tile::ParallelOp>());
  if (parallels.size() != 1)
    return no("its work is not one tile.parallel");
  parallel = parallels.front();
  auto loops = llvm::to_vector(parallel.getOps<scf::ForOp>());
  if (loops.size() != 1 || loops.front().getNumResults() == 0)
    return no("an instance is not one loop that sums and what is around it");
  loop = innermost = loops.front();
  while (scf::ForOp inner = carriedThrough(innermost))
    innermost = inner;
  return true;
}

/// Parts are made outside of instances, from a length that is not negative.
bool Kernel::findLength() {
  auto length = innermost.getUpperBound().getDefiningOp<tile::DimOp>();
  if (!matchPattern(innermost.getLowerBound(), m_Zero()) || !length ||
      length->getParentOp() != kernel)
    return no("its loop does not go from 0 to the extent of a view");
  Operation *step = innermost.getStep().getDefiningOp();
  if (!isa_and_present<tile::ParamValueOp, arith::ConstantOp>(step) ||
      step->getParentOp() != kernel)
    return no("the step of its loop is no number");
  return true;
}

/// Whatever stands in front of the sums happens twice, and the loop in parts.
bool Kernel::checkEffects() {
  bool isFine = true;
  for (Operation &op : parallel.getBody().front()) {
    if (&op == loop)
      break;
    isFine &= isMemoryEffectFree(&op) || isa<tile::LoadOp>(op);
  }
  loop.getBody()->walk([&](Operation *op) {
    isFine &= isMemoryEffectFree(op) || isa<tile::LoadOp, scf::ForOp>(op);
  });
  return isFine || no("it does more than load before its sums are complete");
}

namespace {
/// An axis of an argument.
struct Origin {
  BlockArgument view;
  int64_t axis;
};
} // namespace

/// The axis of an argument that `axis` of `view` is, of which places outside
/// are zero in both.
static std::optional<Origin> originOf(tile::KernelOp kernel, Value view,
                                      int64_t axis) {
  if (auto argument = dyn_cast<BlockArgument>(view)) {
    if (argument.getOwner() != &kernel.getEntry())
      return std::nullopt;
    return Origin{argument, axis};
  }
  if (auto merge = view.getDefiningOp<tile::MergeOp>()) {
    int64_t first = merge.getFirst(), last = merge.getLast();
    if (axis == first)
      return std::nullopt;
    return originOf(kernel, merge.getView(),
                    axis < first ? axis : axis + last - first);
  }
  if (auto window = view.getDefiningOp<tile::WindowOp>()) {
    int64_t place = window.getWindow();
    int64_t source = axis < place ? axis : axis - 1;
    if (axis == place || source == int64_t(window.getAxis()))
      return std::nullopt;
    return originOf(kernel, window.getView(), source);
  }
  return std::nullopt;
}

bool Kernel::vanishes(tile::LoadOp load) {
  if (load.getRows())
    return false;
  auto length = innermost.getUpperBound().getDefiningOp<tile::DimOp>();
  for (auto [axis, offset] : llvm::enumerate(load.getOffsets())) {
    if (offset != innermost.getInductionVar())
      continue;
    auto origin = originOf(kernel, load.getView(), int64_t(axis));
    if (!origin)
      return false;
    if (length.getView() != origin->view ||
        int64_t(length.getAxis()) != origin->axis)
      within.push_back({origin->view, origin->axis});
    return true;
  }
  return false;
}

/// Whether a tile is zero where the loop runs past its end.
bool Kernel::vanishes(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != innermost.getBody())
    return false;
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return vanishes(load);
  return isa<tile::CastOp, tile::TransOp, arith::ExtFOp, arith::TruncFOp,
             arith::SIToFPOp, arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::MulFOp, arith::AddFOp, arith::MulIOp, arith::AddIOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return vanishes(operand); });
}

/// A chain from what the loop carries to what it yields, of products and of
/// additions whose order is free.
bool Kernel::checkSum(BlockArgument carried, Value yielded) {
  Value sum = yielded;
  while (sum != carried) {
    Operation *op = sum.getDefiningOp();
    if (!op || op->getBlock() != innermost.getBody() || !sum.hasOneUse())
      return no("its loop carries a value that is no sum");
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (!vanishes(dot.getA()) || !vanishes(dot.getB()))
        return no("an operand of its product is not all loaded from where the "
                  "loop is");
      sum = dot.getAcc();
    } else if (auto add = dyn_cast<arith::AddIOp>(op)) {
      bool isRight = vanishes(add.getLhs());
      if (!isRight && !vanishes(add.getRhs()))
        return no("an addend of its sum is not all loaded from where the loop "
                  "is");
      sum = isRight ? add.getRhs() : add.getLhs();
    } else {
      return no("its loop carries a value that is no sum of products or of "
                "integers, whose order is free");
    }
  }
  return carried.hasOneUse() ||
         no("its loop reads a sum before it is complete");
}

bool Kernel::checkSums() {
  for (auto [carried, yielded] :
       llvm::zip(innermost.getRegionIterArgs(), innermost.getYieldedValues())) {
    auto type = dyn_cast<RankedTensorType>(carried.getType());
    Type element = type ? type.getElementType() : Type();
    if (!type || !(element.isF32() || element.isF64() ||
                   element.isInteger(32) || element.isInteger(64)))
      return no("its loop carries other than tiles of 32 or 64 bits");
    if (!checkSum(carried, yielded))
      return false;
  }
  return true;
}

/// The bounds that count tiles: ceildiv(extent, tile).
bool Kernel::findWalks() {
  for (Value bound : parallel.getBounds()) {
    std::optional<Walk> &walk = walks.emplace_back();
    auto count = bound.getDefiningOp<arith::CeilDivUIOp>();
    auto tile = count ? count.getRhs().getDefiningOp<tile::ParamValueOp>()
                      : tile::ParamValueOp();
    if (tile)
      walk = Walk{count.getLhs(), tile, tile.getParam()};
  }
  for (auto [i, walk] : llvm::enumerate(walks))
    for (auto &other : ArrayRef(walks).take_front(i))
      if (walk && other && walk->parameter == other->parameter)
        return no("two axes of its instances have tiles of one parameter");
  return true;
}

/// The index of the instance that goes along each axis of each sum.
bool Kernel::findAxes() {
  for (Type type : loop.getResultTypes()) {
    SmallVector<size_t> &mine = axes.emplace_back();
    for (const tile::Extent &extent :
         tile::getExtents(cast<RankedTensorType>(type))) {
      auto walk = llvm::find_if(walks, [&](const std::optional<Walk> &known) {
        return known && extent.name &&
               known->parameter == extent.name.getValue();
      });
      if (walk == walks.end() ||
          llvm::is_contained(mine, size_t(walk - walks.begin())))
        return no("a tile of its sums does not lie along the instances");
      mine.push_back(walk - walks.begin());
    }
  }
  if (walks.size() + 1 > kMostAxes)
    return no("its instances have " + Twine(walks.size()) +
              " numbers, which leave no axis for the parts");
  for (ArrayRef<size_t> mine : axes)
    for (auto [i, walk] : llvm::enumerate(walks))
      if (walk && !llvm::is_contained(mine, i))
        return no("its instances go along an axis that its sums lack");
  return true;
}

/// Whether a tile lies where its extents say.
bool Kernel::checkAccess(Value view, OperandRange offsets,
                         RankedTensorType type) {
  auto viewType = dyn_cast<tile::ViewType>(view.getType());
  if (!viewType ||
      !(isa<BlockArgument>(view) || view.getDefiningOp<tile::MergeOp>() ||
        view.getDefiningOp<tile::WindowOp>()))
    return false;
  auto extents = tile::getExtents(type);
  int64_t lacking = viewType.getRank() - int64_t(extents.size());
  for (auto [i, walk] : llvm::enumerate(walks)) {
    if (!walk)
      continue;
    Value number = parallel.getBody().getArgument(i);
    for (auto [axis, offset] : llvm::enumerate(offsets)) {
      auto corner = offset.getDefiningOp<arith::MulIOp>();
      bool isCorner =
          corner && (corner.getLhs() == number || corner.getRhs() == number);
      bool isAlong = int64_t(axis) >= lacking && extents[axis - lacking].name &&
                     extents[axis - lacking].name.getValue() == walk->parameter;
      if (isCorner != isAlong)
        return false;
    }
  }
  return true;
}

/// Whether all that a tile holds follows from where its corner is.
bool Kernel::checkCorners() {
  for (auto [i, walk] : llvm::enumerate(walks)) {
    if (!walk)
      continue;
    Value number = parallel.getBody().getArgument(i);
    for (Operation *user : number.getUsers()) {
      auto corner = dyn_cast<arith::MulIOp>(user);
      Value other = !corner                     ? Value()
                    : corner.getLhs() == number ? corner.getRhs()
                                                : corner.getLhs();
      auto tile = other ? other.getDefiningOp<tile::ParamValueOp>()
                        : tile::ParamValueOp();
      if (!tile || tile.getParam() != walk->parameter)
        return no("the number of an instance is used for more than the corner "
                  "of its tile");
      for (Operation *access : corner->getUsers())
        if (!isa<tile::LoadOp, tile::StoreOp>(access))
          return no("the corner of a tile is used for more than loads and "
                    "stores");
    }
  }
  bool isFine = true;
  parallel.walk([&](Operation *op) {
    if (auto load = dyn_cast<tile::LoadOp>(op))
      isFine &= checkAccess(load.getView(), load.getOffsets(),
                            cast<RankedTensorType>(load.getType()));
    else if (auto store = dyn_cast<tile::StoreOp>(op))
      isFine &= checkAccess(store.getView(), store.getOffsets(),
                            cast<RankedTensorType>(store.getValue().getType()));
  });
  return isFine || no("a tile lies elsewhere than its extents say");
}

bool Kernel::analyse() {
  return findLoop() && findLength() && checkEffects() && checkSums() &&
         findWalks() && findAxes() && checkCorners();
}

/// A workspace for each sum, as further arguments.
void Kernel::addArguments() {
  SmallVector<std::string> all;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i)
    all.push_back(kernel.getArgName(i));
  Builder builder(module.getContext());
  for (Type type : loop.getResultTypes()) {
    std::string name = ("parts" + suffix).str();
    for (int n = 1; llvm::is_contained(all, name); ++n)
      name = ("parts" + Twine(n) + suffix).str();
    SmallVector<int64_t> shape(walks.size() + 1, ShapedType::kDynamic);
    auto view = tile::ViewType::getRowMajor(
        shape, cast<RankedTensorType>(type).getElementType());
    all.push_back(name);
    names.push_back(name);
    workspaces.push_back(kernel.getEntry().addArgument(view, kernel.getLoc()));
  }
  kernel.setFunctionType(
      builder.getFunctionType(kernel.getEntry().getArgumentTypes(), {}));
  kernel.setArgNamesAttr(
      builder.getStrArrayAttr(SmallVector<StringRef>(all.begin(), all.end())));
}

/// Where a part of sum number `sum` lies in its workspace: behind the part, the
/// numbers of the instance that go along no axis, then those along the tile.
SmallVector<Value> Kernel::placeOf(OpBuilder &builder, size_t sum, Value part,
                                   ArrayRef<Value> instance) {
  SmallVector<Value> place = {part};
  for (auto [i, walk] : llvm::enumerate(walks))
    if (!walk)
      place.push_back(instance[i]);
  for (size_t i : axes[sum])
    place.push_back(arith::MulIOp::create(builder, loop.getLoc(), instance[i],
                                          walks[i]->tile));
  return place;
}

/// Outside of the instances.
Value Kernel::countParts(OpBuilder &builder) {
  builder.setInsertionPoint(parallel);
  return tile::DimOp::create(builder, loop.getLoc(), builder.getIndexType(),
                             workspaces.front(), 0);
}

static Value makeZero(OpBuilder &builder, Location loc, RankedTensorType type) {
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  return tile::SplatOp::create(builder, loc, type, zero);
}

void Kernel::makeParts() {
  addArguments();
  Location loc = loop.getLoc();
  OpBuilder builder(module.getContext());
  Value parts = countParts(builder);
  Value trips = arith::CeilDivUIOp::create(
      builder, loc, innermost.getUpperBound(), innermost.getStep());
  Value share = arith::CeilDivUIOp::create(builder, loc, trips, parts);
  Value length =
      arith::MulIOp::create(builder, loc, share, innermost.getStep());
  SmallVector<Value> bounds = {parts};
  llvm::append_range(bounds, parallel.getBounds());
  parallel.getBoundsMutable().assign(bounds);
  Block &body = parallel.getBody().front();
  Value part = body.insertArgument(0u, builder.getIndexType(), loc);
  SmallVector<Value> instance(body.getArguments().drop_front());

  builder.setInsertionPoint(loop);
  Value begin = arith::MulIOp::create(builder, loc, part, length);
  SmallVector<Value> zeros;
  for (Type type : loop.getResultTypes())
    zeros.push_back(makeZero(builder, loc, cast<RankedTensorType>(type)));
  while (&body.back() != loop)
    body.back().erase();
  loop.getInitArgsMutable().assign(zeros);
  innermost.setUpperBound(length);
  builder.setInsertionPointToStart(innermost.getBody());
  Value at = innermost.getInductionVar();
  auto place = arith::AddIOp::create(builder, loc, begin, at);
  at.replaceAllUsesExcept(place, place);
  builder.setInsertionPointAfter(loop);
  for (auto [i, sum] : llvm::enumerate(loop.getResults()))
    tile::StoreOp::create(builder, loc, sum, workspaces[i],
                          placeOf(builder, i, part, instance));
}

void Kernel::makeWhole() {
  addArguments();
  // Lines of a mapping are about the loop that the parts have.
  kernel->removeAttr(sched::kPins);
  Location loc = loop.getLoc();
  OpBuilder builder(module.getContext());
  Value parts = countParts(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value together = arith::ConstantIndexOp::create(builder, loc, kTogether);
  SmallVector<Value> instance(parallel.getBody().getArguments());
  builder.setInsertionPoint(loop);
  auto adding = scf::ForOp::create(
      builder, loc, zero, parts, together, loop.getInitArgs(),
      [&](OpBuilder &inner, Location, Value first, ValueRange carried) {
        SmallVector<Value> sums(carried);
        for (int64_t i = 0; i < kTogether; ++i) {
          Value number = arith::ConstantIndexOp::create(inner, loc, i);
          Value part = arith::AddIOp::create(inner, loc, first, number);
          for (auto [index, sum] : llvm::enumerate(sums)) {
            Value loaded = tile::LoadOp::create(
                inner, loc, sum.getType(), workspaces[index],
                placeOf(inner, index, part, instance));
            bool isFloat = isa<FloatType>(getElementTypeOrSelf(sum));
            sum = isFloat
                      ? Value(arith::AddFOp::create(inner, loc, sum, loaded))
                      : arith::AddIOp::create(inner, loc, sum, loaded);
          }
        }
        scf::YieldOp::create(inner, loc, sums);
      });
  loop.replaceAllUsesWith(adding.getResults());
  loop.erase();
  // A tile of what a process's threads read at once.
  int64_t columns = int64_t(costs.rows.sumColumns),
          rows = costs.limits.threadsPerGroup * costs.limits.accessBytes /
                 int64_t(sizeof(float)) / columns;
  for (ArrayRef<size_t> mine : axes)
    for (auto [axis, i] : llvm::enumerate(mine)) {
      auto parameter = module.lookupSymbol<tile::ParamOp>(walks[i]->parameter);
      int64_t extent = axis + 1 == mine.size()   ? columns
                       : axis + 2 == mine.size() ? rows
                                                 : 1;
      parameter.setValues({extent});
      parameter.setInit(extent);
    }
}

void Kernel::describeLoop(DividedSums &result) {
  result.length = innermost.getUpperBound();
  for (scf::ForOp outer = loop; outer != innermost;
       outer = carriedThrough(outer)) {
    APInt step;
    if (matchPattern(outer.getLowerBound(), m_Zero()) &&
        matchPattern(outer.getStep(), m_ConstantInt(&step)))
      result.around.push_back(
          {outer.getUpperBound(), int64_t(step.getZExtValue())});
  }
  Operation *step = innermost.getStep().getDefiningOp();
  auto parameter = dyn_cast<tile::ParamValueOp>(step);
  result.step =
      parameter ? initOf(parameter)
                : cast<IntegerAttr>(cast<arith::ConstantOp>(step).getValue())
                      .getInt();
}

void Kernel::describe(DividedSums &result) {
  result.kernel = kernel;
  for (auto [walk, bound] : llvm::zip(walks, parallel.getBounds().drop_front()))
    result.counts.push_back(
        walk
            ? DividedSums::Count{walk->extent, initOf(cast<tile::ParamValueOp>(
                                                   walk->tile.getDefiningOp()))}
            : DividedSums::Count{bound, 1});
  for (auto [i, name] : llvm::enumerate(names)) {
    DividedSums::Workspace workspace;
    workspace.name = name;
    auto view = cast<tile::ViewType>(workspaces[i].getType());
    workspace.element = view.getElementType();
    for (auto [walk, bound] :
         llvm::zip(walks, parallel.getBounds().drop_front()))
      if (!walk)
        workspace.extents.push_back(bound);
    for (size_t axis : axes[i])
      workspace.extents.push_back(walks[axis]->extent);
    result.workspaces.push_back(std::move(workspace));
  }
  result.within.assign(within.begin(), within.end());
}

std::optional<DividedSums> heddle::divideSums(ModuleOp program,
                                              StringRef suffix,
                                              const machine::Costs &costs,
                                              SumObstacle &obstacle) {
  DividedSums result;
  result.parts = program.clone();
  result.whole = program.clone();
  Kernel parts(*result.parts, suffix, costs, obstacle),
      whole(*result.whole, suffix, costs, obstacle);
  if (!parts.analyse() || !whole.analyse())
    return std::nullopt;
  parts.describeLoop(result);
  parts.makeParts();
  parts.describe(result);
  whole.makeWhole();
  return result;
}
