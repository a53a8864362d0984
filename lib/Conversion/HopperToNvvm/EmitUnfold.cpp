//===- EmitUnfold.cpp - Windows of a shared tile to registers ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The windows of hopper.local_unfold overlap in a plain tile, so the address of
// an element is a sum over its row and its place in the window, and a thread
// reads what its layout gives it. Neighbours of two bytes are one word, which
// has to begin at an even element: step and places have to be even, and so has
// the first element, which is asked in the kernel where nothing says it. What
// lies behind a window is not read: an address there becomes that of the
// window's begin.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LinearIndex.h"

#include "heddle/Dialect/Tile/Runs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::Layout;

namespace heddle::tonvvm {

namespace {

class WindowReader {
public:
  WindowReader(Code &code, hopper::LocalUnfoldOp op, const Threads &threads,
               Value tile, Value first)
      : code(code), layout(*hopper::getLayout(op.getValue().getType())),
        element(registerType(op.getValue().getType().getElementType())),
        tile(tile), size(op.getSize()), step(op.getStep()),
        bytes(op.getTile().getType().getElementType().getIntOrFloatBitWidth() /
              8),
        extent(op.getTile().getType().getShape()[0]) {
    auto sum = [&](llvm::function_ref<int64_t(const Coord &)> weigh) {
      return emitThreadSum(code, layout, threads, weigh);
    };
    place = sum([](const Coord &vector) { return vector[1]; });
    row = code.add(code.mul(first, bytes), sum([&](const Coord &vector) {
                     return vector[0] * step * bytes;
                   }));
    own = code.add(row, code.mul(place, bytes));
    for (const Coord &vector : layout.lane)
      mostPlace += vector[1];
    for (const Coord &vector : layout.warp)
      mostPlace += vector[1];
  }

  /// Whether neighbouring registers are neighbours in a window and fill a word,
  /// if the first window begins at an even element.
  bool hasPairs() const {
    auto isEven = [](const Coord &vector) { return vector[1] % 2 == 0; };
    return bytes == 2 && step % 2 == 0 && extent % 2 == 0 &&
           !layout.reg.empty() && layout.reg[0] == Coord{0, 1} &&
           llvm::all_of(layout.lane, isEven) &&
           llvm::all_of(layout.warp, isEven) &&
           llvm::all_of(llvm::drop_begin(layout.reg), isEven) &&
           layout.tile[1] % 2 == 0;
  }

  /// All registers, `width` neighbours at once.
  Registers read(int64_t width) {
    Registers values;
    for (int index = 0; index < layout.registerCount(); index += int(width))
      readRun(layout.registerCoordinate(index), width, values);
    return values;
  }

private:
  void readRun(const Coord &coord, int64_t width, Registers &values) {
    if (coord[1] >= size) {
      values.append(width, code.zero(element));
      return;
    }
    int64_t rows = coord[0] * step * bytes;
    Value offset = code.add(own, rows + coord[1] * bytes);
    bool isWhole = coord[1] + width - 1 + mostPlace < size;
    SmallVector<Value> inside;
    for (int64_t i = 0; i < width && !isWhole; ++i)
      inside.push_back(code.isBelow(code.add(place, coord[1] + i), size));
    if (!isWhole)
      offset = code.select(inside[0], offset, code.add(row, rows));
    Type type = width == 1 ? element : Type(VectorType::get(width, element));
    Value run = code.load(type, code.advance(tile, offset), width * bytes);
    SmallVector<Value> read =
        width == 1 ? SmallVector<Value>{run} : code.unpack(run);
    for (auto [i, value] : llvm::enumerate(read))
      values.push_back(
          isWhole ? value : code.select(inside[i], value, code.zero(element)));
  }

  Code &code;
  Layout layout;
  Type element;
  Value tile;
  int64_t size, step, bytes, extent;
  Value place; ///< of the thread's first element in its window
  Value row;   ///< bytes to the begin of its first window
  Value own;   ///< bytes to its first element
  int64_t mostPlace = 0;
};

} // namespace

LogicalResult Emitter::emitLocalUnfold(hopper::LocalUnfoldOp op) {
  Code code(builder, op.getLoc());
  Value first = code.resize(scalar(op.getFirst()), builder.getI32Type(),
                            /*isSigned=*/false);
  WindowReader reader(code, op, threads, scalar(op.getTile()), first);
  if (!reader.hasPairs()) {
    bind(op.getValue(), reader.read(1));
    return success();
  }
  if (tile::knownDivisor(op.getFirst()) % 2 == 0) {
    bind(op.getValue(), reader.read(2));
    return success();
  }
  // All threads take the same branch.
  int64_t words =
      hopper::getLayout(op.getValue().getType())->registerCount() / 2;
  SmallVector<Type> types(words, builder.getI32Type());
  auto branch = scf::IfOp::create(builder, op.getLoc(), types,
                                  code.isEqual(code.bitAnd(first, 1), 0),
                                  /*withElseRegion=*/true);
  for (int64_t width : {2, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(width == 2 ? branch.thenBlock()
                                                : branch.elseBlock());
    Registers values = reader.read(width);
    SmallVector<Value> packed;
    for (int64_t word = 0; word < words; ++word)
      packed.push_back(code.packInt({values[2 * word], values[2 * word + 1]}));
    scf::YieldOp::create(builder, op.getLoc(), packed);
  }
  Registers values;
  Type element = registerType(op.getValue().getType().getElementType());
  for (Value word : branch.getResults())
    llvm::append_range(values, code.unpackInt(word, element, 2));
  bind(op.getValue(), values);
  return success();
}

} // namespace heddle::tonvvm
