//===- VerifyAsync.cpp - Waits, fences and flights along every path ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An abstract interpretation of one process: which wgmma groups may still be in
// flight, and how visible what threads wrote to shared memory is. Loops run
// until the state at their head stops changing. It proves the local rules only;
// that rings of several processes neither race nor deadlock is for the checker.
//
//===----------------------------------------------------------------------===//

#include "AsyncState.h"

#include "VerifyKernel.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

namespace {
class AsyncVerifier {
public:
  AsyncVerifier(ProcessOp process) : process(process) { collectRings(); }

  LogicalResult verify() {
    AsyncState state;
    return visitBlock(process.getBody().front(), state);
  }

private:
  void collectRings();
  LogicalResult visitBlock(Block &block, AsyncState &state);
  LogicalResult visit(Operation *op, AsyncState &state);
  LogicalResult visitFor(scf::ForOp op, AsyncState &state);
  LogicalResult visitIf(scf::IfOp op, AsyncState &state);
  LogicalResult visitWhile(scf::WhileOp op, AsyncState &state);
  LogicalResult visitWgmma(WgmmaOp op, AsyncState &state);
  LogicalResult visitWait(WgmmaWaitOp op, AsyncState &state);
  LogicalResult visitArrive(ArriveOp op, AsyncState &state);
  LogicalResult visitWrite(Operation *op, Value tile, AsyncState &state);
  LogicalResult visitLoad(Operation *op, Value tile, AsyncState &state);
  LogicalResult visitCount(LocalCountOp op, AsyncState &state);
  LogicalResult needsVisible(Operation *op, Value tile, AsyncState &state);
  LogicalResult visitLoop(AsyncState &state,
                          llvm::function_ref<LogicalResult(AsyncState &)> body);

  ProcessOp process;
  bool isReadAsync(Value tile) const;

  llvm::StringSet<> readByWgmma; ///< rings that this process multiplies from
  /// By ring, what any process reads of a slot through the async proxy, in
  /// bytes from and to.
  llvm::StringMap<SmallVector<std::pair<int64_t, int64_t>>> readAsync;
  /// Tiles of slots that this process writes and that are read so.
  llvm::StringSet<> writtenForAsync;
};
} // namespace

static SlotOp slotOf(Value tile) {
  while (auto trans = tile.getDefiningOp<SharedTransOp>())
    tile = trans.getTile();
  return tile.getDefiningOp<SlotOp>();
}

static StringRef ringOf(Value tile) {
  SlotOp slot = slotOf(tile);
  return slot ? slot.getRing() : StringRef();
}

/// In bytes of the slot, from and to.
static std::pair<int64_t, int64_t> extentOf(SlotOp slot) {
  int64_t begin = slot.getOffset();
  return {begin, begin + cast<SmemType>(slot.getType()).getSizeBytes()};
}

/// A slot may hold more than what multiplies: what threads alone read of it
/// needs no fence.
bool AsyncVerifier::isReadAsync(Value tile) const {
  SlotOp slot = slotOf(tile);
  if (!slot)
    return false;
  auto [begin, end] = extentOf(slot);
  auto found = readAsync.find(slot.getRing());
  return found != readAsync.end() &&
         llvm::any_of(found->second, [&](const auto &read) {
           return read.first < end && begin < read.second;
         });
}

void AsyncVerifier::collectRings() {
  auto kernel = process->getParentOfType<KernelOp>();
  for (auto other : kernel.getOps<ProcessOp>())
    other.getBody().walk([&](Operation *op) {
      if (auto wgmma = dyn_cast<WgmmaOp>(op))
        for (Value tile : {wgmma.getA(), Value(wgmma.getB())})
          if (SlotOp slot = slotOf(tile)) {
            readAsync[slot.getRing()].push_back(extentOf(slot));
            if (other == process)
              readByWgmma.insert(slot.getRing());
          }
      if (auto store = dyn_cast<TmaStoreOp>(op))
        if (SlotOp slot = slotOf(store.getTile()))
          readAsync[slot.getRing()].push_back(extentOf(slot));
    });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void copyAges(AsyncState &state, ValueRange from, ValueRange to) {
  SmallVector<int64_t> ages;
  for (Value value : from)
    ages.push_back(state.ageOf(value));
  for (auto [value, age] : llvm::zip(to, ages))
    if (isa<FlightType>(value.getType()))
      state.setAge(value, age);
}

LogicalResult AsyncVerifier::visitBlock(Block &block, AsyncState &state) {
  for (Operation &op : block)
    if (failed(visit(&op, state)))
      return failure();
  return success();
}

/// `body` maps the state at the loop's head to the state at its next arrival
/// there.
LogicalResult
AsyncVerifier::visitLoop(AsyncState &state,
                         llvm::function_ref<LogicalResult(AsyncState &)> body) {
  while (true) {
    AsyncState next = state;
    if (failed(body(next)))
      return failure();
    AsyncState joined = state;
    joined.join(next);
    if (joined == state)
      return success();
    state = joined;
  }
}

LogicalResult AsyncVerifier::visitFor(scf::ForOp op, AsyncState &state) {
  copyAges(state, op.getInitArgs(), op.getRegionIterArgs());
  auto body = [&](AsyncState &inner) -> LogicalResult {
    if (failed(visitBlock(*op.getBody(), inner)))
      return failure();
    copyAges(inner, op.getBody()->getTerminator()->getOperands(),
             op.getRegionIterArgs());
    return success();
  };
  if (failed(visitLoop(state, body)))
    return failure();
  copyAges(state, op.getRegionIterArgs(), op.getResults());
  return success();
}

LogicalResult AsyncVerifier::visitIf(scf::IfOp op, AsyncState &state) {
  AsyncState other = state;
  auto visitBranch = [&](Region &region, AsyncState &inner) -> LogicalResult {
    if (region.empty())
      return success();
    if (failed(visitBlock(region.front(), inner)))
      return failure();
    copyAges(inner, region.front().getTerminator()->getOperands(),
             op.getResults());
    return success();
  };
  if (failed(visitBranch(op.getThenRegion(), state)) ||
      failed(visitBranch(op.getElseRegion(), other)))
    return failure();
  state.join(other);
  return success();
}

LogicalResult AsyncVerifier::visitWhile(scf::WhileOp op, AsyncState &state) {
  copyAges(state, op.getInits(), op.getBeforeArguments());
  AsyncState leaving;
  auto body = [&](AsyncState &inner) -> LogicalResult {
    if (failed(visitBlock(*op.getBeforeBody(), inner)))
      return failure();
    leaving = inner;
    copyAges(inner, op.getConditionOp().getArgs(), op.getAfterArguments());
    if (failed(visitBlock(*op.getAfterBody(), inner)))
      return failure();
    copyAges(inner, op.getYieldOp().getResults(), op.getBeforeArguments());
    return success();
  };
  if (failed(visitLoop(state, body)))
    return failure();
  state = leaving;
  copyAges(state, op.getConditionOp().getArgs(), op.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult AsyncVerifier::needsVisible(Operation *op, Value tile,
                                          AsyncState &state) {
  std::string name = getTileName(tile);
  auto found = state.tiles.find(name);
  if (found == state.tiles.end() || found->second.written == Written::Visible)
    return success();
  bool fenced = found->second.written == Written::Fenced;
  return reportOp(op, diag::missing_fence)
         << "reads " << name << " through the async proxy, but "
         << (fenced ? "the threads that wrote it have not met"
                    : "the threads that wrote it have no fence")
         << " since; put hopper.fence_async and then hopper.sync before it";
}

/// Somebody looks at the value; a release names it only to stand behind.
static bool isRead(WgmmaWaitOp wait) {
  return llvm::any_of(wait.getValue().getUsers(),
                      [](Operation *user) { return !isa<ArriveOp>(user); });
}

/// Before `by` in its block, what takes a flight's registers for good: a
/// product that accumulates into them, or a wait whose value is read. The
/// lowering ties them to it. What happens in other blocks is for the checker.
static Operation *findTaker(Value flight, Operation *by) {
  for (Operation *user : flight.getUsers()) {
    if (user == by || user->getBlock() != by->getBlock() ||
        !user->isBeforeInBlock(by))
      continue;
    auto wgmma = dyn_cast<WgmmaOp>(user);
    auto wait = dyn_cast<WgmmaWaitOp>(user);
    if ((wgmma && wgmma.getAcc() == flight) || (wait && isRead(wait)))
      return user;
  }
  return nullptr;
}

LogicalResult AsyncVerifier::visitWgmma(WgmmaOp op, AsyncState &state) {
  for (Value tile : {op.getA(), Value(op.getB())})
    if (isa<SmemType>(tile.getType()) && failed(needsVisible(op, tile, state)))
      return failure();
  if (op.getAcc() && isa<FlightType>(op.getAcc().getType()) &&
      findTaker(op.getAcc(), op))
    return reportOp(op, diag::flight_overwritten)
           << "accumulates into registers that are another's by now: a product "
              "accumulates into them, or their value was read; go on from that";
  state.commitGroup();
  state.setAge(op.getFlight(), 0);
  return success();
}

LogicalResult AsyncVerifier::visitWait(WgmmaWaitOp op, AsyncState &state) {
  int64_t pending = op.getPending(), age = state.ageOf(op.getFlight());
  if (age < pending)
    return reportOp(op, diag::flight_unwaited)
           << "leaves its own flight in flight: pending " << pending
           << ", but at most " << age << " groups were committed after it";
  Operation *taker = isRead(op) ? findTaker(op.getFlight(), op) : nullptr;
  if (isa_and_present<WgmmaOp>(taker))
    return reportOp(op, diag::flight_overwritten)
           << "gives a value that is read, but a later "
              "hopper.wgmma already accumulates "
              "into these registers";
  if (taker)
    return reportOp(op, diag::flight_overwritten)
           << "gives a value that is read, but an earlier hopper.wgmma_wait "
              "gave it already; use that";
  state.retireGroups(pending);
  return success();
}

LogicalResult AsyncVerifier::visitArrive(ArriveOp op, AsyncState &state) {
  // That whoever reads through the async proxy fences is for the checker.
  for (Value copy : op.getCopies())
    state.tiles[getTileName(copy.getDefiningOp<CopyOp>().getTile())].written =
        Written::Visible;
  if (!op.getCopies().empty())
    return success();
  if (op.getSide() == "empty") {
    // Behind a loop that waited for all it started there is no value to name.
    if (readByWgmma.contains(op.getRing()) && op.getAfter().empty() &&
        !state.flightAge.empty())
      return reportOp(op, diag::early_release)
             << "releases a slot of '" << op.getRing()
             << "', which a hopper.wgmma reads, without naming the value of "
                "the wait "
             << "that retires it";
    return success();
  }
  std::string prefix = "ring '" + op.getRing().str() + "' at ";
  for (auto &[name, tile] : state.tiles) {
    if (!StringRef(name).starts_with(prefix))
      continue;
    bool fenced =
        tile.written == Written::Visible || tile.written == Written::Fenced;
    if (!fenced && writtenForAsync.contains(name))
      return reportOp(op, diag::missing_fence)
             << "publishes " << name
             << ", which is read through the async proxy, but the "
             << "threads that wrote it have no hopper.fence_async since";
    tile.written = Written::Visible;
  }
  return success();
}

LogicalResult AsyncVerifier::visitWrite(Operation *op, Value tile,
                                        AsyncState &state) {
  std::string name = getTileName(tile);
  TileState &current = state.tiles[name];
  if (current.storeAge < kRetired)
    return reportOp(op, diag::missing_sync)
           << "writes " << name
           << ", which a hopper.tma_store may still read; put "
           << "hopper.tma_store_wait and then hopper.sync before it";
  if (current.storeDone)
    return reportOp(op, diag::missing_sync)
           << "writes " << name << ", but only the first thread knows that the "
           << "hopper.tma_store has read it; put hopper.sync before it";
  if (current.loaded)
    return reportOp(op, diag::missing_sync)
           << "writes " << name << ", which other threads may still load; put "
           << "hopper.sync before it";
  current.written = Written::Fresh;
  if (isReadAsync(tile))
    writtenForAsync.insert(name);
  return success();
}

/// All threads add at once, to what they all have seen.
LogicalResult AsyncVerifier::visitCount(LocalCountOp op, AsyncState &state) {
  std::string name = getTileName(op.getTile());
  Written written = state.tiles[name].written;
  if (written == Written::Fresh || written == Written::Fenced)
    return reportOp(op, diag::missing_sync)
           << "counts in " << name
           << ", which other threads may still write; put "
           << "hopper.sync before it";
  return visitWrite(op, op.getTile(), state);
}

LogicalResult AsyncVerifier::visitLoad(Operation *op, Value tile,
                                       AsyncState &state) {
  std::string name = getTileName(tile);
  TileState &current = state.tiles[name];
  if (current.written == Written::Fresh || current.written == Written::Fenced)
    return reportOp(op, diag::missing_sync)
           << "loads " << name << ", which other threads may still write; put "
           << "hopper.sync before it";
  // A slot is written when its ring's barrier says that all readers gave it
  // back, those of this process among them: that is for the checker.
  current.loaded = ringOf(tile).empty();
  return success();
}

LogicalResult AsyncVerifier::visit(Operation *op, AsyncState &state) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp op) { return visitFor(op, state); })
      .Case([&](scf::IfOp op) { return visitIf(op, state); })
      .Case([&](scf::WhileOp op) { return visitWhile(op, state); })
      .Case([&](WgmmaOp op) { return visitWgmma(op, state); })
      .Case([&](WgmmaWaitOp op) { return visitWait(op, state); })
      .Case([&](ArriveOp op) { return visitArrive(op, state); })
      .Case(
          [&](LocalStoreOp op) { return visitWrite(op, op.getTile(), state); })
      .Case([&](CopyOp op) { return visitWrite(op, op.getTile(), state); })
      .Case([&](LocalLoadOp op) { return visitLoad(op, op.getTile(), state); })
      .Case<LocalTakeOp, LocalUnfoldOp>(
          [&](auto op) { return visitLoad(op, op.getTile(), state); })
      .Case([&](LocalCountOp op) { return visitCount(op, state); })
      .Case([&](FenceAsyncOp) { return state.fence(), success(); })
      .Case([&](SyncOp) { return state.meet(), success(); })
      .Case([&](TmaStoreOp op) {
        if (failed(needsVisible(op, op.getTile(), state)))
          return failure();
        return state.commitStore(getTileName(op.getTile())), success();
      })
      .Case([&](TmaStoreWaitOp op) {
        return state.waitStores(op.getPending(), process.getElected()),
               success();
      })
      .Default(success());
}

LogicalResult verifyAsync(ProcessOp process) {
  return AsyncVerifier(process).verify();
}

} // namespace heddle::hopper
