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
  Value other = op.getOther() ? get(op.getOther()) : Value();
  return make<tile::GatherOp>(op, get(op.getPtr()), mask, other);
}

LogicalResult Converter::convert(StoreOp op) {
  tile::ScatterOp::create(builder, op.getLoc(), get(op.getValue()),
                          get(op.getPtr()),
                          op.getMask() ? get(op.getMask()) : Value());
  return success();
}

LogicalResult Converter::convert(BitcastOp op) {
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
  return make<tile::AtomicRmwOp>(op, *kind, *order, *scope, get(op.getPtr()),
                                 get(op.getValue()),
                                 op.getMask() ? get(op.getMask()) : Value());
}

LogicalResult Converter::convert(AtomicCasOp op) {
  auto order = tile::symbolizeMemoryOrder(op.getOrder());
  auto scope = findScope(op.getScope());
  if (!order || !scope)
    return report(op, diag::ttir_use)
           << "an atomic exchange " << op.getOrder() << ", " << op.getScope()
           << " is not imported";
  return make<tile::AtomicCasOp>(op, *order, *scope, get(op.getPtr()),
                                 get(op.getExpected()), get(op.getValue()));
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

LogicalResult Converter::convert(MakeTensorDescOp op) {
  // 1 is zero, 2 is NaN; up to 3.5 there was no choice.
  if (op.getPadding().value_or(1) != 1)
    return report(op, diag::ttir_use)
           << "a descriptor that pads with NaN is not imported; pad with zero";
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
      .Case([&](DescriptorLoadOp op) {
        RankedTensorType block = getBlock(op.getDesc().getType());
        Value value =
            tile::LoadOp::create(builder, loc, block, get(op.getDesc()),
                                 asIndices(loc, op.getIndices()));
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
