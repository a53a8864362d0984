//===- UnitPrices.cpp - What an operation takes on a unit -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitPrices.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;

int64_t heddle::bytesInSlot(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return type.isIntOrFloat()
               ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
               : 8;
  Type element = tile.getElementType();
  int64_t bytes = element.isIntOrFloat()
                      ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                      : 8;
  return tile.hasStaticShape() ? tile.getNumElements() * bytes : bytes;
}

static bool isTile(Type type) { return isa<RankedTensorType>(type); }

static bool isNumber(Type type) {
  auto tile = cast<RankedTensorType>(type);
  return tile.hasStaticShape() && tile.getNumElements() == 1;
}

static bool isOnTiles(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTile) ||
         llvm::any_of(op->getResultTypes(), isTile);
}

int64_t UnitPrices::vectorsOf(TypeRange types) const {
  int64_t bytes = 0;
  for (Type type : types)
    if (isTile(type))
      bytes = std::max(bytes, bytesInSlot(type));
  return llvm::divideCeil(bytes, unit.vectorBytes);
}

int64_t UnitPrices::turnOf(TypeRange payload, int64_t perVector) const {
  int64_t cycles = unit.turn;
  // A tile of one element is a number, which comes with its token.
  for (Type type : payload)
    cycles +=
        isTile(type) && !isNumber(type)
            ? perVector * llvm::divideCeil(bytesInSlot(type), unit.vectorBytes)
            : unit.number;
  return cycles;
}

int64_t UnitPrices::issueOf(Operation *op) const {
  if (auto get = dyn_cast<aref::GetOp>(op))
    return turnOf(get.getValues().getTypes(), unit.access);
  // A load arrives in its slot by itself.
  if (auto publish = dyn_cast<aref::PublishOp>(op))
    return turnOf(publish.getValues().getTypes(), 0);
  if (isa<aref::ArefDialect>(op->getDialect()))
    return 0;
  if (isa<scf::YieldOp>(op))
    return isa<scf::ForOp, scf::WhileOp>(op->getParentOp()) ? unit.loop : 0;
  if (isa<scf::SCFDialect>(op->getDialect()))
    return 0;
  if (!isMemoryEffectFree(op)) {
    int64_t vectors = std::max(vectorsOf(op->getOperandTypes()),
                               vectorsOf(op->getResultTypes()));
    return unit.access * std::max<int64_t>(1, vectors);
  }
  // Constant tiles are in registers before loops begin; a name is no work.
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tile::SplatOp, tile::UnsplatOp>(op) || tile::isRenaming(op))
    return 0;
  if (!isOnTiles(op))
    return unit.scalar;
  // Copies of one register are that register.
  if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
    return unit.arithmetic * vectorsOf(op->getOperandTypes());
  int64_t vectors = std::max(vectorsOf(op->getOperandTypes()),
                             vectorsOf(op->getResultTypes()));
  // A product adds to its result once for each step of what is summed over.
  if (auto dot = dyn_cast<tile::DotOp>(op))
    vectors = vectorsOf(op->getResultTypes()) *
              cast<RankedTensorType>(dot.getA().getType()).getDimSize(1);
  return unit.arithmetic * vectors;
}

int64_t UnitPrices::latencyOf(Operation *op) const {
  bool computes = !isa<scf::SCFDialect, aref::ArefDialect>(op->getDialect());
  int64_t issue = issueOf(op);
  if (!computes || !isOnTiles(op) || !isMemoryEffectFree(op) || issue == 0)
    return 0;
  bool isSum = isa<arith::AddFOp, arith::SubFOp, arith::MaximumFOp,
                   arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
  return std::max(isSum ? unit.sumLatency : unit.latency, issue);
}
