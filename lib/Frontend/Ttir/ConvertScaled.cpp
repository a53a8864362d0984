//===- ConvertScaled.cpp - Products of numbers with scales ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: tt.dot_scaled. Out: a tile.dot of operands that were multiplied by their
// scales, since no unit of Hopper does that: in f32, where a number of few bits
// times a power of two is exact, and rounded to bf16, or to f16 beside an
// operand of f16, as Triton does here. It stands apart from other products
// because most of it is about bits.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::ttir;

namespace {

/// Makes an operand of a product whose sum goes along axis `k`.
class ScaledOperand {
public:
  ScaledOperand(OpBuilder &builder, Location loc, int64_t k)
      : builder(builder), loc(loc), k(k) {}

  /// Numbers of 4 bits, two in a byte along axis `packed`, the lower bits
  /// first: sign, two bits of the exponent, one of the mantissa.
  Value unpack(Value bytes, int64_t packed) {
    Value wide = extend(bytes);
    Value halves[2] = {halfByte(wide, 0), halfByte(wide, 4)};
    Value joined = tile::JoinOp::create(
        builder, loc, typeOf(halves[0], appended(shapeOf(wide), 2)), halves[0],
        halves[1]);
    // The pair goes behind the axis that it is packed along.
    SmallVector<int64_t> shape(shapeOf(wide));
    if (packed == 0) {
      SmallVector<int64_t> turned = {shape[0], 2, shape[1]};
      joined = tile::TransOp::create(builder, loc, typeOf(joined, turned),
                                     joined, ArrayRef<int64_t>{0, 2, 1});
    }
    shape[packed] *= 2;
    return tile::ReshapeOp::create(builder, loc, typeOf(joined, shape), joined);
  }

  /// A power of two, 2^(s - 127), for 32 numbers along K each; 255 is NaN. Of
  /// the right operand, too, the scales have K as their last axis.
  Value powers(Value scales, bool isFast) {
    if (k == 0) {
      ArrayRef<int64_t> shape = shapeOf(scales);
      scales = tile::TransOp::create(builder, loc,
                                     typeOf(scales, {shape[1], shape[0]}),
                                     scales, ArrayRef<int64_t>{1, 0});
    }
    Value wide = extend(scales);
    Value bits = arith::ShLIOp::create(builder, loc, wide, constant(wide, 23));
    if (!isFast) {
      Value isNan = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, wide, constant(wide, 255));
      bits = arith::SelectOp::create(builder, loc, isNan,
                                     constant(wide, 0x7fc00000), bits);
    }
    Value power = asFloat(bits);
    SmallVector<int64_t> shape(shapeOf(power));
    SmallVector<int64_t> apart(shape);
    apart.insert(apart.begin() + k + 1, 1);
    power = tile::ExpandDimsOp::create(builder, loc, typeOf(power, apart),
                                       power, k + 1);
    apart[k + 1] = kScaled;
    power =
        tile::BroadcastOp::create(builder, loc, typeOf(power, apart), power);
    shape[k] *= kScaled;
    return tile::ReshapeOp::create(builder, loc, typeOf(power, shape), power);
  }

  Value cast(Value value, Type element) {
    if (elementOf(value) == element)
      return value;
    auto type = RankedTensorType::get(shapeOf(value), element);
    return tile::CastOp::create(builder, loc, type, value);
  }

  static Type elementOf(Value value) {
    return mlir::cast<RankedTensorType>(value.getType()).getElementType();
  }

  static constexpr int64_t kScaled = 32; ///< numbers of one scale

private:
  static ArrayRef<int64_t> shapeOf(Value value) {
    return mlir::cast<RankedTensorType>(value.getType()).getShape();
  }
  static RankedTensorType typeOf(Value value, ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, elementOf(value));
  }
  static SmallVector<int64_t> appended(ArrayRef<int64_t> shape, int64_t last) {
    SmallVector<int64_t> result(shape);
    result.push_back(last);
    return result;
  }

  Value constant(Value like, int32_t number) {
    Value scalar = arith::ConstantIntOp::create(builder, loc, number, 32);
    auto type = RankedTensorType::get(shapeOf(like), builder.getI32Type());
    return tile::SplatOp::create(builder, loc, type, scalar);
  }
  Value extend(Value bytes) {
    auto type = RankedTensorType::get(shapeOf(bytes), builder.getI32Type());
    return arith::ExtUIOp::create(builder, loc, type, bytes);
  }
  Value asFloat(Value bits) {
    auto type = RankedTensorType::get(shapeOf(bits), builder.getF32Type());
    return arith::BitcastOp::create(builder, loc, type, bits);
  }

  /// The number in the four bits from `first` on. As the lowest bits of an
  /// f32's exponent and the highest of its mantissa they are the number over
  /// 2^126, which holds of the one without an exponent, too.
  Value halfByte(Value wide, int32_t first) {
    auto shifted = [&](int32_t bits, int32_t left) -> Value {
      Value kept = arith::AndIOp::create(builder, loc, wide,
                                         constant(wide, bits << first));
      if (left >= first)
        return arith::ShLIOp::create(builder, loc, kept,
                                     constant(wide, left - first));
      return arith::ShRUIOp::create(builder, loc, kept,
                                    constant(wide, first - left));
    };
    Value small = asFloat(shifted(7, 22));
    Value factor = arith::ConstantFloatOp::create(
        builder, loc, builder.getF32Type(), APFloat(0x1p126f));
    factor = tile::SplatOp::create(builder, loc, small.getType(), factor);
    Value size = arith::MulFOp::create(builder, loc, small, factor);
    auto type = RankedTensorType::get(shapeOf(wide), builder.getI32Type());
    Value bits = arith::BitcastOp::create(builder, loc, type, size);
    return asFloat(arith::OrIOp::create(builder, loc, bits, shifted(8, 28)));
  }

  OpBuilder &builder;
  Location loc;
  int64_t k;
};

} // namespace

LogicalResult Converter::convert(DotScaledOp op) {
  StringRef kinds[2] = {op.getAElemType(), op.getBElemType()};
  Type element = llvm::is_contained(kinds, "fp16") ? Type(builder.getF16Type())
                                                   : builder.getBF16Type();
  Value numbers[2] = {get(op.getA()), get(op.getB())};
  Value scales[2] = {op.getAScale(), op.getBScale()};
  bool packsK[2] = {op.getLhsKPack(), op.getRhsKPack()};
  for (int side = 0; side < 2; ++side) {
    if (!llvm::is_contained({"e4m3", "e5m2", "e2m1", "bf16", "fp16"},
                            kinds[side]))
      return report(op, diag::ttir_use)
             << "an operand of " << kinds[side]
             << " is not imported; use e4m3, e5m2, e2m1, bf16 or fp16";
    if (cast<RankedTensorType>(numbers[side].getType()).getRank() != 2)
      return report(op, diag::ttir_use)
             << "a scaled dot of more than 2 axes is not imported; loop over "
                "the leading ones";
    int64_t k = side == 0 ? 1 : 0;
    ScaledOperand operand(builder, op.getLoc(), k);
    Value &value = numbers[side];
    if (kinds[side] == "e2m1")
      value = operand.unpack(value, packsK[side] ? k : 1 - k);
    if (scales[side]) {
      value = operand.cast(value, builder.getF32Type());
      Value power = operand.powers(get(scales[side]), op.getFastMath());
      if (power.getType() != value.getType())
        return report(op, diag::ttir_use)
               << "scales of " << scales[side].getType() << " beside "
               << (side == 0 ? op.getA() : op.getB()).getType()
               << " are not imported; one scale is for 32 numbers along K";
      value = arith::MulFOp::create(builder, op.getLoc(), value, power);
    }
    value = operand.cast(value, element);
  }
  return make<tile::DotOp>(op, numbers[0], numbers[1], get(op.getC()),
                           IntegerAttr(), BoolAttr(), UnitAttr());
}
