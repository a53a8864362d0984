//===- EmitProduct.cpp - Products of tiles in registers -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile.dot whose three tiles have register layouts. Out: mma.sync, where
// these are its fragments, or a multiplication and an addition for each step of
// each sum that a thread holds. It stands beside EmitWgmma.cpp, whose products
// read shared memory and go on by themselves.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Machine/WarpProduct.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;

namespace heddle::tonvvm {

namespace {
struct ProductTiles {
  machine::Layout a, b, sums;
};
} // namespace

static bool isSame(const machine::Layout &from, const machine::Layout &to) {
  return from.rank == to.rank && from.extent(0) == to.extent(0) &&
         from.extent(1) == to.extent(1) &&
         classifyConversion(from, to) == machine::Conversion::Same;
}

/// Are the three layouts the fragments of one division among warps?
static bool areFragments(const ProductTiles &tiles, int64_t bits) {
  int64_t rows = tiles.sums.extent(0), columns = tiles.sums.extent(1),
          depth = tiles.a.extent(1);
  if (bits > 32 || rows % machine::kWarpRows ||
      columns % machine::kWarpColumns || depth % machine::warpDepth(bits))
    return false;
  machine::WarpGrid grid = machine::divideAmongWarps(
      rows, columns, int64_t(1) << tiles.sums.warp.size());
  return isSame(tiles.sums,
                machine::makeWarpAccumulator(rows, columns, grid)) &&
         isSame(tiles.a, machine::makeWarpOperandA(rows, depth, bits, grid)) &&
         isSame(tiles.b, machine::makeWarpOperandB(depth, columns, bits, grid));
}

namespace {
/// Fragments of the operands in registers of 32 bits, as the instruction takes
/// them.
class WarpProduct {
public:
  WarpProduct(Code &code, const ProductTiles &tiles, std::string name,
              int64_t bits)
      : code(code), tiles(tiles), name(std::move(name)), run(32 / bits) {}

  Registers multiply(ArrayRef<Value> a, ArrayRef<Value> b, Registers sums) {
    SmallVector<Value> left = pack(a), right = pack(b);
    int64_t rows = tiles.sums.rep[0], columns = tiles.sums.rep[1],
            steps = tiles.a.rep[1];
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        for (int64_t step = 0; step < steps; ++step) {
          size_t at = size_t(row * columns + column) * 4;
          SmallVector<Value> inputs;
          llvm::append_range(
              inputs, ArrayRef(left).slice(size_t(row * steps + step) * 4, 4));
          llvm::append_range(
              inputs,
              ArrayRef(right).slice(size_t(step * columns + column) * 2, 2));
          SmallVector<Value> made =
              code.tiedAsm(text(), ArrayRef<Value>(sums).slice(at, 4), inputs);
          llvm::copy(made, sums.begin() + at);
        }
    return sums;
  }

private:
  SmallVector<Value> pack(ArrayRef<Value> registers) {
    SmallVector<Value> words;
    for (size_t i = 0; i < registers.size(); i += run)
      words.push_back(code.packInt(registers.slice(i, run)));
    return words;
  }

  /// Operand numbers: four sums, the same as inputs, four of A, two of B.
  std::string text() const {
    return name + " {$0, $1, $2, $3}, {$8, $9, $10, $11}, {$12, $13}, "
                  "{$0, $1, $2, $3};";
  }

  Code &code;
  const ProductTiles &tiles;
  std::string name;
  size_t run; ///< elements of a register
};

/// Where a thread finds the numbers of one sum: each lane of each warp must
/// hold them in the same registers.
class ThreadProduct {
public:
  explicit ThreadProduct(const ProductTiles &tiles) : tiles(tiles) {
    number(tiles.a, left);
    number(tiles.b, right);
  }

  /// Do operands move along lanes and warps as the sums do?
  bool isAligned() const {
    auto follows = [&](const machine::Layout &operand, int axis) {
      auto along = [&](const std::vector<machine::Coord> &vectors, size_t i) {
        return i < vectors.size() ? vectors[i] : machine::Coord{};
      };
      int other = 1 - axis;
      for (int bit = 0; bit < machine::kLaneBits; ++bit)
        if (operand.lane[bit][axis] != tiles.sums.lane[bit][axis] ||
            operand.lane[bit][other])
          return false;
      for (size_t bit = 0;
           bit < std::max(operand.warp.size(), tiles.sums.warp.size()); ++bit)
        if (along(operand.warp, bit)[axis] !=
                along(tiles.sums.warp, bit)[axis] ||
            along(operand.warp, bit)[other])
          return false;
      return true;
    };
    return follows(tiles.a, 0) && follows(tiles.b, 1);
  }

  std::optional<int> a(int sum, int64_t k) const {
    return find(left, {tiles.sums.registerCoordinate(sum)[0], k});
  }
  std::optional<int> b(int sum, int64_t k) const {
    return find(right, {k, tiles.sums.registerCoordinate(sum)[1]});
  }

private:
  using Place = std::pair<int64_t, int64_t>;
  using Places = std::map<Place, int>;

  static void number(const machine::Layout &layout, Places &places) {
    for (int i = 0; i < layout.registerCount(); ++i) {
      machine::Coord place = layout.registerCoordinate(i);
      places.try_emplace({place[0], place[1]}, i);
    }
  }
  static std::optional<int> find(const Places &places, Place place) {
    auto found = places.find(place);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  }

  const ProductTiles &tiles;
  Places left, right;
};
} // namespace

/// A number of an operand as one of the sum's type.
static Value widen(OpBuilder &builder, Location loc, Value value, Type type,
                   bool isTf32) {
  if (isTf32) {
    Type bits = builder.getI32Type();
    Value mask = arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(int32_t(0xffffe000)));
    value = arith::BitcastOp::create(builder, loc, bits, value);
    value = arith::AndIOp::create(builder, loc, value, mask);
    value = arith::BitcastOp::create(builder, loc, builder.getF32Type(), value);
  }
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

LogicalResult Emitter::emitProduct(tile::DotOp op) {
  Code code(builder, op.getLoc());
  auto layoutOf = [](Value tile) { return hopper::getLayout(tile.getType()); };
  std::optional<machine::Layout> a = layoutOf(op.getA()),
                                 b = layoutOf(op.getB()),
                                 sums = layoutOf(op.getAcc());
  if (!a || !b || !sums || layoutOf(op.getResult()) != sums)
    return reportOp(op, diag::hopper_layout_use)
           << "needs register layouts on its tiles, one for both sums";
  ProductTiles tiles{*a, *b, *sums};
  auto element = [](Value tile) {
    return cast<RankedTensorType>(tile.getType()).getElementType();
  };
  Type in = element(op.getA()), other = element(op.getB()),
       sum = element(op.getAcc());
  auto wordOf = [&](Type type) {
    return type.isF32() && !op.getTf32() ? StringRef() : productWord(type);
  };
  StringRef left = wordOf(in), right = wordOf(other);
  bool isNarrow = sum.isF16() || sum.isBF16();
  StringRef total = sum.isF32() || isNarrow ? "f32"
                    : sum.isInteger(32)     ? "s32"
                                            : "";
  int64_t bits = in.isIntOrFloat() ? in.getIntOrFloatBitWidth() : 64;
  bool isInteger = isa<IntegerType>(in);
  if (!left.empty() && !right.empty() && !total.empty() &&
      isInteger == isa<IntegerType>(sum) &&
      bits == int64_t(other.getIntOrFloatBitWidth()) &&
      areFragments(tiles, bits)) {
    std::string name = "mma.sync.aligned.m16n8k" +
                       std::to_string(machine::warpDepth(bits)) + ".row.col." +
                       total.str() + "." + left.str() + "." + right.str() +
                       "." + total.str();
    Registers made = registers(op.getAcc());
    for (Value &value : made)
      if (isNarrow)
        value = arith::ExtFOp::create(builder, op.getLoc(),
                                      builder.getF32Type(), value);
    made = WarpProduct(code, tiles, name, bits)
               .multiply(registers(op.getA()), registers(op.getB()), made);
    for (Value &value : made)
      if (isNarrow)
        value = arith::TruncFOp::create(builder, op.getLoc(), sum, value);
    bind(op.getResult(), made);
    return success();
  }
  ThreadProduct product(tiles);
  bool isKnown = in == other && isInteger == isa<IntegerType>(sum);
  if (!isKnown || !product.isAligned())
    return reportOp(op, diag::hopper_layout_use)
           << "multiplies tiles of " << in << " and " << other << " to sums of "
           << sum << " in layouts that neither mma.sync nor threads take";
  auto widened = [&](Value tile) {
    Registers wide;
    for (Value value : registers(tile))
      wide.push_back(widen(builder, op.getLoc(), value, sum, op.getTf32()));
    return wide;
  };
  Registers wideA = widened(op.getA()), wideB = widened(op.getB()),
            made = registers(op.getAcc());
  for (int i = 0; i < sums->registerCount(); ++i)
    for (int64_t k = 0; k < a->extent(1); ++k) {
      std::optional<int> x = product.a(i, k), y = product.b(i, k);
      if (!x || !y)
        return reportOp(op, diag::hopper_layout_use)
               << "needs numbers for a sum that another thread holds";
      Location loc = op.getLoc();
      Value p = wideA[*x], q = wideB[*y];
      made[i] = isInteger
                    ? Value(arith::AddIOp::create(
                          builder, loc,
                          arith::MulIOp::create(builder, loc, p, q), made[i]))
                    : code.fma(p, q, made[i]);
    }
  bind(op.getResult(), made);
  return success();
}

} // namespace heddle::tonvvm
