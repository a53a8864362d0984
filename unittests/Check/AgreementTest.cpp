//===- AgreementTest.cpp - The prover against every order of steps --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For small protocols and all their mutants: what the prover proves has no
// fault in any order of steps for trip counts up to 2 D + 1, and what it
// objects to has one.
//
//===----------------------------------------------------------------------===//

#include "Protocols.h"
#include "SmallModel.h"

#include "heddle/Check/Prove.h"

#include "gtest/gtest.h"

using namespace heddle::check;

/// Where each tile has a trip count of its own: all of them for two tiles, 0
/// and 1 for more.
static std::optional<std::string> findCountedFault(const Protocol &protocol,
                                                   const Shape &shape) {
  for (int64_t m = 0; m <= 2 * shape.depth + 1; ++m) {
    int64_t choices = m <= 2 ? 2 * shape.depth + 2 : 2, total = 1;
    for (int64_t i = 0; i < m; ++i)
      total *= choices;
    for (int64_t number = 0; number < total; ++number) {
      Symbols symbols = {{"m", m}, {"counts[" + std::to_string(m) + "]", 0}};
      int64_t rest = number;
      std::string text;
      for (int64_t i = 0; i < m; ++i, rest /= choices) {
        symbols["counts[" + std::to_string(i) + "]"] = rest % choices;
        text += " " + std::to_string(rest % choices);
      }
      if (auto fault = findFault(protocol, symbols))
        return *fault + " with counts" + text;
    }
  }
  return std::nullopt;
}

/// The first fault for a trip count that the small model covers.
static std::optional<std::string> findFault(const Protocol &protocol,
                                            const Shape &shape) {
  if (shape.counts)
    return findCountedFault(protocol, shape);
  for (int64_t m = shape.tiles ? 0 : 1; m <= (shape.tiles ? 3 : 1); ++m)
    for (int64_t n = 0; n <= 2 * shape.depth + 1; ++n)
      if (auto fault = findFault(protocol, {{"n", n}, {"m", m}}))
        return *fault + " with n = " + std::to_string(n) +
               ", m = " + std::to_string(m);
  return std::nullopt;
}

static std::string textOf(const Result &result) {
  std::string text = result.reason;
  if (result.fault)
    text += std::string(" ") + describe(result.fault->property) + ": " +
            result.fault->message;
  return text;
}

/// Whether code generation has to copy registers is no matter of orders.
static bool isOfRegisters(const Result &result) {
  return textOf(result).find("registers would have to be moved") !=
         std::string::npos;
}

static void compare(const Shape &shape) {
  SCOPED_TRACE(shape.text());
  Protocol protocol = makePipeline(shape);
  Result result = prove(protocol);
  EXPECT_EQ(result.verdict, Verdict::Proved) << textOf(result);
  EXPECT_EQ(findFault(protocol, shape), std::nullopt);
  int faulty = 0;
  for (const Mutant &mutant : makeMutants(protocol)) {
    Result verdict = prove(mutant.protocol);
    auto fault = findFault(mutant.protocol, shape);
    faulty += fault.has_value();
    if (isOfRegisters(verdict))
      continue;
    EXPECT_EQ(verdict.verdict == Verdict::Proved, !fault)
        << mutant.what << ": the prover says " << textOf(verdict)
        << ", the small model " << fault.value_or("fine");
  }
  EXPECT_GT(faulty, 10);
  testing::Test::RecordProperty(shape.text(), faulty);
}

TEST(Agreement, Tma) {
  for (int depth : {1, 2, 3})
    for (int warps : {1, 2})
      compare({.depth = depth, .consumerWarps = warps});
}

TEST(Agreement, TmaOverlaps) {
  for (int depth : {2, 3})
    for (int warps : {1, 2})
      compare({.depth = depth, .consumerWarps = warps, .overlaps = true});
}

TEST(Agreement, Accumulates) {
  for (int depth : {2, 3})
    for (int warps : {1, 2})
      compare({.depth = depth,
               .consumerWarps = warps,
               .overlaps = true,
               .accumulates = true});
}

TEST(Agreement, TmaTiles) {
  for (int depth : {2, 3})
    compare({.depth = depth, .overlaps = true, .tiles = true});
}

TEST(Agreement, LastTurn) { compare({.depth = 2, .lastFrom = 2}); }

TEST(Agreement, Threads) {
  for (int depth : {1, 2, 3})
    for (bool overlaps : {false, true})
      if (!overlaps || depth > 1)
        compare(
            {.depth = depth, .copiesByThreads = true, .overlaps = overlaps});
}

TEST(Agreement, CopiesUnderWay) {
  for (int depth : {1, 2, 3})
    for (bool overlaps : {false, true})
      if (!overlaps || depth > 1)
        compare({.depth = depth,
                 .copiesByThreads = true,
                 .goesOn = true,
                 .overlaps = overlaps});
  compare(
      {.depth = 2, .consumers = 2, .copiesByThreads = true, .goesOn = true});
}

TEST(Agreement, TwoConsumers) {
  for (int depth : {1, 2, 3})
    for (bool overlaps : {false, true})
      if (!overlaps || depth > 1)
        compare({.depth = depth, .consumers = 2, .overlaps = overlaps});
}

TEST(Agreement, Exchange) {
  for (int depth : {1, 2})
    compare({.depth = depth, .consumerWarps = 2, .exchanges = true});
}

TEST(Agreement, Stores) {
  for (int depth : {1, 2})
    compare(
        {.depth = depth, .consumerWarps = 2, .tiles = true, .stores = true});
}

TEST(Agreement, Counts) {
  for (int depth : {1, 2})
    for (int consumers : {1, 2})
      compare({.depth = depth,
               .consumers = consumers,
               .copiesByThreads = true,
               .counts = true});
  compare(
      {.depth = 2, .copiesByThreads = true, .overlaps = true, .counts = true});
}

/// Of two mistakes at once one can hide the other: what is proved must be right
/// all the same. The other way round the prover may be stricter than need be.
static void comparePairs(const Shape &shape) {
  size_t proved = 0;
  for (const Mutant &first : makeMutants(makePipeline(shape)))
    for (const Mutant &second : makeMutants(first.protocol)) {
      if (prove(second.protocol).verdict != Verdict::Proved)
        continue;
      ++proved;
      EXPECT_EQ(findFault(second.protocol, shape), std::nullopt)
          << first.what << ", " << second.what;
    }
  EXPECT_GT(proved, 0u);
}

TEST(Agreement, Pairs) {
  comparePairs({.depth = 2, .consumerWarps = 2});
  comparePairs({.depth = 2, .overlaps = true});
  comparePairs({.depth = 2, .overlaps = true, .accumulates = true});
  comparePairs({.depth = 2, .copiesByThreads = true});
  comparePairs({.depth = 2, .copiesByThreads = true, .goesOn = true});
  comparePairs({.depth = 1, .consumerWarps = 2, .exchanges = true});
  comparePairs({.depth = 1, .consumerWarps = 2, .stores = true});
}
