//===- PlaceTiles.cpp - Which tiles of a kernel are in memory -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

int64_t heddle::dense::lanesOf(Type element,
                               const machine::Processor &processor) {
  // Narrow elements are computed with as wider ones.
  bool isWide = isa<tile::PtrType, IndexType>(element) ||
                element.getIntOrFloatBitWidth() > 32;
  return std::max<int64_t>(int64_t(processor.vectorBytes) / (isWide ? 8 : 4),
                           1);
}

bool heddle::dense::goesByElement(Operation *op) {
  if (auto asked = dyn_cast<tile::TileOpInterface>(op))
    return asked.goesByElement() && !isa<tile::StageOp>(op);
  return op->hasTrait<OpTrait::Elementwise>() && !op->getNumRegions();
}

/// A reshape that adds or drops axes of one element.
static bool onlyRenames(tile::ReshapeOp op) {
  auto long_ = [](Value tile) {
    SmallVector<int64_t> extents;
    for (int64_t extent : cast<RankedTensorType>(tile.getType()).getShape())
      if (extent != 1)
        extents.push_back(extent);
    return extents;
  };
  return long_(op.getValue()) == long_(op.getResult());
}

bool heddle::dense::isAnotherName(Operation *op) {
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op))
    return onlyRenames(reshape);
  return isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::TransOp,
             tile::StageOp>(op);
}

Value heddle::dense::originOf(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (!isa<tile::MergeOp, tile::WindowOp, tile::MakeViewOp, tile::PtrAddOp,
             tile::PtrCastOp, tile::SplatOp, tile::BroadcastOp,
             tile::ExpandDimsOp>(op))
      return {};
    address = op->getOperand(0);
  }
  bool isArgument =
      isa<tile::KernelOp>(address.getParentBlock()->getParentOp());
  return isArgument ? address : Value();
}

RegisterTile
heddle::dense::chooseRegisterTile(int64_t rows, int64_t columns, int64_t lanes,
                                  const machine::Processor &processor) {
  RegisterTile best;
  double least = 0;
  int64_t registers = int64_t(processor.vectorRegisters);
  double perLoad =
      lanes ? processor.vectorBytes / processor.levels.front().bytesPerCycle
            : 1;
  for (int64_t vectors = 1; vectors < registers; ++vectors)
    for (int64_t height = 1; (height + 1) * vectors + 1 <= registers;
         ++height) {
      // One element of the sums' depth: products, which wait for their chain
      // where they are few, and loads beside them.
      double products = std::max(double(height * vectors) * processor.vectorFma,
                                 processor.fmaLatency);
      double loads = double(height + vectors) * perLoad;
      double tiles = double(llvm::divideCeil(rows, height)) *
                     double(llvm::divideCeil(columns, vectors * lanes));
      double cycles = tiles * std::max(products, loads);
      // Of equals the one that loads least.
      double cost = cycles * (1 + 1e-3 * loads / double(height * vectors));
      if (least == 0 || cost < least) {
        least = cost;
        best = {height, vectors};
      }
    }
  return best;
}

namespace {

bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }
ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}
Type elementOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getElementType();
}

/// Made of scalars alone, at no cost worth memory.
bool isLeaf(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (isa<tile::SplatOp, tile::IotaOp, arith::ConstantOp>(op))
    return true;
  return isa<tile::ExpandDimsOp, tile::BroadcastOp>(op) &&
         isLeaf(op->getOperand(0));
}

bool writesMemory(Operation &op) {
  return op.getNumRegions() || !isMemoryEffectFree(&op);
}

class Placer {
public:
  Placer(tile::KernelOp kernel, const machine::Processor &processor)
      : kernel(kernel), processor(processor) {}

  TilePlan run() {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
    for (Value tile : placed)
      classes.insert(tile.getAsOpaquePointer());
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { join(op); });
    assign();
    return std::move(plan);
  }

private:
  void place(Value tile) {
    if (isTile(tile) && !isLeaf(tile))
      placed.insert(tile);
  }

  /// Whether the only user takes the tile some lanes at a time, where it
  /// stands, or right behind.
  bool isUsedOnceHere(Value tile) {
    if (!tile.hasOneUse())
      return false;
    Operation *user = *tile.user_begin();
    if (user->getBlock() != tile.getParentBlock())
      return false;
    return goesByElement(user) ||
           isa<tile::StoreOp, tile::DotOp, tile::ReduceOp, tile::GatherOp,
               tile::ScatterOp, tile::PtrAddOp, tile::StageOp>(user);
  }

  /// Whether nothing is written between a read and where its elements are used
  /// at last.
  bool mayReadLate(Operation *read) {
    Operation *last = read;
    while (last->getNumResults() == 1 && isUsedOnceHere(last->getResult(0))) {
      last = *last->getResult(0).user_begin();
      if (isa<tile::DotOp, tile::ReduceOp>(last))
        break;
    }
    for (Operation *op = read->getNextNode(); op && op != last;
         op = op->getNextNode())
      if (writesMemory(*op) && !isa<tile::LoadOp, tile::GatherOp>(op))
        return false;
    Value from = originOf(read->getOperand(0));
    if (auto store = dyn_cast<tile::StoreOp>(last))
      return from && originOf(store.getView()) != from;
    if (auto scatter = dyn_cast<tile::ScatterOp>(last))
      return from && originOf(scatter.getPtr()) != from;
    return true;
  }

  void collect(Operation *op) {
    for (Region &region : op->getRegions())
      if (!isa<tile::ReduceOp, tile::ScanOp>(op))
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            place(argument);
    if (isa<tile::LoadOp, tile::StoreOp>(op))
      rowOps.push_back(op);
    if (auto dot = dyn_cast<tile::DotOp>(op))
      dots.push_back(dot);
    if (op->getNumResults() == 0)
      return;
    if (isAnotherName(op)) {
      place(op->getOperand(0));
      return;
    }
    if (auto reshape = dyn_cast<tile::ReshapeOp>(op))
      place(reshape.getValue());
    bool isOnDemand = op->getNumResults() == 1 && isTile(op->getResult(0)) &&
                      (goesByElement(op) || isa<tile::PtrAddOp>(op));
    if (isa<tile::LoadOp, tile::GatherOp>(op))
      isOnDemand = mayReadLate(op);
    if (isOnDemand && isUsedOnceHere(op->getResult(0)))
      return;
    for (Value result : op->getResults())
      place(result);
  }

  void unite(Value a, Value b) {
    classes.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }
  bool areOne(Value a, Value b) {
    return placed.contains(a) && placed.contains(b) &&
           classes.isEquivalent(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }

  /// Whether `user` may overwrite the tile: nobody reads it afterwards.
  bool mayTakeOver(Value tile, Operation *user) {
    return placed.contains(tile) && tile.hasOneUse() &&
           tile.getParentBlock() == user->getBlock();
  }

  void join(Operation *op) {
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      // A tile that two operands read is not the sums' alone.
      if (mayTakeOver(dot.getAcc(), op))
        unite(dot.getAcc(), dot.getResult());
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, argument, result] :
           llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                     loop.getResults())) {
        if (!isTile(result))
          continue;
        unite(argument, result);
        if (mayTakeOver(init, op))
          unite(init, result);
      }
    }
  }

  int64_t reserve(int64_t bytes) {
    int64_t offset = plan.bytes;
    plan.bytes += int64_t(llvm::alignTo(uint64_t(bytes), 64));
    return offset;
  }

  /// A place of rows that whole vectors fit in, and `rows` of them at least.
  Place makePlace(Value tile, int64_t rows, int64_t columns) {
    ArrayRef<int64_t> shape = shapeOf(tile);
    Place made;
    made.strides.assign(shape.size(), 1);
    int64_t lanes = lanesOf(elementOf(tile), processor);
    int64_t count = 1;
    for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
      made.strides[axis] = count;
      int64_t extent = shape[axis];
      if (axis + 1 == int64_t(shape.size()))
        extent = std::max(extent == 1 && shape.size() > 1
                              ? 1
                              : int64_t(llvm::alignTo(extent, lanes)),
                          columns);
      else if (axis + 2 == int64_t(shape.size()))
        extent = std::max(extent, rows);
      count *= extent;
    }
    // The last row may be read a whole vector at a time.
    made.offset = reserve((count + lanes) * bytesOf(elementOf(tile)));
    return made;
  }

  static int64_t bytesOf(Type element) {
    if (isa<tile::PtrType, IndexType>(element))
      return 8;
    return (int64_t(element.getIntOrFloatBitWidth()) + 7) / 8;
  }

  void assignDots(llvm::DenseMap<unsigned, std::pair<int64_t, int64_t>> &most,
                  llvm::function_ref<unsigned(Value)> numberOf) {
    int64_t a = 0, b = 0;
    for (tile::DotOp dot : dots) {
      auto shape = shapeOf(dot.getResult());
      int64_t depth = shapeOf(dot.getA())[1];
      Type element = elementOf(dot.getResult());
      int64_t lanes = lanesOf(element, processor);
      DotPlaces made;
      made.registers = chooseRegisterTile(shape[0], shape[1], lanes, processor);
      int64_t width = made.registers.vectors * lanes;
      int64_t rows = int64_t(llvm::alignTo(shape[0], made.registers.rows));
      int64_t columns = int64_t(llvm::alignTo(shape[1], width));
      auto &extents = most[numberOf(dot.getResult())];
      extents = {std::max(extents.first, rows),
                 std::max(extents.second, columns)};
      made.aRow = int64_t(llvm::alignTo(depth, lanes));
      a = std::max(a, (rows * made.aRow + lanes) * bytesOf(element));
      b = std::max(b, (columns * depth + lanes) * bytesOf(element));
      plan.dots[dot] = made;
    }
    // One product at a time is computed.
    int64_t atA = reserve(a), atB = reserve(b);
    for (auto &[dot, made] : plan.dots) {
      made.a = atA;
      made.b = atB;
    }
  }

  void assign() {
    llvm::DenseMap<const void *, unsigned> numbers;
    SmallVector<Value> first;
    auto numberOf = [&](Value tile) {
      const void *leader = classes.getLeaderValue(tile.getAsOpaquePointer());
      auto [found, isNew] = numbers.try_emplace(leader, numbers.size());
      if (isNew)
        first.push_back(tile);
      return found->second;
    };
    for (Value tile : placed)
      plan.placeOf[tile] = numberOf(tile);
    llvm::DenseMap<unsigned, std::pair<int64_t, int64_t>> most;
    assignDots(most, numberOf);
    for (auto [number, tile] : llvm::enumerate(first)) {
      auto [rows, columns] = most.lookup(unsigned(number));
      plan.places.push_back(makePlace(tile, rows, columns));
    }
    for (Operation *op : rowOps) {
      Value tile = isa<tile::LoadOp>(op) ? op->getResult(0) : op->getOperand(0);
      int64_t lanes = lanesOf(elementOf(tile), processor);
      plan.rows[op] = reserve((shapeOf(tile).back() + 2 * lanes) *
                              bytesOf(elementOf(tile)));
    }
    kernel.walk([&](scf::ForOp loop) { keepCopies(loop); });
  }

  /// A value that a loop hands on under another number must be read before its
  /// place gets the new one.
  void keepCopies(scf::ForOp loop) {
    auto yields = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    for (OpOperand &operand : yields->getOpOperands()) {
      if (!isTile(operand.get()))
        continue;
      Operation *maker = operand.get().getDefiningOp();
      bool isTaken = maker && isAnotherName(maker);
      for (BlockArgument other : loop.getRegionIterArgs())
        isTaken |= other.getArgNumber() != operand.getOperandNumber() + 1 &&
                   areOne(operand.get(), other);
      if (isTaken && !isLeaf(operand.get()))
        plan.copies[&operand] = makePlace(operand.get(), 0, 0);
    }
  }

  tile::KernelOp kernel;
  const machine::Processor &processor;
  llvm::SetVector<Value> placed;
  llvm::EquivalenceClasses<const void *> classes;
  SmallVector<tile::DotOp> dots;
  SmallVector<Operation *> rowOps;
  TilePlan plan;
};

} // namespace

TilePlan heddle::dense::placeTiles(tile::KernelOp kernel,
                                   const machine::Processor &processor) {
  return Placer(kernel, processor).run();
}
