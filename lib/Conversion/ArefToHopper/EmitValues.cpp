//===- EmitValues.cpp - Rewrite: values and where they are carried
//----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanConversions.h"
#include "ProcessEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

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
  return planOf(home.ring).payload[home.element].tile;
}

Value ProcessEmitter::makeSplat(Operation *source, LayoutAttr wanted,
                                Location loc) {
  auto type = withLayout(cast<RankedTensorType>(source->getResult(0).getType()),
                         wanted);
  if (auto splat = dyn_cast<tile::SplatOp>(source))
    return tile::SplatOp::create(builder, source->getLoc(), type,
                                 scalar(splat.getValue()));
  auto elements =
      cast<SplatElementsAttr>(cast<arith::ConstantOp>(source).getValue());
  auto value = cast<TypedAttr>(elements.getSplatValue<Attribute>());
  return tile::SplatOp::create(
      builder, source->getLoc(), type,
      arith::ConstantOp::create(builder, source->getLoc(), value));
}

Value ProcessEmitter::tile(Value old, LayoutAttr wanted, Location loc) {
  old = lookThroughStart(old);
  Operation *source = splatSource(old);
  std::optional<Home> home = facts.homeOf(old);
  if (!source && !home)
    return convert(scalar(old), wanted, loc);
  Value &cached = made[{old, wanted}];
  if (cached)
    return cached;
  if (source)
    return cached = makeSplat(source, wanted, loc);
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
  if (isFree(cast<LayoutAttr>(type.getEncoding()), wanted))
    return hopper::ConvertLayoutOp::create(builder, loc,
                                           withLayout(type, wanted), value);
  return exchange(value, wanted, loc);
}

/// The first barrier waits for those who still read the scratch tile, the
/// second for those who write it.
Value ProcessEmitter::exchange(Value value, LayoutAttr wanted, Location loc) {
  auto type = cast<RankedTensorType>(value.getType());
  auto op = aref::ProcessOp(process.op);
  assert(processPlan.scratchBytes &&
         "bug in heddle: a conversion was not planned");
  hopper::SmemType scratch = scratchTile(type);
  Value buffer = hopper::BufferOp::create(builder, loc, scratch,
                                          (op.getSym() + ".scratch").str(),
                                          processPlan.scratch);
  int64_t threads = op.getWarps() * 32;
  hopper::SyncOp::create(builder, loc, processPlan.barrier, threads);
  Type element = type.getElementType();
  bool widens = element != scratch.getElementType();
  if (widens)
    value = arith::ExtUIOp::create(builder, loc,
                                   type.clone(scratch.getElementType()), value);
  hopper::LocalStoreOp::create(builder, loc, value, buffer);
  hopper::SyncOp::create(builder, loc, processPlan.barrier, threads);
  auto loaded =
      RankedTensorType::get(type.getShape(), scratch.getElementType(), wanted);
  Value result = hopper::LocalLoadOp::create(builder, loc, loaded, buffer);
  return widens ? arith::TruncIOp::create(builder, loc,
                                          withLayout(type, wanted), result)
                : result;
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
    values[slot] = llvm::to_vector<2>(made.slice(next, count));
    next += count;
  }
}
