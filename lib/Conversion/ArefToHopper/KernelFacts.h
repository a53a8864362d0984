//===- KernelFacts.h - Collect: what a kernel's processes do with its rings -*-
// C++ -*-===//
//
//  Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
//  SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything later phases ask about the aref rung, gathered once. Nothing here
// depends on the variant or on a decision.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_KERNELFACTS_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_KERNELFACTS_H

#include "Stored.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace heddle::areftohopper {

/// How the tensor core uses a tile, as a set.
struct OperandUse {
  bool a = false, b = false;
  /// Some product contracts this axis of the tile as it lies in its slot.
  bool contracts[2] = {false, false};
  bool any() const { return a || b; }
};

/// One element of a ring's payload.
struct PayloadFacts {
  mlir::RankedTensorType type;
  OperandUse use;
  /// The loads that fill it directly; a producer may also publish registers.
  llvm::SmallVector<tile::LoadOp> loads;
  bool fromRegisters = false;
  /// Loads whose results are carried to another iteration before they are
  /// published.
  llvm::SmallVector<tile::LoadOp> carried;
};

struct RingFacts {
  aref::RingOp op;
  llvm::SmallVector<PayloadFacts> payload;
  llvm::SmallVector<aref::PublishOp> publishes;
  llvm::SetVector<mlir::Operation *> producers, consumers; // aref.process
};

struct ProcessFacts {
  aref::ProcessOp op;
  llvm::SmallVector<tile::StoreOp> stores;
  llvm::SmallVector<tile::ViewReduceOp> reductions;
  llvm::SmallVector<tile::DotOp> dots;
  /// Does anything but move loads into rings and signal.
  bool computes = false;

  /// Stores and reductions.
  llvm::SmallVector<Stored> written() const {
    llvm::SmallVector<Stored> all(stores.begin(), stores.end());
    all.append(reductions.begin(), reductions.end());
    return all;
  }
};

/// The ring element a value is borrowed from.
struct Home {
  aref::RingOp ring;
  unsigned element = 0;
  bool transposed = false; ///< read with its two axes exchanged
  bool operator==(const Home &) const = default;
};

class KernelFacts {
public:
  /// Fails with a diagnostic on programs this conversion does not understand.
  static mlir::FailureOr<KernelFacts> collect(tile::KernelOp kernel,
                                              const machine::Costs &costs);

  RingFacts &ring(aref::RingOp op) { return rings[op]; }
  const RingFacts &ring(aref::RingOp op) const {
    return rings.find(op)->second;
  }

  /// Set when the value lies in a slot; values that merge from different places
  /// do not.
  std::optional<Home> homeOf(mlir::Value value) const;

  /// The load whose only use is to be published: it goes to the slot at once.
  bool isDirect(tile::LoadOp load) const { return direct.contains(load); }

  /// The number among the variant's arguments of a view that is one, or that a
  /// launch can make; those come behind the kernel's own.
  std::optional<int64_t> findArgument(mlir::Value view) const;

  /// Beside rings, a store to rows of a view that the kernel makes, which no
  /// launch sees.
  bool storesByThreads(tile::StoreOp store) const;

  tile::KernelOp kernel;
  /// What a thread block has of its multiprocessor.
  machine::Limits share() const {
    return machine::shareOf(costs.limits, blocks);
  }

  /// Thread blocks that share a multiprocessor by the plan.
  int64_t blocks = 1;
  bool isDealt = false; ///< the hardware deals the instances out
  machine::Costs costs;
  llvm::SmallVector<tile::MakeViewOp> launchViews;
  llvm::MapVector<mlir::Operation *, RingFacts> rings;
  llvm::SmallVector<ProcessFacts> processes;
  mlir::Value instances; // null without a persistent loop

private:
  mlir::LogicalResult collectTop();
  mlir::LogicalResult collectProcess(aref::ProcessOp process);
  mlir::LogicalResult collectPublish(aref::PublishOp publish,
                                     aref::ProcessOp process);
  mlir::LogicalResult checkRings();
  void collectDirectLoads();
  void keepRowsInRegisters();
  void findHomes();
  void assumeHomes(const llvm::DenseSet<mlir::Value> &refuted);
  bool refuteHomes(llvm::DenseSet<mlir::Value> &refuted);
  void collectOperandUses();
  std::optional<Home> homeOfTransposed(tile::TransOp trans) const;

  llvm::DenseMap<mlir::Value, Home> homes;
  llvm::DenseSet<mlir::Operation *> direct;
};

/// The ring an operand names; null if it is not declared in the kernel.
inline aref::RingOp ringOf(mlir::Value ring) {
  return ring.getDefiningOp<aref::RingOp>();
}

/// What a region argument of aref.start stands for outside, else the value.
mlir::Value lookThroughStart(mlir::Value value);

/// The op that makes a tile from nothing or from a scalar, a splat, iota or
/// constant, and so again in the layout of each user; null otherwise.
mlir::Operation *repeatableSource(mlir::Value tile);

/// Do threads compute it, by mma.sync or one by one?
inline bool isByThreads(tile::DotOp dot) {
  return dot->hasAttr(aref::kByThreads);
}

/// A tile of +0.0 or 0.
bool isZeroTile(mlir::Value tile);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_KERNELFACTS_H
