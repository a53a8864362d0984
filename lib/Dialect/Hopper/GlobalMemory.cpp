//===- GlobalMemory.cpp - What a hopper kernel reads and writes -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/GlobalMemory.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heddle::hopper {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {
/// Where a shared tile lies. Buffers of different names may be one place.
struct Place {
  StringRef ring; ///< empty for a buffer
  int64_t offset = 0;
  bool operator==(const Place &) const = default;
};
} // namespace

static std::optional<Place> placeOf(Value tile) {
  while (auto renamed = tile.getDefiningOp<SharedTransOp>())
    tile = renamed.getTile();
  if (auto slot = tile.getDefiningOp<SlotOp>())
    return Place{slot.getRing(), int64_t(slot.getOffset())};
  if (auto buffer = tile.getDefiningOp<BufferOp>())
    return Place{"", int64_t(buffer.getOffset())};
  return std::nullopt;
}

static bool isWide(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 64;
}

/// What threads put where `tile` lies, as far as it may be addresses; nothing
/// if others may, too.
static tile::Sources storedAt(Value tile, KernelOp kernel) {
  std::optional<Place> place = placeOf(tile);
  if (!place)
    return std::nullopt;
  SmallVector<Value> stored;
  WalkResult result = kernel->walk([&](Operation *op) {
    bool isStore = isa<LocalStoreOp>(op);
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<SmemType>(operand.getType());
      if (!type || !isWide(type.getElementType()) ||
          isa<LocalLoadOp, LocalTakeOp, LocalUnfoldOp, SharedTransOp>(op))
        continue;
      std::optional<Place> there = placeOf(operand);
      if (there && *there != *place)
        continue;
      if (!there || !isStore)
        return WalkResult::interrupt();
      stored.push_back(cast<LocalStoreOp>(op).getValue());
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted() || stored.empty())
    return std::nullopt;
  return stored;
}

/// What TTIR's addresses pass on this rung and on none above.
static tile::Sources sourcesOf(Value value, KernelOp kernel) {
  if (Operation *op = value.getDefiningOp())
    return TypeSwitch<Operation *, tile::Sources>(op)
        .Case<LocalLoadOp, LocalTakeOp, LocalUnfoldOp>(
            [&](auto op) -> tile::Sources {
              if (!isWide(op.getValue().getType()))
                return std::nullopt;
              return storedAt(op.getTile(), kernel);
            })
        .Default([](Operation *) { return std::nullopt; });
  auto argument = cast<BlockArgument>(value);
  if (argument.getOwner() != &kernel.getEntry())
    return std::nullopt;
  if (MadeViewOp made = kernel.getMaker(argument.getArgNumber()))
    return SmallVector<Value>{made.getPtr()};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool isAddress(Value value) {
  return isa<tile::ViewType, tile::PtrType>(
      getElementTypeOrSelf(value.getType()));
}

/// The address that an op of this rung reads or writes at; null if it does
/// neither.
static Value accessedBy(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<GlobalLoadOp, CopyOp, TmaLoadOp, GlobalStoreOp, TmaStoreOp>(
          [](auto op) { return op.getView(); })
      .Case([](StampOp op) { return op.getTrace(); })
      .Default([](Operation *) { return Value(); });
}

std::optional<tile::MemoryAccess> memoryAccess(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  auto below = [&](Value value) { return sourcesOf(value, kernel); };
  if (Value address = accessedBy(op)) {
    bool reads = isa<GlobalLoadOp, CopyOp, TmaLoadOp>(op);
    auto store = dyn_cast<TmaStoreOp>(op);
    bool adds = store && store.getAdd();
    return tile::MemoryAccess{op, tile::findOrigins(address, below),
                              reads || adds, !reads};
  }
  return tile::memoryAccess(op, below);
}

DenseSet<Value> writtenArguments(KernelOp kernel) {
  DenseSet<Value> written;
  bool isAnywhere = false;
  kernel->walk([&](Operation *op) {
    std::optional<tile::MemoryAccess> access = memoryAccess(op);
    if (!access || !access->writes)
      return;
    isAnywhere |= !access->origins.isKnown;
    written.insert_range(access->origins.arguments);
    // A view of the launch's, in itself.
    for (Value operand : op->getOperands())
      if (isa<BlockArgument>(operand) && isAddress(operand))
        written.insert(operand);
  });
  if (isAnywhere)
    for (BlockArgument argument : kernel.getEntry().getArguments())
      if (isAddress(argument) && !kernel.getMaker(argument.getArgNumber()))
        written.insert(argument);
  return written;
}

} // namespace heddle::hopper
