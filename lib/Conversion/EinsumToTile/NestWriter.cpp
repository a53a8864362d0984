//===- NestWriter.cpp - The loops of a nest -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestWriter.h"

#include "heddle/Conversion/WriteFunctions.h"
#include "heddle/Sparse/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using sparse::Access;
using sparse::Level;

NestWriter::NestWriter(OpBuilder &builder, Location loc,
                       const sparse::Statement &statement,
                       const sparse::Nest &nest, const NestArguments &arguments)
    : writer(builder, loc, statement, nest.width), statement(statement),
      nest(nest), arguments(arguments), coordinates(statement.indices.size()) {
  for (const Access &access : factors())
    walked.emplace_back().resize(access.format.rank());
}

bool NestWriter::isRow() const {
  return nest.vector >= 0 && statement.isOutput(nest.vector);
}

SmallVector<int> NestWriter::walkers(int index) const {
  SmallVector<int> found;
  for (auto [number, access] : llvm::enumerate(factors())) {
    int level = access.levelOfIndex(index);
    if (level >= 0 && access.format.levels[level] != Level::Dense)
      found.push_back(int(number));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Place NestWriter::placeOf(const Access &access, int factor, int level) {
  if (level < 0)
    return {writer.number(0), {}, false};
  if (factor >= 0 && walked[factor][level])
    return *walked[factor][level];
  int index = access.indexOfLevel(level);
  assert(access.format.levels[level] == Level::Dense && coordinates[index] &&
         "a level that is neither walked nor bound");
  // The outermost level is its coordinate.
  if (level == 0)
    return *coordinates[index];
  return writer.below(placeOf(access, factor, level - 1), extent(index),
                      *coordinates[index]);
}

Place NestWriter::resultPlace(int level) {
  const Access &result = statement.result;
  if (nest.assemble == sparse::Assemble::Same) {
    int pattern = sparse::findPattern(statement, nest);
    assert(pattern >= 0 && "a legal nest names an operand");
    return placeOf(factors()[size_t(pattern)], pattern, level);
  }
  return placeOf(result, -1, level);
}

SmallVector<Place> NestWriter::coordinatesOf(const Access &access) const {
  return llvm::map_to_vector(access.indices,
                             [&](int index) { return *coordinates[index]; });
}

bool NestWriter::isBound(const Access &access) const {
  return llvm::all_of(access.indices, [&](int index) {
    return coordinates[index].has_value();
  });
}

Value NestWriter::loadFactor(int factor) {
  const Access &access = factors()[factor];
  if (arguments.areViews && access.format.isDense())
    return writeFunctions(writer.builder, writer.loc, access.functions,
                          writer.loadView(arguments.factors[factor].values,
                                          coordinatesOf(access)));
  Value value =
      writer.load(arguments.factors[factor].values,
                  placeOf(access, factor, access.format.rank() - 1), mask);
  return writeFunctions(writer.builder, writer.loc, access.functions, value);
}

bool NestWriter::distributes(const Access &access) const {
  return statement.semiring != Semiring::MaxTimes &&
         llvm::all_of(access.functions, [](ScalarFunction function) {
           return std::isfinite(applyFunction(function, 0));
         });
}

Value NestWriter::multiplyByCoefficient(Value value) {
  double coefficient = statement.coefficientOf(nest.term);
  if (coefficient == 1)
    return value;
  return writer.product(
      {writeConstant(writer.builder, writer.loc, value.getType(), coefficient),
       value});
}

Value NestWriter::wholeProduct() {
  SmallVector<Value> values;
  for (int factor = 0; factor < int(factors().size()); ++factor)
    if (!factors()[factor].isMask)
      values.push_back(loadFactor(factor));
  return multiplyByCoefficient(writer.product(values));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value NestWriter::rowOfResult() {
  return resultPlace(statement.result.format.rank() - 2).scalar;
}

Value NestWriter::increment(Value array, Value at) {
  Value before = writer.loadIndex(array, at);
  Type type = cast<tile::PtrType>(array.getType()).getElementType();
  Value behind = arith::IndexCastOp::create(
      writer.builder, writer.loc, type, writer.add(before, writer.number(1)));
  writer.store(behind, array, at);
  return before;
}

void NestWriter::countElementOfRow() {
  increment(arguments.result.positions.back(),
            writer.add(rowOfResult(), writer.number(1)));
}

void NestWriter::writeElementOfRow(Value next) {
  Value row = rowOfResult();
  Value first = writer.loadIndex(arguments.result.positions.back(), row);
  Value at = writer.add(first, increment(next, row));
  int last = statement.result.format.rank() - 1;
  Value array = arguments.result.coordinates.back();
  Type type = cast<tile::PtrType>(array.getType()).getElementType();
  Value coordinate = coordinateOf(statement.result.indexOfLevel(last)).scalar;
  writer.store(
      arith::IndexCastOp::create(writer.builder, writer.loc, type, coordinate),
      array, at);
  writer.store(writeFunctions(writer.builder, writer.loc, statement.then,
                              wholeProduct()),
               arguments.result.values, at);
}

Value NestWriter::forLoop(Value begin, Value end, Value step, Value acc,
                          const std::function<Value(Value, Value)> &body) {
  auto loop = scf::ForOp::create(writer.builder, writer.loc, begin, end, step,
                                 acc ? ValueRange(acc) : ValueRange());
  OpBuilder::InsertionGuard guard(writer.builder);
  if (acc) {
    writer.builder.setInsertionPointToStart(loop.getBody());
    Value next = body(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(writer.builder, writer.loc, next);
    return loop.getResult(0);
  }
  writer.builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar(), {});
  return {};
}

Value NestWriter::loopDense(int index, Value acc, const Step &step) {
  return forLoop(writer.number(0), extent(index), writer.number(1), acc,
                 [&](Value at, Value sum) {
                   coordinates[index] = Place{at, {}, false};
                   return step(sum);
                 });
}

std::pair<Value, Value> NestWriter::bounds(int factor, int level) {
  Value parent = placeOf(factors()[factor], factor, level - 1).scalar;
  Value positions = arguments.factors[factor].positions[level];
  return {writer.loadIndex(positions, parent),
          writer.loadIndex(positions, writer.add(parent, writer.number(1)))};
}

Value NestWriter::loopPositions(int factor, int level, Value acc,
                                const Step &step) {
  const Access &access = factors()[factor];
  int index = access.indexOfLevel(level);
  auto visit = [&](Value position) {
    walked[factor][level] = Place{position, {}, false};
    coordinates[index] =
        Place{writer.loadIndex(arguments.factors[factor].coordinates[level],
                               position),
              {},
              false};
  };
  if (access.format.levels[level] == Level::Singleton) {
    visit(placeOf(access, factor, level - 1).scalar);
    return step(acc);
  }
  auto [begin, end] = bounds(factor, level);
  return forLoop(begin, end, writer.number(1), acc, [&](Value at, Value sum) {
    if (nest.ahead && !arguments.areViews)
      at.getParentBlock()->getParentOp()->setAttr(
          "rows_ahead", writer.builder.getI64IntegerAttr(nest.ahead));
    visit(at);
    return step(sum);
  });
}

Value NestWriter::loopMerge(int index, ArrayRef<int> factorsWalked, Value acc,
                            const Step &step) {
  OpBuilder &builder = writer.builder;
  SmallVector<Value> first, ends;
  for (int factor : factorsWalked) {
    auto [begin, end] = bounds(factor, factors()[factor].levelOfIndex(index));
    first.push_back(begin);
    ends.push_back(end);
  }
  size_t count = first.size();
  if (acc)
    first.push_back(acc);
  SmallVector<Type> types =
      llvm::map_to_vector(first, [](Value value) { return value.getType(); });
  auto loop = scf::WhileOp::create(builder, writer.loc, types, first);
  SmallVector<Location> places(types.size(), writer.loc);
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, places);
  Value more;
  for (size_t i = 0; i < count; ++i) {
    Value has = writer.isLess(before->getArgument(i), ends[i]);
    more = more ? Value(arith::AndIOp::create(builder, writer.loc, more, has))
                : has;
  }
  scf::ConditionOp::create(builder, writer.loc, more, before->getArguments());
  Block *body = builder.createBlock(&loop.getAfter(), {}, types, places);
  SmallVector<Value> found;
  Value least;
  for (size_t i = 0; i < count; ++i) {
    int factor = factorsWalked[i];
    int level = factors()[factor].levelOfIndex(index);
    found.push_back(writer.loadIndex(
        arguments.factors[factor].coordinates[level], body->getArgument(i)));
    least = least ? Value(arith::MinSIOp::create(builder, writer.loc, least,
                                                 found[i]))
                  : found[i];
    walked[factor][level] = Place{body->getArgument(i), {}, false};
  }
  coordinates[index] = Place{least, {}, false};
  SmallVector<Value> isHere, next;
  Value all;
  for (size_t i = 0; i < count; ++i) {
    isHere.push_back(writer.isEqual(found[i], least));
    all =
        all ? Value(arith::AndIOp::create(builder, writer.loc, all, isHere[i]))
            : isHere[i];
  }
  auto match = scf::IfOp::create(
      builder, writer.loc, acc ? TypeRange(acc.getType()) : TypeRange(), all,
      /*withElseRegion=*/bool(acc));
  {
    OpBuilder::InsertionGuard inner(builder);
    if (acc) {
      builder.setInsertionPointToStart(match.thenBlock());
      Value sum = step(body->getArguments().back());
      scf::YieldOp::create(builder, writer.loc, sum);
      builder.setInsertionPointToStart(match.elseBlock());
      scf::YieldOp::create(builder, writer.loc, body->getArguments().back());
    } else {
      builder.setInsertionPoint(match.thenBlock()->getTerminator());
      step({});
    }
  }
  for (size_t i = 0; i < count; ++i)
    next.push_back(arith::SelectOp::create(
        builder, writer.loc, isHere[i],
        writer.add(body->getArgument(i), writer.number(1)),
        body->getArgument(i)));
  if (acc)
    next.push_back(match.getResult(0));
  scf::YieldOp::create(builder, writer.loc, next);
  return acc ? loop.getResults().back() : Value();
}

Value NestWriter::loop(size_t at, Value acc, const Step &step) {
  int index = nest.order[at];
  SmallVector<int> sparse = walkers(index);
  Value result;
  if (sparse.empty())
    result = loopDense(index, acc, step);
  else if (sparse.size() == 1)
    result = loopPositions(sparse[0], factors()[sparse[0]].levelOfIndex(index),
                           acc, step);
  else
    result = loopMerge(index, sparse, acc, step);
  coordinates[index].reset();
  for (int factor : sparse)
    walked[factor][factors()[factor].levelOfIndex(index)].reset();
  return result;
}

void NestWriter::writeInstances(const Body &body) {
  OpBuilder &builder = writer.builder;
  int index = nest.parallel;
  SmallVector<int> sparse = index < 0 ? SmallVector<int>() : walkers(index);
  Value count = writer.number(1), first;
  if (index >= 0 && sparse.empty())
    count = extent(index);
  if (!sparse.empty()) {
    Value end;
    std::tie(first, end) = bounds(sparse[0], 0);
    count = arith::SubIOp::create(builder, writer.loc, end, first);
  }
  SmallVector<Value> counts = {count};
  // Tiles of a row are instances, too, where no cache is a worker's own.
  if (arguments.areViews && isRow())
    counts.push_back(arith::CeilDivUIOp::create(
        builder, writer.loc, extent(nest.vector), writer.number(nest.width)));
  auto parallel = tile::ParallelOp::create(builder, writer.loc, counts);
  if (!arguments.areViews)
    parallel->setAttr("chunk", builder.getI64IntegerAttr(nest.chunk));
  Block &block = parallel.getBody().emplaceBlock();
  Value at = block.addArgument(builder.getIndexType(), writer.loc);
  if (counts.size() > 1)
    rowTile = block.addArgument(builder.getIndexType(), writer.loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  if (!sparse.empty()) {
    Value position = writer.add(first, at);
    walked[sparse[0]][0] = Place{position, {}, false};
    coordinates[index] = Place{
        writer.loadIndex(arguments.factors[sparse[0]].coordinates[0], position),
        {},
        false};
  } else if (index >= 0) {
    coordinates[index] = Place{at, {}, false};
  }
  body();
}

void NestWriter::writeLoops(size_t at, size_t end, const Body &body) {
  if (at == end)
    return body();
  loop(at, {}, [&](Value) {
    writeLoops(at + 1, end, body);
    return Value();
  });
}

void NestWriter::writeOuterLoops(size_t count, const Body &body) {
  writeInstances([&] { writeLoops(nest.parallel >= 0 ? 1 : 0, count, body); });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Value NestWriter::sumFrom(size_t at, ArrayRef<int> pending, Value acc) {
  size_t end = nest.order.size() - (isRow() ? 1 : 0);
  // What does not depend on the loops to come is multiplied once, behind them.
  SmallVector<Value> outside;
  SmallVector<int> inside;
  bool areAllBound = llvm::all_of(
      pending, [&](int factor) { return isBound(factors()[factor]); });
  for (int factor : pending) {
    const Access &access = factors()[factor];
    if (!isBound(access) ||
        !(areAllBound || access.isMask || distributes(access)))
      inside.push_back(factor);
    else if (!access.isMask)
      outside.push_back(loadFactor(factor));
  }
  if (inside.empty())
    return writer.addProduct(acc, outside);
  assert(at < end && "a factor whose indices are not in the order");
  bool isLanes = nest.order[at] == nest.vector;
  auto body = [&](Value start) {
    return loop(at, start,
                [&](Value sum) { return sumFrom(at + 1, inside, sum); });
  };
  if (outside.empty())
    return isLanes ? writer.sum(acc, sumLanes(nest.order[at], inside))
                   : body(acc);
  outside.push_back(isLanes ? sumLanes(nest.order[at], inside)
                            : body(writer.zero(isRow())));
  return writer.addProduct(acc, outside);
}

Value NestWriter::sumLanes(int index, ArrayRef<int> pending) {
  OpBuilder &builder = writer.builder;
  SmallVector<int> sparse = walkers(index);
  int level = sparse.empty() ? 0 : factors()[sparse[0]].levelOfIndex(index);
  Value begin = writer.number(0), end = Value();
  if (sparse.empty())
    end = extent(index);
  else
    std::tie(begin, end) = bounds(sparse[0], level);
  Value width = writer.number(nest.width);
  Value length = arith::SubIOp::create(builder, writer.loc, end, begin);
  Value rest = arith::RemSIOp::create(builder, writer.loc, length, width);
  Value full = arith::SubIOp::create(builder, writer.loc, end, rest);
  auto step = [&](Value at, Value sum) {
    Place run{at, {}, true};
    if (sparse.empty()) {
      coordinates[index] = run;
    } else {
      walked[sparse[0]][level] = run;
      coordinates[index] =
          Place{{},
                writer.loadIndices(
                    arguments.factors[sparse[0]].coordinates[level], run, mask),
                false};
    }
    SmallVector<Value> values;
    bool hasFunctions = false;
    for (int factor : pending) {
      values.push_back(loadFactor(factor));
      hasFunctions |= !factors()[factor].functions.empty();
    }
    // What is masked is 0, before functions.
    if (!mask || (statement.semiring == Semiring::PlusTimes && !hasFunctions))
      return writer.addProduct(sum, values);
    return writer.sum(sum, writer.orZero(writer.product(values), mask));
  };
  if (arguments.areViews) {
    // Outside of the views are zeros.
    Value sum = forLoop(begin, end, width, writer.zero(true), step);
    coordinates[index].reset();
    return writer.sumOfLanes(sum);
  }
  Value sum = forLoop(begin, full, width, writer.zero(true), step);
  auto tail = scf::IfOp::create(builder, writer.loc, sum.getType(),
                                writer.isLess(writer.number(0), rest),
                                /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(tail.thenBlock());
    mask = writer.maskOf(rest);
    Value last = step(full, sum);
    mask = {};
    scf::YieldOp::create(builder, writer.loc, last);
    builder.setInsertionPointToStart(tail.elseBlock());
    scf::YieldOp::create(builder, writer.loc, sum);
  }
  coordinates[index].reset();
  if (!sparse.empty())
    walked[sparse[0]][level].reset();
  return writer.sumOfLanes(tail.getResult(0));
}

/// Full tiles, then the lanes that are left.
void NestWriter::writeRowTiles(const Body &body) {
  OpBuilder &builder = writer.builder;
  if (rowTile) {
    Value first = writer.multiply(rowTile, writer.number(nest.width));
    coordinates[nest.vector] = Place{first, {}, true};
    body();
    coordinates[nest.vector].reset();
    return;
  }
  Value width = writer.number(nest.width), end = extent(nest.vector);
  Value rest = arith::RemSIOp::create(builder, writer.loc, end, width);
  Value full = arith::SubIOp::create(builder, writer.loc, end, rest);
  forLoop(writer.number(0), full, width, {}, [&](Value at, Value) {
    coordinates[nest.vector] = Place{at, {}, true};
    body();
    return Value();
  });
  auto tail = scf::IfOp::create(builder, writer.loc,
                                writer.isLess(writer.number(0), rest));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(tail.thenBlock()->getTerminator());
  coordinates[nest.vector] = Place{full, {}, true};
  mask = writer.maskOf(rest);
  body();
  mask = {};
  coordinates[nest.vector].reset();
}

void NestWriter::addToResult(Value value) {
  if (arguments.areViews) {
    if (finishes)
      value = writeFunctions(writer.builder, writer.loc, statement.then, value);
    SmallVector<Place> places = coordinatesOf(statement.result);
    if (nest.assemble == sparse::Assemble::Same)
      places = {resultPlace(statement.result.format.rank() - 1)};
    writer.storeView(value, arguments.result.values, places);
    return;
  }
  Place place = resultPlace(statement.result.format.rank() - 1);
  Value array = arguments.result.values;
  bool isFirst = nest.into == sparse::Into::Registers && nest.term == 0;
  if (!isFirst)
    value = writer.sum(writer.load(array, place, mask), value);
  if (finishes)
    value = writeFunctions(writer.builder, writer.loc, statement.then, value);
  writer.store(value, array, place, mask);
}

void NestWriter::writeSum(size_t at) {
  auto whole = [&] {
    SmallVector<int> all =
        llvm::to_vector(llvm::seq<int>(0, int(factors().size())));
    addToResult(multiplyByCoefficient(sumFrom(at, all, writer.zero(isRow()))));
  };
  isRow() ? writeRowTiles(whole) : whole();
}

void NestWriter::writeOuter(size_t at) {
  bool isInRegisters = nest.into == sparse::Into::Registers;
  bool onlySums = true;
  for (size_t i = at; i < nest.order.size(); ++i)
    onlySums &=
        nest.order[i] == nest.vector || !statement.isOutput(nest.order[i]);
  if (isInRegisters && onlySums)
    return writeSum(at);
  if (at == nest.order.size() || (isRow() && nest.order[at] == nest.vector)) {
    auto once = [&] { addToResult(wholeProduct()); };
    return isRow() ? writeRowTiles(once) : once();
  }
  loop(at, {}, [&](Value) {
    writeOuter(at + 1);
    return Value();
  });
}

void NestWriter::writeCompute(bool isLast) {
  finishes = isLast;
  writeInstances([&] { writeOuter(nest.parallel >= 0 ? 1 : 0); });
}
