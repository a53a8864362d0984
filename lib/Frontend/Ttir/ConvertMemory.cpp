//===- ConvertMemory.cpp - Accesses to memory, assertions and prints --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers stay pointers here; which accesses are boxes of an array is found
// afterwards, on the tile rung.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

LogicalResult Converter::convert(LoadOp op) {
  Value mask = op.getMask() ? get(op.getMask()) : Value();
  Location loc = op.getLoc();
  Value other = op.getOther() ? asStored(loc, get(op.getOther())) : Value();
  Type type = convertType(op.getType());
  Value value = tile::GatherOp::create(builder, loc, inMemory(type),
                                       get(op.getPtr()), mask, other);
  bind(op, value.getType() == type ? value : fromByte(loc, value));
  return success();
}

LogicalResult Converter::convert(StoreOp op) {
  tile::ScatterOp::create(
      builder, op.getLoc(), asStored(op.getLoc(), get(op.getValue())),
      get(op.getPtr()), op.getMask() ? get(op.getMask()) : Value());
  return success();
}

LogicalResult Converter::convert(BitcastOp op) {
  if (get(op.getSrc()).getType() == convertType(op.getType())) {
    bind(op, get(op.getSrc()));
    return success();
  }
  if (isa<ttir::PtrType>(getElementTypeOrSelf(op.getType())))
    return make<tile::PtrCastOp>(op, get(op.getSrc()));
  return make<arith::BitcastOp>(op, get(op.getSrc()));
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

static std::optional<tile::RmwKind> findKind(StringRef word) {
  return tile::symbolizeRmwKind(word == "exch" ? "exchange" : word);
}
static std::optional<tile::Scope> findScope(StringRef word) {
  return tile::symbolizeScope(word == "sys" ? "system" : word);
}

LogicalResult Converter::convert(AtomicRmwOp op) {
  auto kind = findKind(op.getKind());
  auto order = tile::symbolizeMemoryOrder(op.getOrder());
  auto scope = findScope(op.getScope());
  if (!kind || !order || !scope)
    return report(op, diag::ttir_use)
           << "an atomic " << op.getKind() << ", " << op.getOrder() << ", "
           << op.getScope() << " is not imported";
  Location loc = op.getLoc();
  Value mask = op.getMask() ? get(op.getMask()) : Value();
  Type type = convertType(op.getType());
  if (isa<RankedTensorType>(type) || op->use_empty())
    return make<tile::AtomicRmwOp>(op, *kind, *order, *scope, get(op.getPtr()),
                                   get(op.getValue()), mask);
  FirstElement first = asFirstElement(loc, mask);
  Value old = tile::AtomicRmwOp::create(
      builder, loc, first.typeOf(type), *kind, *order, *scope,
      repeat(loc, get(op.getPtr()), first),
      repeat(loc, get(op.getValue()), first), first.mask);
  bind(op, takeFirst(loc, old));
  return success();
}

//===----------------------------------------------------------------------===//
// Old values of a single element
//===----------------------------------------------------------------------===//

/// A single element is updated by one thread, and all want to know what was
/// there: as the first of a tile that all threads have a part of, the only one
/// that the mask includes, its old value is a sum.
Converter::FirstElement Converter::asFirstElement(Location loc, Value mask) {
  int64_t widest = 128;
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        widest = std::max(widest, tile.getNumElements());
  });
  // No process has more threads.
  FirstElement first;
  first.count = std::min<int64_t>(llvm::PowerOf2Ceil(widest), 1024);
  Type numbers = first.typeOf(builder.getI32Type());
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  first.mask = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq,
      tile::IotaOp::create(builder, loc, cast<RankedTensorType>(numbers)),
      tile::SplatOp::create(builder, loc, numbers, zero));
  if (mask)
    first.mask = arith::AndIOp::create(builder, loc, first.mask,
                                       repeat(loc, mask, first));
  return first;
}

Value Converter::repeat(Location loc, Value scalar, const FirstElement &first) {
  return tile::SplatOp::create(builder, loc, first.typeOf(scalar.getType()),
                               scalar);
}

/// The others are zero. As bits: a sum of floats would lose the sign of -0.
Value Converter::takeFirst(Location loc, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  Type element = type.getElementType(),
       bits = builder.getIntegerType(element.getIntOrFloatBitWidth());
  if (element != bits)
    tile = arith::BitcastOp::create(builder, loc, type.clone(bits), tile);
  auto sum = tile::ReduceOp::create(builder, loc, TypeRange(bits),
                                    ValueRange(tile), 0);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&sum.getCombiner());
    Value a = block->addArgument(bits, loc), b = block->addArgument(bits, loc);
    Value both = arith::OrIOp::create(builder, loc, a, b);
    tile::YieldOp::create(builder, loc, both);
  }
  Value value = sum.getResult(0);
  return element == bits
             ? value
             : arith::BitcastOp::create(builder, loc, element, value);
}

LogicalResult Converter::convert(AtomicCasOp op) {
  auto order = tile::symbolizeMemoryOrder(op.getOrder());
  auto scope = findScope(op.getScope());
  if (!order || !scope)
    return report(op, diag::ttir_use)
           << "an atomic exchange " << op.getOrder() << ", " << op.getScope()
           << " is not imported";
  Location loc = op.getLoc();
  Type type = convertType(op.getType());
  if (isa<RankedTensorType>(type) || op->use_empty())
    return make<tile::AtomicCasOp>(op, *order, *scope, get(op.getPtr()),
                                   get(op.getExpected()), get(op.getValue()),
                                   /*mask=*/Value());
  FirstElement first = asFirstElement(loc, Value());
  Value old = tile::AtomicCasOp::create(
      builder, loc, first.typeOf(type), *order, *scope,
      repeat(loc, get(op.getPtr()), first),
      repeat(loc, get(op.getExpected()), first),
      repeat(loc, get(op.getValue()), first), first.mask);
  bind(op, takeFirst(loc, old));
  return success();
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// 1 is zero, 2 is NaN; up to 3.5 there was no choice.
static bool padsWithNan(MakeTensorDescOp op) {
  return op.getPadding().value_or(1) == 2;
}

/// `tile`, which was loaded with zeros outside of the array.
FailureOr<Value> Converter::padWithNan(DescriptorLoadOp op, Value tile) {
  auto made = op.getDesc().getDefiningOp<MakeTensorDescOp>();
  if (!made || !padsWithNan(made))
    return tile;
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(tile.getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element) {
    report(op, diag::ttir_use) << "integers are not padded with NaN";
    return failure();
  }
  Value isInside;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    auto numbers = RankedTensorType::get(extent, builder.getI32Type());
    auto all = [&](Value number) -> Value {
      return tile::SplatOp::create(builder, loc, numbers, number);
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
      return arith::CmpIOp::create(builder, loc, predicate, a, b).getResult();
    };
    Value place =
        arith::AddIOp::create(builder, loc, all(get(op.getIndices()[axis])),
                              tile::IotaOp::create(builder, loc, numbers));
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value along = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::sge, place, all(zero)),
        compare(arith::CmpIPredicate::slt, place,
                all(get(made.getShape()[axis]))));
    SmallVector<int64_t> shape = {extent};
    for (int64_t other = 0; other < type.getRank(); ++other) {
      if (other == int64_t(axis))
        continue;
      shape.insert(shape.begin() + other, 1);
      along = tile::ExpandDimsOp::create(
          builder, loc, RankedTensorType::get(shape, builder.getI1Type()),
          along, other);
    }
    auto truth = type.clone(builder.getI1Type());
    if (along.getType() != truth)
      along = tile::BroadcastOp::create(builder, loc, truth, along);
    isInside =
        isInside ? arith::AndIOp::create(builder, loc, isInside, along) : along;
  }
  Value nan = arith::ConstantOp::create(
      builder, loc,
      builder.getFloatAttr(element,
                           APFloat::getNaN(element.getFloatSemantics())));
  return arith::SelectOp::create(builder, loc, isInside, tile,
                                 tile::SplatOp::create(builder, loc, type, nan))
      .getResult();
}

LogicalResult Converter::convert(MakeTensorDescOp op) {
  // Only loads from here pad, and only they know the descriptor they read.
  bool isUnknown = llvm::any_of(op->getUsers(), [](Operation *user) {
    return !isa<DescriptorLoadOp, DescriptorStoreOp, DescriptorReduceOp,
                DescriptorScatterOp>(user);
  });
  if (padsWithNan(op) && isUnknown)
    return report(op, diag::ttir_use)
           << "a descriptor that pads with NaN and is carried or gathers rows "
              "is not imported; pad with zero";
  if (!matchPattern(op.getStrides().back(), m_One()))
    return report(op, diag::ttir_use)
           << "the last stride of a descriptor is the constant 1; write 1 in "
              "place of a variable";
  Location loc = op.getLoc();
  return make<tile::MakeViewOp>(op, get(op.getBase()),
                                asIndices(loc, op.getShape()),
                                asIndices(loc, op.getStrides()));
}

LogicalResult Converter::convertDescriptorAccess(Operation *op) {
  Location loc = op->getLoc();
  auto inBlockShape = [&](Value value, TensorDescType desc) -> Value {
    if (cast<RankedTensorType>(value.getType()).getShape() ==
        desc.getBlock().getShape())
      return value;
    return tile::ReshapeOp::create(builder, loc, getBlock(desc), value);
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](DescriptorLoadOp op) -> LogicalResult {
        RankedTensorType block = getBlock(op.getDesc().getType());
        Value value =
            tile::LoadOp::create(builder, loc, block, get(op.getDesc()),
                                 asIndices(loc, op.getIndices()));
        FailureOr<Value> padded = padWithNan(op, value);
        if (failed(padded))
          return failure();
        value = *padded;
        if (block != op.getType())
          value = tile::ReshapeOp::create(builder, loc, op.getType(), value);
        bind(op, value);
        return success();
      })
      .Case([&](DescriptorStoreOp op) {
        tile::StoreOp::create(
            builder, loc,
            inBlockShape(get(op.getSrc()), op.getDesc().getType()),
            get(op.getDesc()), asIndices(loc, op.getIndices()));
        return success();
      })
      .Case([&](DescriptorReduceOp op) -> LogicalResult {
        auto kind = findKind(op.getKind());
        auto sign = dyn_cast<IntegerType>(
            op.getDesc().getType().getBlock().getElementType());
        if (sign && sign.isUnsigned() && kind == tile::RmwKind::Min)
          kind = tile::RmwKind::UMin;
        if (sign && sign.isUnsigned() && kind == tile::RmwKind::Max)
          kind = tile::RmwKind::UMax;
        Type element = op.getSrc().getType().getElementType();
        if (kind == tile::RmwKind::Add && isa<FloatType>(element))
          kind = tile::RmwKind::FAdd;
        if (!kind)
          return report(op, diag::ttir_use)
                 << "an atomic " << op.getKind() << " is not imported";
        tile::ViewReduceOp::create(
            builder, loc, *kind,
            inBlockShape(get(op.getSrc()), op.getDesc().getType()),
            get(op.getDesc()), asIndices(loc, op.getIndices()));
        return success();
      })
      .Case([&](DescriptorGatherOp op) {
        return make<tile::ViewGatherOp>(op, get(op.getDesc()),
                                        get(op.getRows()),
                                        asIndex(loc, get(op.getColumn())));
      })
      .Case([&](DescriptorScatterOp op) {
        tile::ViewScatterOp::create(builder, loc, get(op.getSrc()),
                                    get(op.getDesc()), get(op.getRows()),
                                    asIndex(loc, get(op.getColumn())));
        return success();
      })
      .Default([&](Operation *op) { return refuse(op); });
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertMessage(Operation *op) {
  if (auto assertion = dyn_cast<AssertOp>(op))
    tile::AssertOp::create(builder, op->getLoc(), get(assertion.getCondition()),
                           assertion.getMessage(), /*assumed=*/false);
  else
    tile::PrintOp::create(builder, op->getLoc(), cast<PrintOp>(op).getPrefix(),
                          get(op->getOperands()));
  return success();
}
