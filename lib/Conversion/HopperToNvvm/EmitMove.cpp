//===- EmitMove.cpp - Registers that change their place ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops here only give registers other numbers. A convert_layout within
// warps reads other lanes' registers, one shuffle for each register that some
// lane wants, and selects by bits of the lane; narrow elements go by words
// where these can be filled.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ExchangeWords.h"
#include "LaneExchange.h"
#include "LinearIndex.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Machine/Movement.h"
#include "heddle/Machine/Shuffle.h"
#include "heddle/Support/Diagnostics/Hopper.h"

using namespace mlir;
using heddle::machine::Layout;
using heddle::machine::Shuffle;

namespace heddle::tonvvm {

static LogicalResult getLayouts(Operation *op,
                                SmallVectorImpl<Layout> &layouts) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      std::optional<Layout> layout = hopper::getLayout(type);
      if (!layout)
        return report(op, diag::no_expansion)
               << "tile " << type << " has no register layout";
      layouts.push_back(*layout);
    }
  return success();
}

LogicalResult Emitter::emitTrans(tile::TransOp op) {
  SmallVector<Layout, 3> layouts;
  if (failed(getLayouts(op, layouts)))
    return failure();
  std::vector<int64_t> order = op.getOrder().vec();
  if (permuteAxes(layouts[0], order) != layouts[1])
    return reportOp(op, diag::no_expansion)
           << "gives other threads the elements of a tile with its "
              "axes permuted; convert the layout";
  Registers results;
  for (int index : mapPermuted(layouts[0], order))
    results.push_back(registers(op.getValue())[index]);
  bind(op.getResult(), results);
  return success();
}

LogicalResult Emitter::emitReshape(tile::ReshapeOp op) {
  SmallVector<Layout, 3> layouts;
  if (failed(getLayouts(op, layouts)))
    return failure();
  std::optional<std::vector<int>> map = mapReshaped(layouts[0], layouts[1]);
  if (!map)
    return reportOp(op, diag::no_expansion)
           << "moves elements of " << op.getValue().getType()
           << " between threads to make " << op.getResult().getType();
  Registers results;
  for (int index : *map)
    results.push_back(registers(op.getValue())[index]);
  bind(op.getResult(), results);
  return success();
}

LogicalResult Emitter::emitJoin(tile::JoinOp op) {
  SmallVector<Layout, 3> layouts;
  if (failed(getLayouts(op, layouts)))
    return failure();
  if (joinTiles(layouts[0]) != layouts[2] || layouts[0] != layouts[1])
    return reportOp(op, diag::no_expansion)
           << "joins tiles whose threads hold other elements than "
              "those of the result";
  Registers results;
  for (auto [a, b] : llvm::zip(registers(op.getA()), registers(op.getB())))
    results.append({a, b});
  bind(op.getResult(), results);
  return success();
}

LogicalResult Emitter::emitSplit(tile::SplitOp op) {
  SmallVector<Layout, 3> layouts;
  if (failed(getLayouts(op, layouts)))
    return failure();
  if (joinTiles(layouts[1]) != layouts[0])
    return reportOp(op, diag::no_expansion)
           << "splits a tile whose halves lie in different threads";
  Registers halves[2];
  for (auto [index, value] : llvm::enumerate(registers(op.getValue())))
    halves[index % 2].push_back(value);
  bind(op.getA(), halves[0]);
  bind(op.getB(), halves[1]);
  return success();
}

/// A register lies in the first tile, or in the second one that much further
/// back.
LogicalResult Emitter::emitCat(tile::CatOp op) {
  SmallVector<Layout, 3> layouts;
  if (failed(getLayouts(op, layouts)))
    return failure();
  int axis = int(op.getAxis());
  const Layout &whole = layouts[2];
  int64_t first = layouts[0].extent(axis);
  for (int part : {0, 1})
    if (resizeAxis(whole, axis, layouts[part].extent(axis)) != layouts[part])
      return reportOp(op, diag::no_expansion)
             << "puts tiles together whose threads hold other "
                "elements than those of the result";
  std::map<machine::Coord, Value> holders;
  for (int part : {0, 1})
    for (auto [index, value] :
         llvm::enumerate(registers(op->getOperand(part)))) {
      machine::Coord coord = layouts[part].registerCoordinate(int(index));
      coord[axis] += part ? first : 0;
      holders.try_emplace(coord, value);
    }
  Registers results;
  for (int index = 0; index < whole.registerCount(); ++index)
    results.push_back(holders.at(whole.registerCoordinate(index)));
  bind(op.getResult(), results);
  return success();
}

namespace {
/// The registers of a new layout, read from other lanes.
class LaneReader {
public:
  LaneReader(Code &code, ArrayRef<Value> source, Value lane)
      : code(code), source(source), lane(lane) {
    for (int bit = 0; bit < machine::kLaneBits; ++bit)
      isClear[bit] = code.isEqual(code.bitAnd(lane, int64_t(1) << bit), 0);
  }

  Value read(const Shuffle &shuffle) {
    SmallVector<int64_t> weights(shuffle.ofBit.begin(), shuffle.ofBit.end());
    from = code.bitXor(emitWeightedBits(code, lane, weights),
                       int64_t(shuffle.constant));
    fetched.clear();
    return select(shuffle, machine::kLaneBits, 0);
  }

private:
  /// Lanes agree with `lanes` from bit `open` on.
  Value select(const Shuffle &shuffle, int open, int lanes) {
    bool isOne = true;
    for (int low = 0; low < 1 << open; ++low)
      isOne &= shuffle.source[lanes + low] == shuffle.source[lanes];
    if (isOne)
      return fetch(shuffle.source[lanes]);
    int bit = open - 1;
    Value clear = select(shuffle, bit, lanes),
          set = select(shuffle, bit, lanes | 1 << bit);
    return clear == set ? clear : code.select(isClear[bit], clear, set);
  }

  Value fetch(int index) {
    Value &value = fetched[index];
    if (!value)
      value = shuffleFrom(code, source[index], from);
    return value;
  }

  Code &code;
  ArrayRef<Value> source;
  Value lane, from;
  Value isClear[machine::kLaneBits];
  std::map<int, Value> fetched; ///< by register, for one target
};
} // namespace

/// Of a value as it lies in a register; 0 of a pointer.
static int bitsOf(Value value) {
  Type type = value.getType();
  return type.isIntOrFloat() ? int(type.getIntOrFloatBitWidth()) : 0;
}

LogicalResult Emitter::emitConvertLayout(hopper::ConvertLayoutOp op) {
  SmallVector<Layout, 3> layouts;
  if (failed(getLayouts(op, layouts)))
    return failure();
  if (mapRegisters(layouts[0], layouts[1]))
    return emitRenaming(op, layouts[0], {});
  Code code(builder, op.getLoc());
  Registers source = registers(op.getValue()), results;
  bool isSingle = threads.isSingle();
  if (auto words = planWordExchange(layouts[0], layouts[1], bitsOf(source[0]));
      words && !isSingle) {
    bind(op.getResult(), exchangeWords(code, *words, source, threads.lane));
    return success();
  }
  std::optional<std::vector<Shuffle>> plan =
      planShuffles(layouts[0], layouts[1]);
  if (!plan)
    return reportOp(op, diag::no_expansion)
           << "needs a round trip through shared memory, which the "
              "expansion to threads does not provide";
  if (isSingle)
    return reportOp(op, diag::no_expansion)
           << "needs all threads of a process, but this one runs elected";
  LaneReader reader(code, source, threads.lane);
  for (const Shuffle &shuffle : *plan)
    results.push_back(reader.read(shuffle));
  bind(op.getResult(), results);
  return success();
}

} // namespace heddle::tonvvm
