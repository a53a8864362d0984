//===- WordExchangeTest.cpp - Every byte arrives where it is wanted -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out plans as the code does: each lane chooses what to send, reads one
// lane a round, and permutes bytes. What arrives must be the elements of the
// new layout. What moves in another way must be declined.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/WordExchange.h"

#include "heddle/Machine/WarpProduct.h"

#include "gtest/gtest.h"

using namespace heddle::machine;

namespace {

/// The elements of a word, by their coordinates.
using Word = std::vector<Coord>;

/// What lane `lane` sends in a round.
Word send(const WordExchange &plan, const WordExchange::Sent &sent,
          const Layout &from, int lane, int warp, int round) {
  bool isFar = (lane & plan.apart) != 0;
  Word word;
  for (int index : sent.registers[(round == 1) != isFar])
    word.push_back(from.coordinate(lane, warp, index));
  return word;
}

/// The lane that `lane` reads in a round.
int partner(const WordExchange &plan, int lane, int round) {
  int result = plan.constant;
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (lane >> bit & 1)
      result ^= plan.ofBit[bit];
  bool ownIsSet = (lane & plan.own) != 0;
  return (round == 1) != ownIsSet ? result ^ plan.apart : result;
}

/// Runs the plan; gives the number of shuffles, 0 if there is no plan.
int expectMoves(const Layout &from, const Layout &to, int bits) {
  std::optional<WordExchange> plan = planWordExchange(from, to, bits);
  if (!plan)
    return 0;
  int perWord = 32 / bits, bytes = bits / 8;
  EXPECT_EQ(int(plan->made.size()) * perWord, to.registerCount());
  for (int warp = 0; warp < to.warpCount(); ++warp)
    for (int lane = 0; lane < 1 << kLaneBits; ++lane)
      for (size_t w = 0; w < plan->made.size(); ++w) {
        const WordExchange::Made &made = plan->made[w];
        const WordExchange::Sent &sent = plan->sent[made.sent];
        Word rounds[2];
        for (int round : {0, 1})
          rounds[round] =
              send(*plan, sent, from, partner(*plan, lane, round), warp, round);
        int64_t selector = plan->selector(made, (lane & plan->own) != 0);
        for (int i = 0; i < perWord; ++i) {
          int first = int(selector >> (4 * i * bytes) & 0xf);
          for (int byte = 1; byte < bytes; ++byte)
            EXPECT_EQ(selector >> 4 * (i * bytes + byte) & 0xf, first + byte);
          EXPECT_EQ(first % bytes, 0);
          EXPECT_EQ(rounds[first / 4][first % 4 / bytes],
                    to.coordinate(lane, warp, int(w) * perWord + i));
        }
      }
  return plan->count();
}

TEST(WordExchange, SumsBecomeAnOperandOfBytes) {
  for (int64_t rows : {64, 128})
    for (int64_t depth : {32, 64, 96, 128, 160, 256})
      EXPECT_EQ(expectMoves(makeWgmmaAccumulator(rows, depth),
                            makeWgmmaOperandA(rows, depth, 8), 8),
                rows * depth / 128 / 4);
}

TEST(WordExchange, AnOperandOfBytesBecomesSums) {
  EXPECT_EQ(expectMoves(makeWgmmaOperandA(64, 64, 8),
                        makeWgmmaAccumulator(64, 64), 8),
            8);
}

TEST(WordExchange, HalvesGoTwoByTwo) {
  EXPECT_EQ(expectMoves(makeWgmmaAccumulator(64, 64),
                        makeWgmmaOperandA(64, 64, 8), 16),
            16);
}

TEST(WordExchange, ALaneTradesPlacesWithAnyRegister) {
  for (int lane = 0; lane < kLaneBits; ++lane)
    for (int reg = 0; reg < 3; ++reg) {
      Layout from = makeWgmmaOperandA(64, 32, 16), to = from;
      std::swap(to.lane[lane], to.reg[reg]);
      EXPECT_GT(expectMoves(from, to, 8), 0) << lane << " " << reg;
    }
}

TEST(WordExchange, DeclinesWhatMovesInAnotherWay) {
  Layout from = makeWgmmaAccumulator(64, 64);
  EXPECT_FALSE(planWordExchange(from, from, 8)); // nothing moves
  Layout lanes = from;
  std::swap(lanes.lane[0], lanes.lane[1]);
  EXPECT_FALSE(planWordExchange(from, lanes, 8)); // no register
  Layout two = makeWgmmaOperandA(64, 64, 16), both = two;
  std::swap(both.lane[0], both.reg[0]);
  std::swap(both.lane[1], both.reg[1]);
  EXPECT_FALSE(planWordExchange(two, both, 8)); // four lanes
  Layout warps = from;
  std::swap(warps.warp[0], warps.lane[0]);
  EXPECT_FALSE(planWordExchange(from, warps, 8)); // another warp
  EXPECT_FALSE(planWordExchange(makeWgmmaAccumulator(64, 64),
                                makeWgmmaOperandA(64, 64, 8), 32));
}

} // namespace
