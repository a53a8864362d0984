//===- EmitValues.cpp - Rewrite: values and where they are carried
//----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lookup of an old value gives the new one in the layout that its user wants:
// read from a slot, made anew from a splat, or converted. Every way through
// scratch memory goes through the barriers here, because a tile written before
// the last one was read is a race that the rung's verifier does not see.
//
//===----------------------------------------------------------------------===//

#include "PlanConversions.h"
#include "ProcessEmitter.h"

#include "heddle/Dialect/Sched/Sched.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

void ProcessEmitter::carryName(Operation *from, Operation *to) {
  if (Attribute name = from->getDiscardableAttr(sched::kOpName))
    to->setDiscardableAttr(sched::kOpName, name);
}

Value ProcessEmitter::scalar(Value old) const {
  auto it = values.find(lookThroughStart(old));
  assert(it != values.end() && it->second.size() == 1 &&
         "bug in heddle: a value is used before it is emitted");
  return it->second.front();
}

SmallVector<Value> ProcessEmitter::scalars(ValueRange old) const {
  return llvm::map_to_vector(old, [&](Value value) { return scalar(value); });
}

hopper::SmemType ProcessEmitter::sharedType(Home home) const {
  hopper::SmemType type = planOf(home.ring).payload[home.element].tile;
  return home.transposed ? type.getTransposed() : type;
}

Value ProcessEmitter::repeat(Operation *source, LayoutAttr wanted) {
  Location loc = source->getLoc();
  auto type = withLayout(cast<RankedTensorType>(source->getResult(0).getType()),
                         wanted);
  if (auto splat = dyn_cast<tile::SplatOp>(source))
    return tile::SplatOp::create(builder, loc, type, scalar(splat.getValue()));
  if (isa<tile::IotaOp>(source))
    return tile::IotaOp::create(builder, loc, type);
  auto elements =
      cast<DenseElementsAttr>(cast<arith::ConstantOp>(source).getValue());
  if (!elements.isSplat())
    return arith::ConstantOp::create(builder, loc, elements.reshape(type));
  auto value = cast<TypedAttr>(elements.getSplatValue<Attribute>());
  return tile::SplatOp::create(builder, loc, type,
                               arith::ConstantOp::create(builder, loc, value));
}

Value ProcessEmitter::tile(Value old, LayoutAttr wanted, Location loc) {
  old = lookThroughStart(old);
  Operation *source = repeatableSource(old);
  std::optional<Home> home = facts.homeOf(old);
  if (!source && !home)
    return convert(scalar(old), wanted, loc);
  Value &cached = made[{old, wanted}];
  if (cached)
    return cached;
  if (source)
    return cached = repeat(source, wanted);
  auto type = withLayout(cast<RankedTensorType>(old.getType()), wanted);
  return cached = hopper::LocalLoadOp::create(builder, loc, type, scalar(old));
}

Value ProcessEmitter::tileAsMade(Value old, Location loc) {
  LayoutAttr layout = processPlan.layouts.lookup(lookThroughStart(old));
  if (!layout)
    layout = defaultLayout(cast<RankedTensorType>(old.getType()),
                           aref::ProcessOp(process.op).getWarps());
  return tile(old, layout, loc);
}

Value ProcessEmitter::convert(Value value, LayoutAttr wanted, Location loc) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getEncoding() == wanted)
    return value;
  if (staysInWarp(cast<LayoutAttr>(type.getEncoding()), wanted, type,
                  facts.costs))
    return hopper::ConvertLayoutOp::create(builder, loc,
                                           withLayout(type, wanted), value);
  return exchange(value, wanted, loc).front();
}

Value ProcessEmitter::toStored(Value tile, Type element, Location loc) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getElementType() == element)
    return tile;
  if (type.getElementType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type.clone(element), tile);
  if (isa<tile::PtrType>(type.getElementType()))
    return tile::PtrToIntOp::create(builder, loc, type.clone(element), tile);
  return arith::ExtUIOp::create(builder, loc, type.clone(element), tile);
}

Value ProcessEmitter::fromStored(Value tile, Type element, Location loc) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getElementType() == element)
    return tile;
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, loc, type.clone(element), tile);
  if (isa<tile::PtrType>(element))
    return tile::IntToPtrOp::create(builder, loc, type.clone(element), tile);
  return arith::TruncIOp::create(builder, loc, type.clone(element), tile);
}

void ProcessEmitter::emitSync(Location loc) {
  hopper::SyncOp::create(builder, loc, processPlan.barrier,
                         aref::ProcessOp(process.op).getWarps() * 32);
}

/// Nobody can, where it is used for the first time.
void ProcessEmitter::waitForScratchReaders(Location loc) {
  bool mayBeRead = std::exchange(usesScratch, true);
  for (Operation *op = builder.getInsertionBlock()->getParentOp();
       op && !isa<hopper::ProcessOp>(op); op = op->getParentOp())
    mayBeRead |= isa<LoopLikeOpInterface>(op);
  if (mayBeRead)
    emitSync(loc);
}

/// The barrier behind the stores waits for those who write the scratch tiles.
SmallVector<Value> ProcessEmitter::toScratch(ValueRange tiles, Location loc,
                                             bool plain) {
  auto op = aref::ProcessOp(process.op);
  SmallVector<RankedTensorType> types;
  for (Value value : tiles)
    types.push_back(cast<RankedTensorType>(value.getType()));
  ScratchPlaces places = placeScratch(types);
  assert(processPlan.scratchBytes >= places.bytes &&
         "bug in heddle: a conversion was not planned");
  SmallVector<Value> buffers;
  for (auto [index, type] : llvm::enumerate(types))
    buffers.push_back(hopper::BufferOp::create(
        builder, loc, scratchTile(type, plain),
        (op.getSym() + ".scratch" + (index ? Twine(index) : Twine())).str(),
        processPlan.scratch + places.offsets[index]));
  waitForScratchReaders(loc);
  for (auto [value, buffer] : llvm::zip(tiles, buffers)) {
    Type element = cast<hopper::SmemType>(buffer.getType()).getElementType();
    hopper::LocalStoreOp::create(builder, loc, toStored(value, element, loc),
                                 buffer);
  }
  emitSync(loc);
  return buffers;
}

Value ProcessEmitter::fromScratch(RankedTensorType type, Value buffer,
                                  LayoutAttr wanted, Location loc) {
  Type element = cast<hopper::SmemType>(buffer.getType()).getElementType();
  Value loaded = hopper::LocalLoadOp::create(
      builder, loc, RankedTensorType::get(type.getShape(), element, wanted),
      buffer);
  return fromStored(loaded, type.getElementType(), loc);
}

SmallVector<Value> ProcessEmitter::exchange(ValueRange tiles, LayoutAttr wanted,
                                            Location loc) {
  SmallVector<Value> results;
  for (auto [value, buffer] : llvm::zip(tiles, toScratch(tiles, loc)))
    results.push_back(fromScratch(cast<RankedTensorType>(value.getType()),
                                  buffer, wanted, loc));
  return results;
}

//===----------------------------------------------------------------------===//
// Values carried through loops and branches
//===----------------------------------------------------------------------===//

SmallVector<Type> ProcessEmitter::carriedTypes(Value slot) const {
  Type type = slot.getType();
  Type i32 = builder.getI32Type();
  if (isa<aref::TurnType>(type))
    return {i32, i32};
  if (isa<aref::TokenType>(type))
    return {i32};
  if (std::optional<Home> home = facts.homeOf(slot))
    return {sharedType(*home)};
  if (const SumInParts *sum = processPlan.sums.find(slot))
    return {sum->parts};
  if (auto flight = dyn_cast<aref::FlightType>(type)) {
    auto value = cast<RankedTensorType>(flight.getValue());
    return {hopper::FlightType::get(
        type.getContext(),
        withLayout(value, processPlan.layouts.lookup(slot)))};
  }
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return {withLayout(tile, processPlan.layouts.lookup(slot))};
  return {type};
}

void ProcessEmitter::appendCarried(Value old, Value slot,
                                   SmallVectorImpl<Value> &to, Location loc) {
  if (const SumInParts *sum = processPlan.sums.find(slot)) {
    to.push_back(inParts(old, *sum, loc));
    return;
  }
  if (isa<RankedTensorType>(old.getType()) && !facts.homeOf(slot)) {
    to.push_back(tile(old, processPlan.layouts.lookup(slot), loc));
    return;
  }
  llvm::append_range(to, values.find(lookThroughStart(old))->second);
}

void ProcessEmitter::bindCarried(ValueRange slots, ValueRange made) {
  size_t next = 0;
  for (Value slot : slots) {
    size_t count = carriedTypes(slot).size();
    if (processPlan.sums.find(slot))
      bindParts(slot, made[next], slot.getLoc());
    else
      values[slot] = llvm::to_vector<2>(made.slice(next, count));
    next += count;
  }
}
