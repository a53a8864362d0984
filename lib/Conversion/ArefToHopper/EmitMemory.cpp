//===- EmitMemory.cpp - Rewrite: loads to registers, and stores
//-------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store through TMA is staged chunk by chunk, buffers in turn:
//
//   first thread: at most one store still reads shared memory
//   all threads:  barrier (the buffer is free), write the chunk, fence, barrier
//   first thread: TMA store or reduction, commit
//
//===----------------------------------------------------------------------===//

#include "ProcessEmitter.h"
#include "StoredPlaces.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

int64_t ProcessEmitter::vectorOf(Operation *op) const {
  auto it = plan.vectors.find(op);
  return it == plan.vectors.end() ? 1 : it->second;
}

/// Direct loads are emitted where they are published.
void ProcessEmitter::emitLoad(tile::LoadOp load) {
  if (facts.isDirect(load))
    return;
  auto type = withLayout(cast<RankedTensorType>(load.getResult().getType()),
                         processPlan.layouts.lookup(load.getResult()));
  Value rows;
  if (load.getRows())
    rows = tile(load.getRows(),
                collapseAxis(cast<LayoutAttr>(type.getEncoding()), 1),
                load.getLoc());
  auto made = hopper::GlobalLoadOp::create(
      builder, load.getLoc(), type, scalar(load.getView()),
      scalars(load.getOffsets()), vectorOf(load), rows);
  carryName(load, made);
  values[load.getResult()] = {made};
}

void ProcessEmitter::emitStore(tile::StoreOp store) {
  if (plan.stores.find(store)->second.isTma())
    return emitStagedStore(store);
  auto made = hopper::GlobalStoreOp::create(
      builder, store.getLoc(),
      tile(store.getValue(), processPlan.layouts.stored.lookup(store),
           store.getLoc()),
      scalar(store.getView()), scalars(store.getOffsets()), vectorOf(store),
      facts.storesByThreads(store) && vectorOf(store) > 1,
      /*condition=*/Value());
  carryName(store, made);
}

/// Buffers alternate within a store. If some store has an odd number of chunks,
/// the next one starts on the buffer used last and must wait for it; so must
/// one that does not know which chunk an iteration stored last.
int64_t ProcessEmitter::pendingReads(unsigned chunk) const {
  if (processPlan.staging.size() == 1 || (chunk == 0 && isAnySpread))
    return 0;
  bool even = llvm::all_of(process.written(), [&](Stored store) {
    return plan.stores.find(store)->second.chunks % 2 == 0;
  });
  return even || chunk > 0 ? 1 : 0;
}

static bool isRepeatedInInstance(tile::StoreOp store) {
  for (Operation *around = store->getParentOp(); !isa<aref::ProcessOp>(around);
       around = around->getParentOp())
    if (tile::isOrderedLoop(around))
      return true;
  return false;
}

/// Whether an earlier store of the same instance may write the same place: this
/// one, in a loop, or another one. Stores by TMA come in any order. Of several
/// copies of one store, none of them in a loop, an instance executes one.
bool ProcessEmitter::mayOverwrite(tile::StoreOp store) const {
  if (isRepeatedInInstance(store))
    return true;
  return llvm::any_of(process.stores, [&](tile::StoreOp other) {
    StringRef name = sched::opName(other);
    bool isCopy = !name.empty() && name == sched::opName(store) &&
                  !isRepeatedInInstance(other);
    return other != store && !isCopy && mayMeet(store, other);
  });
}

void ProcessEmitter::emitStagedStore(tile::StoreOp store) {
  StagedStore staged = stage(store);
  for (unsigned chunk = 0; chunk < staged.chunks; ++chunk)
    emitChunks(staged, chunk, 1, pendingReads(chunk));
}

/// In rounds of as many chunks as there are buffers, so that a round costs one
/// pair of barriers. Sums need no order among each other.
void ProcessEmitter::emitViewReduce(tile::ViewReduceOp reduction) {
  if (!plan.stores.find(reduction)->second.isTma())
    return emitSum(reduction);
  StagedStore staged = stage(reduction);
  staged.turn = turnOf(reduction);
  unsigned buffers = processPlan.staging.size();
  for (unsigned first = 0; first < staged.chunks; first += buffers)
    emitChunks(staged, first, std::min(buffers, staged.chunks - first),
               /*pending=*/0);
  if (!staged.turn)
    return;
  hopper::TmaStoreWaitOp::create(builder, reduction.getLoc(), /*pending=*/0,
                                 /*complete=*/true);
  passTurn(*staged.turn);
}

/// The tile and its offsets, made here.
ProcessEmitter::StagedStore ProcessEmitter::stage(Stored store) {
  return {store, unsigned(plan.stores.find(store)->second.chunks),
          tile(store.getValue(), processPlan.layouts.stored.lookup(store),
               store.getLoc()),
          scalars(store.getOffsets())};
}

/// Stores some chunks, each through its own buffer, after at most `pending`
/// earlier ones still leave theirs.
void ProcessEmitter::emitChunks(const StagedStore &staged, unsigned first,
                                unsigned count, int64_t pending) {
  Stored store = staged.store;
  hopper::SmemType chunk = plan.stores.find(store)->second.chunk;
  Location loc = store.getLoc();
  auto op = aref::ProcessOp(process.op);
  int64_t rows = chunk.getShape()[0], columns = chunk.getShape()[1];
  auto type = cast<RankedTensorType>(staged.value.getType());
  int64_t beside = type.getDimSize(1) / columns; // chunks of the same rows
  auto placeOf = [&](int64_t number) -> SmallVector<int64_t> {
    return {number / beside * rows, number % beside * columns};
  };
  auto partType = RankedTensorType::get(
      chunk.getShape(), type.getElementType(),
      cutTile(cast<LayoutAttr>(type.getEncoding()), rows, columns));
  SmallVector<Value> parts, buffers;
  for (unsigned number = first; number < first + count; ++number) {
    unsigned turn = number % processPlan.staging.size();
    parts.push_back(staged.chunks == 1 ? staged.value
                                       : hopper::SubtileOp::create(
                                             builder, loc, partType,
                                             staged.value, placeOf(number)));
    buffers.push_back(hopper::BufferOp::create(
        builder, loc, chunk, (op.getSym() + ".out" + Twine(turn)).str(),
        processPlan.staging[turn]));
  }
  bool inOrder = first == 0 && !store.reduces() &&
                 mayOverwrite(cast<tile::StoreOp>((Operation *)store));
  hopper::TmaStoreWaitOp::create(builder, loc, inOrder ? 0 : pending,
                                 /*complete=*/inOrder);
  emitSync(loc);
  for (auto [part, buffer] : llvm::zip(parts, buffers))
    hopper::LocalStoreOp::create(builder, loc, part, buffer);
  hopper::FenceAsyncOp::create(builder, loc);
  emitSync(loc);
  if (first == 0 && staged.turn)
    awaitTurn(*staged.turn);
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    SmallVector<Value> offsets = staged.offsets;
    for (auto [offset, more] : llvm::zip(MutableArrayRef(offsets).take_back(2),
                                         placeOf(first + int64_t(i))))
      if (more)
        offset = arith::AddIOp::create(
            builder, loc, offset,
            arith::ConstantIndexOp::create(builder, loc, more));
    carryName(store, hopper::TmaStoreOp::create(builder, loc, buffer,
                                                scalar(store.getView()),
                                                offsets, store.reduces()));
  }
}
