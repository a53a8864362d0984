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
//   first thread: TMA store, commit
//
//===----------------------------------------------------------------------===//

#include "ProcessEmitter.h"

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
  auto made = hopper::GlobalLoadOp::create(
      builder, load.getLoc(), type, scalar(load.getView()),
      scalars(load.getOffsets()), vectorOf(load));
  carryName(load, made);
  values[load.getResult()] = {made};
}

void ProcessEmitter::emitStore(tile::StoreOp store) {
  const StorePlan &storePlan = plan.stores.find(store)->second;
  if (storePlan.isTma())
    return emitStagedStore(store, storePlan);
  auto made = hopper::GlobalStoreOp::create(
      builder, store.getLoc(),
      tile(store.getValue(), processPlan.layouts.stored.lookup(store),
           store.getLoc()),
      scalar(store.getView()), scalars(store.getOffsets()), vectorOf(store));
  carryName(store, made);
}

/// Buffers alternate within a store. If some store has an odd number of chunks,
/// the next one starts on the buffer used last and must wait for it.
int64_t ProcessEmitter::pendingReads(unsigned chunk) const {
  if (processPlan.staging.size() == 1)
    return 0;
  bool even = llvm::all_of(process.stores, [&](tile::StoreOp store) {
    return plan.stores.find(store)->second.chunks % 2 == 0;
  });
  return even || chunk > 0 ? 1 : 0;
}

/// Whether an earlier store of the same instance may write the same place: this
/// one, in a loop, or another one. Stores by TMA come in any order.
bool ProcessEmitter::mayOverwrite(tile::StoreOp store) const {
  for (Operation *around = store->getParentOp(); !isa<aref::ProcessOp>(around);
       around = around->getParentOp())
    if (tile::isOrderedLoop(around))
      return true;
  return llvm::any_of(process.stores, [&](tile::StoreOp other) {
    return other != store && other.getView() == store.getView();
  });
}

void ProcessEmitter::emitStagedStore(tile::StoreOp store,
                                     const StorePlan &storePlan) {
  Location loc = store.getLoc();
  auto op = aref::ProcessOp(process.op);
  int64_t threads = op.getWarps() * 32, columns = storePlan.chunk.getShape()[1];
  Value value =
      tile(store.getValue(), processPlan.layouts.stored.lookup(store), loc);
  auto type = cast<RankedTensorType>(value.getType());
  auto chunkType = RankedTensorType::get(
      storePlan.chunk.getShape(), type.getElementType(),
      cutColumns(cast<LayoutAttr>(type.getEncoding()), columns));
  Value view = scalar(store.getView());
  SmallVector<Value> offsets = scalars(store.getOffsets());
  Value column = offsets.back();

  for (unsigned chunk = 0; chunk < storePlan.chunks; ++chunk) {
    unsigned turn = chunk % processPlan.staging.size();
    Value part =
        storePlan.chunks == 1
            ? value
            : hopper::SubtileOp::create(builder, loc, chunkType, value,
                                        ArrayRef<int64_t>{0, chunk * columns});
    Value buffer = hopper::BufferOp::create(
        builder, loc, storePlan.chunk,
        (op.getSym() + ".out" + Twine(turn)).str(), processPlan.staging[turn]);
    bool inOrder = chunk == 0 && mayOverwrite(store);
    hopper::TmaStoreWaitOp::create(
        builder, loc, inOrder ? 0 : pendingReads(chunk), /*complete=*/inOrder);
    hopper::SyncOp::create(builder, loc, processPlan.barrier, threads);
    hopper::LocalStoreOp::create(builder, loc, part, buffer);
    hopper::FenceAsyncOp::create(builder, loc);
    hopper::SyncOp::create(builder, loc, processPlan.barrier, threads);
    if (chunk)
      offsets.back() = arith::AddIOp::create(
          builder, loc, column,
          arith::ConstantIndexOp::create(builder, loc, chunk * columns));
    carryName(store, hopper::TmaStoreOp::create(builder, loc, buffer, view,
                                                offsets));
  }
}
