//===- ReadAhead.cpp - Rows are asked for before they are needed ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an access process would do ahead of the one that computes, a processor's
// core does beside it: in an iteration of a loop that is marked so, what makes
// the addresses of its rows is computed for an iteration to come, and the rows
// are prefetched.
//
//===----------------------------------------------------------------------===//

#include "ReadAhead.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;

namespace {

/// The operations of a loop's body that make an address, in their order.
class Slice {
public:
  explicit Slice(scf::ForOp loop) : loop(loop) {}

  /// False if the address hangs on what earlier iterations made.
  bool add(Value value) {
    if (value == loop.getInductionVar() || isOutside(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      return false;
    if (operations.contains(op))
      return true;
    bool isLoad = isa<LLVM::LoadOp>(op) && !isa<VectorType>(value.getType());
    if (!isLoad && !isa<arith::ArithDialect>(op->getDialect()) &&
        !isa<LLVM::GEPOp>(op))
      return false;
    if (!llvm::all_of(op->getOperands(), [&](Value of) { return add(of); }))
      return false;
    loads |= isLoad;
    operations.insert(op);
    return true;
  }
  /// Whether memory says where it is: the processor foresees other addresses.
  bool readsMemory() const { return loads; }

  void clone(OpBuilder &builder, IRMapping &mapping) const {
    for (Operation *op : operations)
      if (!mapping.contains(op->getResult(0)))
        builder.clone(*op, mapping);
  }

private:
  bool isOutside(Value value) {
    return !loop.getRegion().isAncestor(value.getParentRegion());
  }

  scf::ForOp loop;
  llvm::SetVector<Operation *> operations;
  bool loads = false;
};

/// A load of an element of an array of integers: array[index].
struct Element {
  LLVM::LoadOp load;
  LLVM::GEPOp at;
  Value index;

  static std::optional<Element> find(Value value) {
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    auto load = value.getDefiningOp<LLVM::LoadOp>();
    auto at = load ? load.getAddr().getDefiningOp<LLVM::GEPOp>() : nullptr;
    if (!at || at.getDynamicIndices().size() != 1 ||
        at.getIndices().size() != 1)
      return std::nullopt;
    Value index = at.getDynamicIndices()[0];
    if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
      index = cast.getIn();
    return Element{load, at, index};
  }
};

} // namespace

/// Whether a value is the same in each iteration of a loop around it, computed
/// anew there or not.
static bool isInvariant(Value value, scf::ForOp loop) {
  if (!loop.getRegion().isAncestor(value.getParentRegion()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(),
                      [&](Value of) { return isInvariant(of, loop); });
}

/// Whether each iteration of `outer` executes `inner` if one does.
static bool isInEach(scf::ForOp inner, scf::ForOp outer) {
  for (Operation *op = inner->getParentOp(); op != outer;
       op = op->getParentOp()) {
    if (!isa<scf::ForOp, scf::IfOp>(op))
      return false;
    auto range = dyn_cast<scf::ForOp>(op);
    auto bounds = range ? op->getOperands().take_front(3) : op->getOperands();
    if (!llvm::all_of(bounds, [&](Value of) { return isInvariant(of, outer); }))
      return false;
  }
  return true;
}

/// The loop around `loop` whose iterations walk segments that lie one behind
/// the other: from ends[i] to ends[i + 1]. Null if there is none.
static scf::ForOp findSegments(scf::ForOp loop, Element &end) {
  std::optional<Element> first = Element::find(loop.getLowerBound()),
                         last = Element::find(loop.getUpperBound());
  if (!first || !last || first->at.getBase() != last->at.getBase() ||
      first->at.getElemType() != last->at.getElemType())
    return {};
  auto next = last->index.getDefiningOp<arith::AddIOp>();
  auto number = dyn_cast<BlockArgument>(first->index);
  if (!next || !number || next.getLhs() != number ||
      !matchPattern(next.getRhs(), m_One()))
    return {};
  auto outer = dyn_cast<scf::ForOp>(number.getOwner()->getParentOp());
  if (!outer || outer.getInductionVar() != number ||
      !matchPattern(outer.getStep(), m_One()) || !isInEach(loop, outer))
    return {};
  end = *last;
  return outer;
}

/// An iteration that may be computed ahead from this one: as many later, but
/// not behind the last. Where segments lie one behind the other it may be one
/// of a segment to come: up to where the last of them ends all elements are
/// read, by some iteration, or this one lies behind it.
static Value laterIteration(OpBuilder &builder, scf::ForOp loop,
                            int64_t ahead) {
  Location loc = loop.getLoc();
  auto number = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value limit = loop.getUpperBound(), here = loop.getInductionVar();
  Element end;
  scf::ForOp segments = findSegments(loop, end);
  builder.setInsertionPoint(loop);
  if (segments) {
    Value at = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          segments.getUpperBound());
    Value address = LLVM::GEPOp::create(builder, loc, end.at.getType(),
                                        end.at.getElemType(), end.at.getBase(),
                                        ValueRange{at});
    limit = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        LLVM::LoadOp::create(builder, loc, end.load.getType(), address));
  }
  Value last = arith::SubIOp::create(builder, loc, limit, number(1));
  builder.setInsertionPointToStart(loop.getBody());
  Value later = arith::MinSIOp::create(
      builder, loc, arith::AddIOp::create(builder, loc, here, number(ahead)),
      last);
  return segments ? Value(arith::MaxSIOp::create(builder, loc, later, here))
                  : later;
}

static Value addressOf(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op))
    return load.getData();
  return {};
}

static void readAhead(scf::ForOp loop, int64_t ahead, int64_t lineBytes) {
  // The slices of rows, and the bytes of a row; loops have a few.
  SmallVector<std::tuple<Value, Slice, int64_t>> rows;
  for (Operation &op : *loop.getBody()) {
    Value address = addressOf(op);
    auto type = address ? dyn_cast<VectorType>(op.getResult(0).getType())
                        : VectorType();
    Slice slice(loop);
    if (!type || !slice.add(address) || !slice.readsMemory())
      continue;
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    rows.emplace_back(address, slice, bytes);
  }
  if (rows.empty() || !matchPattern(loop.getStep(), m_One()))
    return;
  OpBuilder builder(loop);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), laterIteration(builder, loop, ahead));
  for (auto &[address, slice, bytes] : rows) {
    slice.clone(builder, mapping);
    for (int64_t at = 0; at < bytes; at += lineBytes) {
      Value line = LLVM::GEPOp::create(builder, loop.getLoc(),
                                       address.getType(), builder.getI8Type(),
                                       mapping.lookupOrDefault(address),
                                       ArrayRef<LLVM::GEPArg>{int32_t(at)});
      LLVM::Prefetch::create(builder, loop.getLoc(), line, /*rw=*/0,
                             /*hint=*/3, /*cache=*/1);
    }
  }
}

void heddle::readRowsAhead(ModuleOp module, int64_t lineBytes) {
  SmallVector<scf::ForOp> loops;
  module.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(kRowsAhead))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    auto ahead = dyn_cast<IntegerAttr>(loop->removeDiscardableAttr(kRowsAhead));
    if (ahead && ahead.getInt() > 0)
      readAhead(loop, ahead.getInt(), lineBytes);
  }
}
