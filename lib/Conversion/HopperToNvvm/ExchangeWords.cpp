//===- ExchangeWords.cpp - Narrow elements from other lanes ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangeWords.h"

#include "LinearIndex.h"

#include "llvm/ADT/bit.h"

#include <array>

using namespace mlir;
using heddle::machine::WordExchange;

namespace heddle::tonvvm {

namespace {
class WordReader {
public:
  WordReader(Code &code, const WordExchange &plan, ArrayRef<Value> source,
             Value lane)
      : code(code), plan(plan), source(source) {
    isNear = code.isEqual(code.bitAnd(lane, plan.apart), 0);
    ownIsClear = code.isEqual(code.bitAnd(lane, plan.own), 0);
    // Who has the bit `own` set reads the far lane first.
    SmallVector<int64_t> weights(plan.ofBit.begin(), plan.ofBit.end());
    weights[llvm::countr_zero(unsigned(plan.own))] += plan.apart;
    partners[0] = code.bitXor(emitWeightedBits(code, lane, weights),
                              int64_t(plan.constant));
    partners[1] = code.bitXor(partners[0], int64_t(plan.apart));
  }

  SmallVector<Value> read() {
    SmallVector<std::array<Value, 2>> rounds;
    for (const WordExchange::Sent &sent : plan.sent)
      rounds.push_back(exchange(sent));
    SmallVector<Value> results;
    for (const WordExchange::Made &made : plan.made) {
      auto [first, second] = rounds[made.sent];
      Value word = code.intrinsic("llvm.nvvm.prmt", code.builder.getI32Type(),
                                  {first, second, selectorOf(made)});
      results.append(code.unpackInt(word, source.front().getType(),
                                    32 / plan.elementBits));
    }
    return results;
  }

private:
  Value pack(ArrayRef<int> registers) {
    return code.packInt(llvm::map_to_vector(
        registers, [&](int index) { return source[index]; }));
  }

  std::array<Value, 2> exchange(const WordExchange::Sent &sent) {
    Value clear = pack(sent.registers[0]), set = pack(sent.registers[1]);
    return {code.shuffleFrom(code.select(isNear, clear, set), partners[0]),
            code.shuffleFrom(code.select(isNear, set, clear), partners[1])};
  }

  Value selectorOf(const WordExchange::Made &made) {
    int64_t clear = plan.selector(made, false), set = plan.selector(made, true);
    Value &selector = selectors[{clear, set}];
    if (!selector)
      selector = code.select(ownIsClear, code.i32(clear), code.i32(set));
    return selector;
  }

  Code &code;
  const WordExchange &plan;
  ArrayRef<Value> source;
  Value isNear, ownIsClear;
  std::array<Value, 2> partners;
  std::map<std::pair<int64_t, int64_t>, Value> selectors;
};
} // namespace

SmallVector<Value> exchangeWords(Code &code, const WordExchange &plan,
                                 ArrayRef<Value> source, Value lane) {
  return WordReader(code, plan, source, lane).read();
}

} // namespace heddle::tonvvm
