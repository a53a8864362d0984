//===- ConvertProduct.cpp - Products of tiles -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Precisions that several products make. What a unit of
// this machine does in another way than Triton's is refused, never
// approximated.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

/// Triton's default for 8-bit floats is more than any matrix has.
static bool isFast(DotOp op) {
  return op.getMaxNumImpreciseAcc().value_or(0) >= int64_t(1) << 30;
}

static bool isOfEightBits(DotOp op) {
  Type element = op.getA().getType().getElementType();
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
}

/// At least as exact as Triton's, whose limit counts where its units sum with
/// fewer bits, on 8-bit floats: 0 means after each product of the unit there.
static FailureOr<int64_t> findLimit(DotOp op) {
  if (!isOfEightBits(op) || isFast(op))
    return 0;
  int64_t limit = op.getMaxNumImpreciseAcc().value_or(0);
  int64_t products = op.getA().getType().getShape().back();
  if (limit >= products)
    return limit;
  return report(op, diag::ttir_use)
         << "max_num_imprecise_acc is " << limit << ", but one dot sums "
         << products << " products and is not cut; give " << products
         << " or more";
}

namespace {
/// A product of f32 as several of shorter numbers: an operand's parts, the
/// largest first, add up to it, each rounded to `element`.
struct Parts {
  Type element;
  int64_t count;
  /// The parts of A and B that are multiplied beside the largest two, in order.
  ArrayRef<std::pair<int64_t, int64_t>> rest;
};
} // namespace

static std::optional<Parts> partsOf(StringRef precision, MLIRContext *context) {
  static constexpr std::pair<int64_t, int64_t> three[] = {{1, 0}, {0, 1}};
  static constexpr std::pair<int64_t, int64_t> six[] = {
      {1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}};
  Type f32 = Float32Type::get(context), bf16 = BFloat16Type::get(context);
  if (precision == "tf32x3")
    return Parts{f32, 2, three};
  if (precision == "bf16x3")
    return Parts{bf16, 2, three};
  if (precision == "bf16x6")
    return Parts{bf16, 3, six};
  return std::nullopt;
}

/// tf32x3 and the like. Products with a small part are NaN where an operand is
/// infinite; as in Triton they are zero then, and what the large parts make
/// counts.
static Value multiplyParts(OpBuilder &builder, Location loc,
                           const Parts &wanted, Value wholeA, Value wholeB,
                           Value sum) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  auto splat = [&](RankedTensorType type, TypedAttr value) -> Value {
    return tile::SplatOp::create(
        builder, loc, type, arith::ConstantOp::create(builder, loc, value));
  };
  auto split = [&](Value whole) {
    auto type = cast<RankedTensorType>(whole.getType());
    auto narrow = type.clone(wanted.element);
    SmallVector<Value> parts;
    while (int64_t(parts.size()) < wanted.count) {
      if (!parts.empty())
        whole = arith::SubFOp::create(
            builder, loc, whole,
            narrow == type
                ? parts.back()
                : tile::CastOp::create(builder, loc, type, parts.back()));
      if (narrow != type) {
        parts.push_back(tile::CastOp::create(builder, loc, narrow, whole));
        continue;
      }
      // Sign, exponent and the ten bits of fraction that tf32 has. What is
      // left at last the unit cuts by itself.
      RankedTensorType bits = type.clone(i32);
      Value kept = splat(bits, builder.getI32IntegerAttr(~0x1fff));
      parts.push_back(
          int64_t(parts.size()) + 1 == wanted.count
              ? whole
              : arith::BitcastOp::create(
                    builder, loc, type,
                    arith::AndIOp::create(
                        builder, loc,
                        arith::BitcastOp::create(builder, loc, bits, whole),
                        kept)));
    }
    return parts;
  };
  auto multiply = [&](Value a, Value b, Value sum) -> Value {
    return tile::DotOp::create(
        builder, loc, sum.getType(), a, b, sum, IntegerAttr(), BoolAttr(),
        wanted.element.isF32() ? builder.getUnitAttr() : UnitAttr());
  };
  SmallVector<Value> a = split(wholeA), b = split(wholeB);
  Value zero = splat(cast<RankedTensorType>(sum.getType()).clone(f32),
                     builder.getF32FloatAttr(0));
  Value small = zero;
  for (auto [ofA, ofB] : wanted.rest)
    small = multiply(a[ofA], b[ofB], small);
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OEQ, small, small);
  small = arith::SelectOp::create(builder, loc, isNumber, small, zero);
  return multiply(a[0], b[0], arith::AddFOp::create(builder, loc, sum, small));
}

/// What `op` computes, of tiles of two axes, or of three, which tile.dot takes.
FailureOr<Value> Converter::multiply(DotOp op, Value a, Value b, Value c) {
  Location loc = op.getLoc();
  StringRef precision = op.getInputPrecision().value_or("ieee");
  bool isF32 = op.getA().getType().getElementType().isF32();
  if (isF32)
    if (std::optional<Parts> parts = partsOf(precision, op.getContext()))
      return multiplyParts(builder, loc, *parts, a, b, c);
  if (isF32 && precision != "ieee" && precision != "tf32") {
    report(op, diag::ttir_use)
        << "inputPrecision = " << precision
        << " is not imported; use tf32, tf32x3, bf16x3, bf16x6 or ieee";
    return failure();
  }
  FailureOr<int64_t> limit = findLimit(op);
  if (failed(limit))
    return failure();
  return tile::DotOp::create(
             builder, loc, c.getType(), a, b, c,
             *limit ? builder.getI64IntegerAttr(*limit) : IntegerAttr(),
             isOfEightBits(op) && isFast(op) ? builder.getBoolAttr(true)
                                             : BoolAttr(),
             isF32 && precision == "tf32" ? builder.getUnitAttr() : UnitAttr())
      .getResult();
}

LogicalResult Converter::convert(DotOp op) {
  FailureOr<Value> product =
      multiply(op, get(op.getA()), get(op.getB()), get(op.getC()));
  if (failed(product))
    return failure();
  bind(op, *product);
  return success();
}
