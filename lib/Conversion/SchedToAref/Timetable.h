//===- Timetable.h - One process's share of one block, in order -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decide: for a process and a block, the *items* it executes (acquire, get,
// operation, await, publish, release, nested control flow), each at a stage and
// in an order, derived from the table. A loop of S stages is run as: step j
// executes, for each item in order, iteration j - stage(item).
//
//   step         0    1    2  ...            an item of stage 1 (the release,
//   get, dot    i=0  i=1  i=2                here) trails by one iteration
//   release          i=0  i=1
//
// `entering(t)` are the values that an iteration brings into its step t, i.e.
// that the steady loop must carry.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_TIMETABLE_H
#define HEDDLE_LIB_SCHEDTOAREF_TIMETABLE_H

#include "Facts.h"

namespace heddle::expander {

/// Something that one iteration makes and uses.
struct Key {
  enum Kind {
    Landed,   ///< the value `id`, ready
    Sent,     ///< the same in its producer, on its way into a ring
    Flight,   ///< the value `id`, not waited for yet
    PutToken, ///< the producer's right to a slot of ring `id`
    GetToken, ///< the consumer's
  } kind = Landed;
  const void *id = nullptr;

  bool operator==(const Key &other) const {
    return kind == other.kind && id == other.id;
  }
};
inline Key landed(mlir::Value v) {
  return {Key::Landed, v.getAsOpaquePointer()};
}
inline Key sent(mlir::Value v) { return {Key::Sent, v.getAsOpaquePointer()}; }
inline Key flight(mlir::Value v) {
  return {Key::Flight, v.getAsOpaquePointer()};
}

/// A key that an item reads, made `distance` iterations before.
struct KeyUse {
  Key key;
  int64_t distance = 0;
};

struct Item {
  /// In this order where the cycle is the same.
  enum Kind {
    Scalar,
    Acquire,
    Get,
    Await,
    Enter, ///< takes an ordering credit
    Run,
    Leave, ///< hands it on
    Publish,
    Release
  };
  Kind kind = Run;
  mlir::Operation *op =
      nullptr; ///< Run, Await (what started), Scalar (what recurs)
  const RingFacts *ring = nullptr;
  int64_t time = 0;  ///< model cycles from the iteration's start
  int64_t order = 0; ///< program order
  int64_t stage = 0, residue = 0;
  llvm::SmallVector<Key> defs;
  llvm::SmallVector<KeyUse> uses;

  /// What `process` does here: a credit is entered and left as a ring is, only
  /// at other places in the order.
  Kind action(llvm::StringRef process) const {
    bool produces = ring && ring->producer == process;
    if (kind == Enter)
      return produces ? Acquire : Get;
    if (kind == Leave)
      return produces ? Publish : Release;
    return kind;
  }
};

class Timetable {
public:
  /// `loop` is null for a block that runs once.
  Timetable(const Facts &facts, llvm::StringRef process, mlir::Block &block);

  llvm::SmallVector<Item> items; ///< in the order of execution within a step
  /// Late stores: what iteration i leaves to iteration i + 1, in its order.
  llvm::SmallVector<Item> late;
  int64_t stages = 1;
  /// entering[t], t = 1 .. : keys carried into step t of an iteration.
  llvm::SmallVector<llvm::SmallVector<Key>> entering;

  /// The loop results this process owns, and the numbers that it needs.
  llvm::SmallVector<unsigned> results;
  /// Whether a late store of the iteration before reads it.
  bool isReadLate(Key key) const;
  /// Slots of `ring` that this process holds at once as a consumer.
  int64_t held(const RingFacts &ring) const;

private:
  void addItems();
  void addConsumption(const RingFacts &ring);
  void addTurn(const RingFacts &credit);
  void addAwaits();
  llvm::SmallVector<mlir::Operation *>
  registerMakers(mlir::Operation *op) const;
  llvm::SmallVector<Item *> releasesAfter(mlir::Value result);
  void endBeforeTheStep();
  void releaseWithTheWaits();
  void addScalars();
  void addUses();
  bool entersElsewhere(mlir::OpOperand &operand) const;
  void addCapturedUses(Item &item);
  void collectUses(mlir::Value value, int64_t distance,
                   llvm::SmallVectorImpl<KeyUse> &uses);
  /// The stage of what happens at `time`, if steps began at `start`.
  int64_t stageAt(int64_t time, int64_t start) const {
    return (time - start) / interval;
  }
  int64_t flightsCarried(int64_t start) const;
  int64_t fillsCarried(int64_t start) const;
  int64_t operandsCarried(int64_t start) const;
  int64_t stagesFrom(int64_t start) const;
  int64_t chooseStart() const;
  void order();
  void findStages();
  void findEntering();
  Item *find(Item::Kind kind, mlir::Operation *op);
  std::optional<unsigned> position(Item::Kind kind, mlir::Operation *op) const;
  bool usesFlight(const Item &item, mlir::Operation *def, int64_t distance);

  int64_t timeOf(mlir::Operation *op) const;
  int64_t endOf(mlir::Operation *op) const;
  mlir::Operation *inBlock(mlir::Operation *op) const {
    return block.findAncestorOpInBlock(*op);
  }

  const Facts &facts;
  llvm::StringRef process;
  mlir::Block &block;
  mlir::scf::ForOp loop;
  int64_t interval = 0;
  llvm::DenseMap<mlir::Operation *, int64_t> programOrder;
};

} // namespace heddle::expander

namespace llvm {
template <> struct DenseMapInfo<heddle::expander::Key> {
  using Key = heddle::expander::Key;
  static Key getEmptyKey() {
    return {Key::Landed, DenseMapInfo<const void *>::getEmptyKey()};
  }
  static Key getTombstoneKey() {
    return {Key::Landed, DenseMapInfo<const void *>::getTombstoneKey()};
  }
  static unsigned getHashValue(const Key &key) {
    return DenseMapInfo<const void *>::getHashValue(key.id) * 5 + key.kind;
  }
  static bool isEqual(const Key &a, const Key &b) { return a == b; }
};
} // namespace llvm

#endif // HEDDLE_LIB_SCHEDTOAREF_TIMETABLE_H
