//===- HandedOn.cpp - Decide: what one conditional yields for the next --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HandedOn.h"

#include "heddle/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace heddle;

using Alternative = LoopPair::Alternative;

namespace {

/// What branches of one of the bodies read and compute, tiles in registers, in
/// the order in which they are come by.
struct Reads {
  llvm::SetVector<Value> found, computed;
};

/// Walks up from the values that branches yield.
class Chooser {
public:
  Chooser(const FusedBodies &bodies, ArrayRef<Alternative> chosen,
          ArrayRef<Alternative> later)
      : bodies(bodies), chosen(chosen), later(later) {}

  std::vector<Alternative> run();

private:
  Reads readsOf(ArrayRef<Alternative> alternatives, bool ofFirst) const;
  void collect(Value value, bool ofFirst, Reads &reads) const;
  int64_t bitsKept() const;
  std::vector<Value> listCandidates(bool ofFirst) const;
  bool handOnOne();

  const FusedBodies &bodies;
  ArrayRef<Alternative> chosen, later;
  std::vector<Alternative> handedOn;
};

int64_t bitsOf(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile ? tile.getNumElements() * tile.getElementTypeBitWidth() : 0;
}

/// Not another name, a number that repeats, or what lies in a ring's slot.
bool isInRegisters(Value value) {
  return bitsOf(value) > 0 &&
         !isa_and_nonnull<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp,
                          tile::IotaOp, tile::TransOp, tile::LoadOp>(
             value.getDefiningOp());
}

} // namespace

Reads Chooser::readsOf(ArrayRef<Alternative> alternatives, bool ofFirst) const {
  Reads reads;
  for (const auto &[a, b] : alternatives)
    collect(ofFirst ? a : b, ofFirst, reads);
  return reads;
}

void Chooser::collect(Value value, bool ofFirst, Reads &reads) const {
  for (const auto &[a, b] : handedOn)
    if (value == (ofFirst ? a : b))
      return;
  const IRMapping &there = ofFirst ? bodies.inFirst : bodies.inSecond;
  if (there.contains(value)) {
    if (isInRegisters(value))
      reads.found.insert(value);
    return;
  }
  scf::ForOp loop = ofFirst ? bodies.pair.first : bodies.pair.second;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || bodies.pair.isPaired(op))
    return;
  if (isInRegisters(value))
    reads.computed.insert(value);
  for (Value operand : op->getOperands())
    collect(operand, ofFirst, reads);
}

/// What is held between the conditionals for branches alone.
int64_t Chooser::bitsKept() const {
  llvm::SmallSetVector<Value, 8> kept; // values of the one loop
  for (bool ofFirst : {true, false})
    for (Value value : readsOf(later, ofFirst).found)
      kept.insert((ofFirst ? bodies.inFirst : bodies.inSecond).lookup(value));
  int64_t bits = 0;
  for (Value value : kept)
    bits += bodies.held.contains(value) ? 0 : bitsOf(value);
  for (const auto &[a, b] : handedOn)
    bits += bitsOf(a);
  return bits;
}

/// What a branch could yield: what it computes that is computed again, and what
/// is read again.
std::vector<Value> Chooser::listCandidates(bool ofFirst) const {
  Reads now = readsOf(chosen, ofFirst), then = readsOf(later, ofFirst);
  std::vector<Value> candidates;
  for (Value value : then.computed)
    if (now.computed.contains(value))
      candidates.push_back(value);
  llvm::append_range(candidates, then.found);
  return candidates;
}

/// The first pair that saves work and keeps no more than without it.
bool Chooser::handOnOne() {
  int64_t before = bitsKept();
  for (Value a : listCandidates(true))
    for (Value b : listCandidates(false)) {
      bool saves = !bodies.inFirst.contains(a) || !bodies.inSecond.contains(b);
      if (!saves || a.getType() != b.getType())
        continue;
      handedOn.push_back({a, b});
      if (bitsKept() <= before)
        return true;
      handedOn.pop_back();
    }
  return false;
}

std::vector<Alternative> Chooser::run() {
  while (handOnOne())
    ;
  return handedOn;
}

std::vector<Alternative> heddle::chooseHandedOn(const FusedBodies &bodies,
                                                ArrayRef<Alternative> chosen,
                                                ArrayRef<Alternative> later) {
  return Chooser(bodies, chosen, later).run();
}
