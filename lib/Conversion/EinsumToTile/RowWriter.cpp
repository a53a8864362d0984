//===- RowWriter.cpp - Rows whose elements are not known before -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row grows in a workspace as long as a dense row, beside a bitmap of its
// elements, a bitmap of that bitmap's words, and one of the words of that.
// Walking them gives the elements in order, so nothing is sorted, at a cost of
// one word for 262144 columns and at most three for an element. The count needs
// the bitmaps only.
//
//===----------------------------------------------------------------------===//

#include "NestWriter.h"

#include "heddle/Conversion/WriteFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;

namespace {

constexpr int64_t kWordBits = 64;

class RowWriter {
public:
  RowWriter(NestWriter &nest, const sparse::Statement &statement,
            const sparse::Nest &plan, const NestArguments &arguments,
            ValueRange scratch)
      : nest(nest), writer(nest.writer), builder(writer.builder),
        loc(writer.loc), plan(plan), arguments(arguments), then(statement.then),
        bits(scratch[0]), words(scratch[1]), groups(scratch[2]) {
    last = statement.result.format.rank() - 1;
    column = statement.result.indexOfLevel(last);
  }

  void writeCount() {
    nest.writeOuterLoops(size_t(last), [&] {
      nest.writeLoops(size_t(last), plan.order.size(), [&] {
        Value at = nest.coordinateOf(column).scalar;
        Bit bit = findBit(bits, at);
        scf::IfOp::create(builder, loc, bit.isNew, [&](OpBuilder &, Location) {
          setBit(bit);
          scf::YieldOp::create(builder, loc);
        });
      });
      Value count =
          forEachWord(writer.number(0), [&](Value, Value word, Value count) {
            Value here = math::CtPopOp::create(builder, loc, word);
            return writer.add(count, writer.toIndex(here));
          });
      Value next = writer.add(row(), writer.number(1));
      storeIndex(count, arguments.result.positions[last], next);
    });
  }

  void writeFill(Value sums) {
    nest.writeOuterLoops(size_t(last), [&] {
      nest.writeLoops(size_t(last), plan.order.size(), [&] {
        Value product = nest.wholeProduct();
        Value at = nest.coordinateOf(column).scalar;
        Bit bit = findBit(bits, at);
        Value before = writer.load(sums, at);
        Value both = writer.sum(before, product);
        writer.store(
            arith::SelectOp::create(builder, loc, bit.isNew, product, both),
            sums, at);
        scf::IfOp::create(builder, loc, bit.isNew, [&](OpBuilder &, Location) {
          setBit(bit);
          scf::YieldOp::create(builder, loc);
        });
      });
      Value first = writer.loadIndex(arguments.result.positions[last], row());
      forEachWord(first, [&](Value number, Value word, Value position) {
        return forEachBit(word, position, [&](Value bit, Value at) {
          Value column = writer.add(
              writer.multiply(number, writer.number(kWordBits)), bit);
          storeIndex(column, arguments.result.coordinates[last], at);
          Value made =
              writeFunctions(builder, loc, then, writer.load(sums, column));
          writer.store(made, arguments.result.values, at);
          writer.store(zero(), sums, column);
          return writer.add(at, writer.number(1));
        });
      });
    });
  }

private:
  struct Bit {
    Value number, word, mask, isNew; ///< number of the word, its value, the bit
  };

  Value row() { return nest.resultPlace(last - 1).scalar; }

  /// Scratch memory is left zero, whatever the semiring's zero is.
  Value zero() {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(writer.element(), 0));
  }

  void storeIndex(Value index, Value array, Value at) {
    Type type = cast<tile::PtrType>(array.getType()).getElementType();
    writer.store(arith::IndexCastOp::create(builder, loc, type, index), array,
                 at);
  }

  /// The word's number and the bit's mask: number / 64 and 1 << number % 64.
  std::pair<Value, Value> split(Value number) {
    Value wide = writer.toWord(number);
    Value word = arith::ShRUIOp::create(builder, loc, wide, writer.word(6));
    Value bit = arith::AndIOp::create(builder, loc, wide, writer.word(63));
    return {writer.toIndex(word),
            arith::ShLIOp::create(builder, loc, writer.word(1), bit)};
  }

  Bit findBit(Value array, Value at) {
    auto [number, mask] = split(at);
    Value word = writer.load(array, number);
    Value is = arith::AndIOp::create(builder, loc, word, mask);
    return {number, word, mask, writer.isEqual(is, writer.word(0))};
  }

  void orInto(Value array, const Bit &bit) {
    writer.store(arith::OrIOp::create(builder, loc, bit.word, bit.mask), array,
                 bit.number);
  }

  void ifZero(Value word, const std::function<void()> &body) {
    scf::IfOp::create(builder, loc, writer.isEqual(word, writer.word(0)),
                      [&](OpBuilder &, Location) {
                        body();
                        scf::YieldOp::create(builder, loc);
                      });
  }

  /// A word that was zero so far is noted in the bitmap above.
  void setBit(const Bit &bit) {
    orInto(bits, bit);
    ifZero(bit.word, [&] {
      Bit word = findBit(words, bit.number);
      orInto(words, word);
      ifZero(word.word, [&] { orInto(groups, findBit(groups, word.number)); });
    });
  }

  using Step = std::function<Value(Value, Value)>;
  Value forEachBit(Value word, Value carried, const Step &step) {
    SmallVector<Type> types = {word.getType(), carried.getType()};
    auto loop = scf::WhileOp::create(
        builder, loc, types, ValueRange{word, carried},
        [&](OpBuilder &, Location, ValueRange values) {
          Value more =
              arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                    values[0], writer.word(0));
          scf::ConditionOp::create(builder, loc, more, values);
        },
        [&](OpBuilder &, Location, ValueRange values) {
          Value bit =
              math::CountTrailingZerosOp::create(builder, loc, values[0]);
          Value next = step(writer.toIndex(bit), values[1]);
          Value less =
              arith::SubIOp::create(builder, loc, values[0], writer.word(1));
          Value rest = arith::AndIOp::create(builder, loc, values[0], less);
          scf::YieldOp::create(builder, loc, ValueRange{rest, next});
        });
    return loop.getResult(1);
  }

  /// The words that are not zero, in order; they are zero afterwards.
  Value forEachWord(Value carried,
                    const std::function<Value(Value, Value, Value)> &step) {
    constexpr int64_t kColumns = kWordBits * kWordBits * kWordBits;
    Value count = arith::DivUIOp::create(
        builder, loc,
        writer.add(nest.extent(column), writer.number(kColumns - 1)),
        writer.number(kColumns));
    /// The bits of word `number` of an array, which is zero afterwards.
    auto take = [&](Value array, Value number) {
      Value word = writer.load(array, number);
      writer.store(writer.word(0), array, number);
      return word;
    };
    auto numberOf = [&](Value above, Value bit) {
      return writer.add(writer.multiply(above, writer.number(kWordBits)), bit);
    };
    auto loop = scf::ForOp::create(
        builder, loc, writer.number(0), count, writer.number(1), carried,
        [&](OpBuilder &, Location, Value top, ValueRange values) {
          Value result = forEachBit(
              take(groups, top), values[0], [&](Value bit, Value sum) {
                Value group = numberOf(top, bit);
                return forEachBit(
                    take(words, group), sum, [&](Value bit, Value sum) {
                      Value number = numberOf(group, bit);
                      return step(number, take(bits, number), sum);
                    });
              });
          scf::YieldOp::create(builder, loc, result);
        });
    return loop.getResult(0);
  }

  NestWriter &nest;
  KernelWriter &writer;
  OpBuilder &builder;
  Location loc;
  const sparse::Nest &plan;
  const NestArguments &arguments;
  const std::vector<ScalarFunction> &then;
  Value bits, words, groups;
  int last, column;
};

} // namespace

void heddle::writeCountKernel(NestWriter &nest,
                              const sparse::Statement &statement,
                              const sparse::Nest &plan,
                              const NestArguments &arguments,
                              ValueRange scratch) {
  RowWriter(nest, statement, plan, arguments, scratch).writeCount();
}

void heddle::writeFillKernel(NestWriter &nest,
                             const sparse::Statement &statement,
                             const sparse::Nest &plan,
                             const NestArguments &arguments,
                             ValueRange scratch) {
  RowWriter(nest, statement, plan, arguments, scratch).writeFill(scratch[3]);
}
