//===- VerifyUses.cpp - What operations need of rings, tiles and views ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules about one operation against the process that it is in and the rings,
// tiles and views that it names: bounds of a slot, alignment, layouts, one
// thread or all. Each operation is looked at alone. VerifyAsync.cpp follows
// waits and fences along paths.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Hopper/StampLimits.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

namespace {
/// Checks one operation of a process at a time.
class UseVerifier {
public:
  UseVerifier(KernelOp kernel, ProcessOp process)
      : kernel(kernel), process(process),
        runs([kernel](BlockArgument argument) {
          KernelOp op = kernel;
          return argument.getOwner() == &op.getEntry() &&
                 llvm::is_contained(op.getMultipleArgs(),
                                    int64_t(argument.getArgNumber()));
        }) {}
  LogicalResult verify(Operation *op);

private:
  LogicalResult verifySlotIndex(Operation *op, StringRef ring, Value slot);
  LogicalResult verifySide(Operation *op, StringRef side);
  LogicalResult verifyPhase(WaitOp op);
  LogicalResult verifyCopies(ArriveOp op);
  LogicalResult verifyUnderWay(CopyOp op);
  LogicalResult verifyRows(CopyOp op);
  LogicalResult verifyRows(GlobalLoadOp op);
  LogicalResult verifySlot(SlotOp op);
  LogicalResult verifyBuffer(BufferOp op);
  LogicalResult verifyPlace(Operation *op, SmemType tile, int64_t offset);
  LogicalResult verifyMove(Operation *op, Value view, Type tile,
                           size_t offsets);
  LogicalResult verifyLocal(Operation *op, RankedTensorType value,
                            SmemType tile);
  LogicalResult verifyStamp(StampOp op);
  LogicalResult verifyTma(Operation *op, Value view, SmemType tile);
  LogicalResult verifySteps(TmaLoadOp op);
  LogicalResult verifyRun(TmaLoadOp op);
  LogicalResult verifyAccess(Operation *op, Value view, ValueRange offsets,
                             Value tile, int64_t vector, bool looks = false);
  LogicalResult verifyVector(Operation *op, Value elements);
  LogicalResult verifyLayouts(Operation *op);
  LogicalResult needsAllThreads(Operation *op);
  LogicalResult verifyWgmma(WgmmaOp op);
  LogicalResult verifyPending(Operation *op, int64_t pending);
  LogicalResult verifyBytes(ExpectOp op);

  KernelOp kernel;
  ProcessOp process;
  tile::RunFinder runs;
};
} // namespace

static RingOp findRing(KernelOp kernel, StringRef name) {
  for (auto ring : kernel.getOps<RingOp>())
    if (ring.getSym() == name)
      return ring;
  return {};
}

LogicalResult UseVerifier::verifySlotIndex(Operation *op, StringRef name,
                                           Value slot) {
  RingOp ring = findRing(kernel, name);
  if (!ring)
    return reportOp(op, diag::hopper_slot)
           << "names ring '" << name << "', which the kernel does not have";
  IntegerAttr index;
  if (matchPattern(slot, m_Constant(&index)) &&
      (index.getInt() < 0 || index.getInt() >= int64_t(ring.getDepth())))
    return reportOp(op, diag::hopper_slot)
           << "uses slot " << index.getInt() << " of ring '" << name
           << "' of depth " << ring.getDepth();
  return success();
}

LogicalResult UseVerifier::verifySide(Operation *op, StringRef side) {
  if (side != "full" && side != "empty")
    return reportOp(op, diag::hopper_slot)
           << "names side '" << side << "'; it is full or empty";
  return success();
}

LogicalResult UseVerifier::verifyCopies(ArriveOp op) {
  if (op.getCopies().empty())
    return success();
  if (failed(needsAllThreads(op)))
    return failure();
  if (op.getSide() != "full" || !op.getAfter().empty())
    return reportOp(op, diag::copy_unpublished)
           << "arrives with copies, which publish a slot: on the full side, "
              "after nothing else";
  for (Value copy : op.getCopies())
    if (!copy.getDefiningOp<CopyOp>())
      return reportOp(op, diag::copy_unpublished)
             << "arrives with a value that no hopper.copy made";
  return success();
}

/// Each thread has the places of the rows that it copies.
LogicalResult UseVerifier::verifyRows(CopyOp op) {
  if (!op.getRows())
    return success();
  auto rows = cast<RankedTensorType>(op.getRows().getType());
  SmemType tile = op.getTile().getType();
  int64_t threads = process.getWarps() * 32;
  if (!op.getUnderWay() ||
      !copiesInChunks(op.getView().getType(), tile, threads))
    return reportOp(op, diag::hopper_move)
           << "takes rows that memory names in another way than in copies of "
              "16 bytes that go on";
  std::optional<machine::Layout> layout = getLayout(rows);
  if (!rows.getElementType().isInteger(64) || !layout ||
      classifyConversion(*layout, rowsLayout(tile, threads)) !=
          machine::Conversion::Same)
    return reportOp(op, diag::hopper_move)
           << "needs the places of its rows where the threads that copy them "
              "are, not as "
           << rows;
  return success();
}

/// Each thread has the places of the rows whose elements it reads.
LogicalResult UseVerifier::verifyRows(GlobalLoadOp op) {
  if (!op.getRows())
    return success();
  auto rows = cast<RankedTensorType>(op.getRows().getType());
  std::optional<machine::Layout> layout = getLayout(rows),
                                 whole = getLayout(op.getValue().getType());
  bool fits = layout && whole && whole->rank == 2 && op.getVector() == 1 &&
              rows.getElementType().isInteger(64) &&
              classifyConversion(
                  *layout, machine::expandAxis(machine::sliceAxis(*whole, 1),
                                               1)) == machine::Conversion::Same;
  if (!fits)
    return reportOp(op, diag::hopper_move)
           << "needs the places of its rows where the threads that read them "
              "are, not as "
           << rows;
  return success();
}

/// A copy that may go on is published by one arrival after it in its block, for
/// the slot that it writes.
LogicalResult UseVerifier::verifyUnderWay(CopyOp op) {
  Value copy = op.getUnderWay();
  if (!copy)
    return success();
  auto arrive =
      copy.hasOneUse() ? dyn_cast<ArriveOp>(*copy.user_begin()) : ArriveOp();
  auto slot = op.getTile().getDefiningOp<SlotOp>();
  if (arrive && slot && arrive->getBlock() == op->getBlock() &&
      op->isBeforeInBlock(arrive) && arrive.getRing() == slot.getRing() &&
      arrive.getSlot() == slot.getSlot())
    return success();
  return reportOp(op, diag::copy_unpublished)
         << "may go on, and no single hopper.arrive after it in its block "
            "names it for the slot that it writes";
}

LogicalResult UseVerifier::verifyPhase(WaitOp op) {
  IntegerAttr phase;
  if (matchPattern(op.getPhase(), m_Constant(&phase)) &&
      (phase.getInt() < 0 || phase.getInt() > 1))
    return reportOp(op, diag::hopper_slot)
           << "waits for phase " << phase.getInt() << "; a parity is 0 or 1";
  return success();
}

LogicalResult UseVerifier::verifyPlace(Operation *op, SmemType tile,
                                       int64_t offset) {
  int64_t alignment = getSharedLayout(tile).alignment();
  if (offset % alignment)
    return reportOp(op, diag::hopper_slot)
           << "places a tile with a swizzle of " << tile.getSwizzle()
           << " B at " << offset << ", not a multiple of " << alignment;
  return success();
}

LogicalResult UseVerifier::verifySlot(SlotOp op) {
  if (failed(verifySlotIndex(op, op.getRing(), op.getSlot())))
    return failure();
  RingOp ring = findRing(kernel, op.getRing());
  SmemType tile = op.getTile().getType();
  int64_t end = satAdd(op.getOffset(), tile.getSizeBytes());
  if (int64_t(op.getOffset()) < 0 || end > int64_t(ring.getSlotBytes()))
    return reportOp(op, diag::hopper_slot)
           << "places a tile at " << op.getOffset() << " to " << end
           << " of a slot of " << ring.getSlotBytes() << " B";
  if (ring.getDepth() > 1 && failed(verifyPlace(op, tile, ring.getSlotBytes())))
    return failure();
  return verifyPlace(op, tile, ring.getOffset() + op.getOffset());
}

LogicalResult UseVerifier::verifyBuffer(BufferOp op) {
  SmemType tile = op.getTile().getType();
  int64_t end = satAdd(op.getOffset(), tile.getSizeBytes());
  if (int64_t(op.getOffset()) < 0 || end > int64_t(kernel.getSharedBytes()))
    return reportOp(op, diag::hopper_slot)
           << "places '" << op.getSym() << "' at " << op.getOffset() << " to "
           << end << " of " << kernel.getSharedBytes() << " B of shared memory";
  return verifyPlace(op, tile, op.getOffset());
}

/// `tile` is one in shared memory or in registers.
LogicalResult UseVerifier::verifyMove(Operation *op, Value value, Type tile,
                                      size_t offsets) {
  auto view = cast<tile::ViewType>(value.getType());
  auto describe = [](auto type) {
    return std::pair(int64_t(type.getShape().size()), type.getElementType());
  };
  auto shared = dyn_cast<SmemType>(tile);
  auto [rank, element] =
      shared ? describe(shared) : describe(cast<RankedTensorType>(tile));
  if (int64_t(offsets) != view.getRank() || rank > view.getRank() ||
      element != view.getElementType())
    return reportOp(op, diag::hopper_move)
           << "moves " << tile << " with " << offsets << " offsets to or from "
           << view;
  return success();
}

LogicalResult UseVerifier::verifyLocal(Operation *op, RankedTensorType value,
                                       SmemType tile) {
  if (value.getShape() != tile.getShape() ||
      value.getElementType() != tile.getElementType())
    return reportOp(op, diag::hopper_move)
           << "moves " << value << " to or from " << tile;
  return needsAllThreads(op);
}

/// It writes to the array of a trace, behind what other processes write there.
LogicalResult UseVerifier::verifyStamp(StampOp op) {
  int64_t processes = llvm::range_size(kernel.getOps<ProcessOp>());
  auto trace =
      tile::ViewType::getRowMajor({1 + kStampsPerProcess * processes},
                                  IntegerType::get(op.getContext(), 32));
  int64_t number = op.getNumber();
  if (number < 0 || number >= kStampNumbers)
    return reportOp(op, diag::hopper_move)
           << "has the number " << number << "; stamps have 0 to "
           << kStampNumbers - 1;
  auto argument = dyn_cast<BlockArgument>(op.getTrace());
  if (!argument || argument.getOwner() != &kernel.getEntry() ||
      argument.getType() != trace)
    return reportOp(op, diag::hopper_move)
           << "notes the clock in " << op.getTrace().getType()
           << ", which is no argument of type " << trace;
  return success();
}

LogicalResult UseVerifier::verifySteps(TmaLoadOp op) {
  ArrayRef<int64_t> steps = op.getSteps();
  tile::ViewType view = op.getView().getType();
  if (!steps.empty() && int64_t(steps.size()) != view.getRank())
    return reportOp(op, diag::hopper_move)
           << "has " << steps.size() << " steps for a view of "
           << view.getRank() << " axes";
  SmemType tile = op.getTile().getType();
  int64_t missing = view.getRank() - int64_t(tile.getShape().size());
  for (auto [axis, step] : llvm::enumerate(steps)) {
    bool isFastest = int64_t(axis) == view.getOrder().front();
    if (step < 1 || step > 8 || (isFastest && step != 1))
      return reportOp(op, diag::hopper_move)
             << "has a step of " << step << " along axis " << axis
             << "; TMA takes 1 to 8, and 1 along the fastest axis";
    int64_t inTile = int64_t(axis) - missing;
    int64_t extent = inTile < 0 ? 1 : tile.getShape()[inTile];
    if (op.getRun().empty() && step > 1 && (extent - 1) * step + 1 > 256)
      return reportOp(op, diag::hopper_move)
             << "spans " << (extent - 1) * step + 1 << " elements along axis "
             << axis << "; a TMA box spans at most 256";
  }
  return success();
}

LogicalResult UseVerifier::verifyRun(TmaLoadOp op) {
  tile::ViewType view = op.getView().getType();
  int64_t axes = view.getRank() - 2;
  if (op.getRun().empty() && op.getFirst().empty() && op.getCount().empty())
    return success();
  for (ValueRange numbers : {ValueRange(op.getRun()), ValueRange(op.getFirst()),
                             ValueRange(op.getCount())})
    if (axes < 1 || axes > 3 || int64_t(numbers.size()) != axes)
      return reportOp(op, diag::hopper_move)
             << "has " << numbers.size() << " numbers for the pixel axes of "
             << view << "; a run is of a view of 3 to 5 axes and has one for "
             << "each but the fastest and the slowest";
  SmemType tile = op.getTile().getType();
  if (tile.getShape().size() != 2 ||
      tile.getShape()[tile.getOrder()[1]] > 1024 || tile.getBoxWidth() > 256)
    return reportOp(op, diag::hopper_move)
           << "loads a run into " << tile
           << "; it has two axes, of at most 1024 pixels, and boxes of at most "
              "256 channels";
  auto isHost = [](Value value) { return isHostScalar(value); };
  if (!llvm::all_of(op.getFirst(), isHost) ||
      !llvm::all_of(op.getCount(), isHost))
    return reportOp(op, diag::grid_rule)
           << "has a run with ends that a host cannot compute";
  return success();
}

LogicalResult UseVerifier::verifyTma(Operation *op, Value value,
                                     SmemType tile) {
  auto view = cast<tile::ViewType>(value.getType());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument ||
      !llvm::is_contained(kernel.getTmaArgs(), argument.getArgNumber()))
    return reportOp(op, diag::hopper_move)
           << "needs a view that the kernel lists under tma";
  int64_t rank = tile.getShape().size();
  if (view.getOrder().front() < view.getRank() - rank ||
      view.getTileOrder(rank) != SmallVector<int64_t>(tile.getOrder()))
    return reportOp(op, diag::hopper_move)
           << "cannot change the order of axes: " << tile << " and " << view;
  if (getSharedLayout(tile).rowBytes() % 16)
    return reportOp(op, diag::hopper_move)
           << "moves rows of " << getSharedLayout(tile).rowBytes()
           << " B; TMA moves multiples of 16 B";
  return success();
}

LogicalResult UseVerifier::verifyAccess(Operation *op, Value value,
                                        ValueRange offsets, Value tile,
                                        int64_t vector, bool looks) {
  if (failed(needsAllThreads(op)) ||
      failed(verifyMove(op, value, tile.getType(), offsets.size())))
    return failure();
  if (vector == 1)
    return success();
  auto view = cast<tile::ViewType>(value.getType());
  auto type = cast<RankedTensorType>(tile.getType());
  auto argument = dyn_cast_if_present<BlockArgument>(findRows(value));
  bool isAsked = argument && llvm::is_contained(kernel.getRowArgs(),
                                                argument.getArgNumber());
  if (!isAsked && !looks)
    return reportOp(op, diag::hopper_move)
           << "accesses " << vector
           << " elements at once, which needs a view that the kernel "
           << "lists under rows";
  if (looks && tile::isMapped(value))
    return reportOp(op, diag::hopper_move)
           << "looks whether rows are aligned, which a view of windows has not";
  if (!getLayout(type))
    return reportOp(op, diag::hopper_layout_use)
           << "has the tile " << type << ", which has no register layout";
  int64_t widest = widestAccess(view, offsets, type);
  if (vector < 1 || widest % vector)
    return reportOp(op, diag::hopper_move)
           << "accesses " << vector << " elements at once, but only " << widest
           << " are known to be aligned neighbours in one thread";
  return success();
}

/// Elements that a gather or scatter accesses at once.
LogicalResult UseVerifier::verifyVector(Operation *op, Value elements) {
  if (!op->hasAttr(kVectorAttr) && !op->hasAttr(kRepeatsAttr))
    return success();
  auto tile = dyn_cast<RankedTensorType>(elements.getType());
  if (!tile || !getLayout(tile))
    return reportOp(op, diag::hopper_layout_use)
           << "has " << elements.getType() << ", which has no register layout";
  auto [vector, repeats] = neighboursOf(op);
  Neighbours widest = widestAccess(op, tile, runs);
  if (vector < 1 || widest.vector % vector)
    return reportOp(op, diag::hopper_move)
           << "accesses " << vector << " elements at once, but only "
           << widest.vector
           << " are known to be aligned neighbours under one mask";
  if (repeats < 1 || widest.repeats % repeats || (vector > 1 && repeats > 1))
    return reportOp(op, diag::hopper_move)
           << "reads one element for " << repeats << " registers, but only "
           << widest.repeats << " are known to have one address and one mask";
  return success();
}

LogicalResult UseVerifier::needsAllThreads(Operation *op) {
  if (process.getElected())
    return reportOp(op, diag::hopper_move)
           << "needs all threads of process '" << process.getSym()
           << "', which runs on one elected thread";
  return success();
}

/// A layout may use fewer warps than the process has (the others hold
/// replicas), never more.
LogicalResult UseVerifier::verifyLayouts(Operation *op) {
  for (Type type : op->getResultTypes()) {
    if (auto flight = dyn_cast<FlightType>(type))
      type = flight.getValue();
    std::optional<machine::Layout> layout = getLayout(type);
    if (layout && layout->warpCount() > int64_t(process.getWarps()))
      return reportOp(op, diag::hopper_layout_use)
             << "has a layout over " << layout->warpCount()
             << " warps in process '" << process.getSym() << "' of "
             << process.getWarps();
  }
  return success();
}

LogicalResult UseVerifier::verifyWgmma(WgmmaOp op) {
  if (failed(needsAllThreads(op)))
    return failure();
  if (process.getWarps() != 4 || process.getFirstWarp() % 4)
    return reportOp(op, diag::hopper_process)
           << "needs a process on one aligned group of four warps, '"
           << process.getSym() << "' has warps " << process.getFirstWarp()
           << " + " << process.getWarps();
  return success();
}

LogicalResult UseVerifier::verifyPending(Operation *op, int64_t pending) {
  if (pending < 0 || pending > kMostPending)
    return reportOp(op, diag::hopper_slot)
           << "waits until " << pending << " groups are pending; that is 0 to "
           << kMostPending;
  return success();
}

/// An mbarrier counts up to 2^20 - 1 bytes.
LogicalResult UseVerifier::verifyBytes(ExpectOp op) {
  int64_t bytes = op.getBytes();
  if (bytes < 0 || bytes >= 1 << 20)
    return reportOp(op, diag::hopper_slot)
           << "announces " << bytes << " B; a barrier counts 0 to "
           << (1 << 20) - 1;
  return success();
}

LogicalResult UseVerifier::verify(Operation *op) {
  if (failed(verifyLayouts(op)))
    return failure();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](WaitOp op) {
        return failure(failed(verifySide(op, op.getSide())) ||
                       failed(verifyPhase(op)) ||
                       failed(verifySlotIndex(op, op.getRing(), op.getSlot())));
      })
      .Case([&](ArriveOp op) {
        return failure(
            failed(verifySide(op, op.getSide())) ||
            failed(verifySlotIndex(op, op.getRing(), op.getSlot())) ||
            failed(verifyCopies(op)));
      })
      .Case([&](ExpectOp op) {
        return failure(failed(verifyBytes(op)) ||
                       failed(verifySlotIndex(op, op.getRing(), op.getSlot())));
      })
      .Case<WgmmaWaitOp, TmaStoreWaitOp>(
          [&](auto op) { return verifyPending(op, op.getPending()); })
      .Case([&](SlotOp op) { return verifySlot(op); })
      .Case([&](BufferOp op) { return verifyBuffer(op); })
      .Case([&](TmaLoadOp op) {
        SmemType tile = op.getTile().getType();
        return failure(failed(verifyMove(op, op.getView(), tile,
                                         op.getOffsets().size())) ||
                       failed(verifyTma(op, op.getView(), tile)) ||
                       failed(verifySteps(op)) || failed(verifyRun(op)) ||
                       failed(verifySlotIndex(op, op.getRing(), op.getSlot())));
      })
      .Case([&](TmaStoreOp op) {
        SmemType tile = op.getTile().getType();
        return failure(failed(verifyMove(op, op.getView(), tile,
                                         op.getOffsets().size())) ||
                       failed(verifyTma(op, op.getView(), tile)));
      })
      .Case([&](CopyOp op) {
        return failure(
            failed(needsAllThreads(op)) || failed(verifyUnderWay(op)) ||
            failed(verifyRows(op)) ||
            failed(verifyMove(op, op.getView(), op.getTile().getType(),
                              op.getOffsets().size())));
      })
      .Case([&](WgmmaOp op) { return verifyWgmma(op); })
      .Case([&](GlobalLoadOp op) {
        return failure(failed(verifyAccess(op, op.getView(), op.getOffsets(),
                                           op.getValue(), op.getVector())) ||
                       failed(verifyRows(op)));
      })
      .Case([&](GlobalStoreOp op) {
        return verifyAccess(op, op.getView(), op.getOffsets(), op.getValue(),
                            op.getVector(), op.getLooks());
      })
      .Case([&](tile::GatherOp op) { return verifyVector(op, op.getResult()); })
      .Case([&](tile::ScatterOp op) { return verifyVector(op, op.getValue()); })
      .Case<LocalStoreOp, LocalLoadOp>([&](auto op) {
        return verifyLocal(op, op.getValue().getType(), op.getTile().getType());
      })
      .Case([&](StampOp op) { return verifyStamp(op); })
      .Case<SyncOp, ReduceOp, ScanOp, LocalTakeOp, LocalUnfoldOp, LocalCountOp>(
          [&](Operation *op) { return needsAllThreads(op); })
      .Default(success());
}

LogicalResult verifyUses(KernelOp kernel) {
  for (auto buffer : kernel.getOps<BufferOp>())
    if (failed(UseVerifier(kernel, ProcessOp()).verify(buffer)))
      return failure();
  for (auto process : kernel.getOps<ProcessOp>()) {
    UseVerifier verifier(kernel, process);
    WalkResult result = process.getBody().walk(
        [&](Operation *op) { return WalkResult(verifier.verify(op)); });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

} // namespace heddle::hopper
