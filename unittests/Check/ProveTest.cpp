//===- ProveTest.cpp - What the prover says about a fault -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single protocols, most of them with one mistake: the verdict, the property
// and the arguments that the prover names. AgreementTest.cpp covers verdicts in
// breadth. Here are cases beyond it as well, such as register budgets, long
// loops and limits of the search.
//
//===----------------------------------------------------------------------===//

#include "Protocols.h"
#include "SmallModel.h"

#include "heddle/Check/Prove.h"

#include "gtest/gtest.h"

using namespace heddle::check;

TEST(Prove, DeclaredCountsAreClaims) {
  Protocol protocol = makePipeline({.depth = 2, .consumers = 2});
  protocol.rings[0].emptyArrivals = 3;
  Result result = prove(protocol);
  ASSERT_EQ(result.verdict, Verdict::Counterexample);
  EXPECT_EQ(result.fault->property, Property::Arrivals);
  EXPECT_EQ(result.fault->ring, "ring");
  EXPECT_GE(result.fault->arguments.at("n"), 1);
  EXPECT_FALSE(result.fault->trace.empty());
}

TEST(Prove, BarriersLieApart) {
  Protocol protocol = makePipeline({.depth = 2});
  protocol.rings[0].empty = protocol.rings[0].full + 8;
  Result result = prove(protocol);
  ASSERT_EQ(result.verdict, Verdict::Counterexample);
  EXPECT_EQ(result.fault->property, Property::Places);
}

TEST(Prove, BudgetsFitTheLaunch) {
  Protocol protocol = makePipeline({.depth = 1, .consumerWarps = 4});
  protocol.processes[0].firstWarp = 4;
  protocol.processes[1].firstWarp = 0;
  ASSERT_EQ(prove(protocol).verdict, Verdict::Proved);
  protocol.threads = 384;
  protocol.processes[1].registers = 256;
  protocol.processes[1].warps = 8;
  protocol.processes[0].firstWarp = 8;
  protocol.processes[0].warps = 4;
  protocol.processes[0].registers = 40;
  Result result = prove(protocol);
  ASSERT_EQ(result.verdict, Verdict::Counterexample);
  EXPECT_EQ(result.fault->property, Property::Registers);
}

TEST(Prove, SaysWhenItGivesUp) {
  Limits limits;
  limits.states = 2;
  Result result = prove(makePipeline({.depth = 3, .tiles = true}), limits);
  EXPECT_EQ(result.verdict, Verdict::NotProved);
  EXPECT_NE(result.reason.find("more than 2 states"), std::string::npos)
      << result.reason;
}

TEST(Prove, StatesThatAreLargeAreFewer) {
  Limits limits;
  limits.bytes = 10000;
  Result result = prove(makePipeline({.depth = 3, .tiles = true}), limits);
  EXPECT_EQ(result.verdict, Verdict::NotProved);
  EXPECT_EQ(result.reason, "the states to distinguish take more than 0 MiB");
}

TEST(Prove, FollowsSlotsOnlyFromConstants) {
  Protocol protocol = makePipeline({.depth = 2});
  // The slot of the producer's wait is an extent.
  for (Definition &definition : protocol.processes[0].values)
    if (definition.kind == Definition::Constant && definition.number == 0)
      definition.kind = Definition::Data;
  Result result = prove(protocol);
  EXPECT_EQ(result.verdict, Verdict::NotProved);
}

TEST(Prove, OneThreadSpeaksForItselfOnly) {
  // Two warps copy, and the first thread alone arrives: the other warp's part
  // is not published.
  Protocol protocol = makePipeline({.depth = 1, .copiesByThreads = true});
  Process &load = protocol.processes[0];
  load.warps = 2;
  protocol.processes[1].firstWarp = 2;
  protocol.threads += 32;
  protocol.rings[0].fullArrivals = 2;
  ASSERT_EQ(prove(protocol).verdict, Verdict::Proved);
  protocol.rings[0].fullArrivals = 1;
  for (Statement &statement : load.body[0].body)
    if (statement.event.kind == Event::Arrive)
      statement.event.kind = Event::Expect;
  Result result = prove(protocol);
  ASSERT_EQ(result.verdict, Verdict::Counterexample);
  EXPECT_EQ(result.fault->property, Property::Order);
}

TEST(Prove, StopsInALongLoop) {
  Protocol protocol = makePipeline({.depth = 2});
  for (Process &process : protocol.processes)
    for (Definition &definition : process.values)
      if (definition.kind == Definition::Symbol) {
        definition.kind = Definition::Constant;
        definition.number = 1000000000;
      }
  Limits limits;
  limits.steps = 10000;
  Result result = prove(protocol, limits);
  EXPECT_EQ(result.verdict, Verdict::NotProved);
  EXPECT_NE(result.reason.find("constant bounds"), std::string::npos)
      << result.reason;
}

TEST(Prove, AsksBehindALoop) {
  // The turn behind the loop comes for many points only, long after positions
  // in the loop were moved down.
  Protocol protocol = makePipeline({.depth = 2, .lastFrom = 40});
  EXPECT_EQ(prove(protocol).verdict, Verdict::Proved);
  Statement &last = protocol.processes[1].body.back().body.back();
  ASSERT_EQ(last.kind, Statement::Branch);
  std::erase_if(last.body, [](const Statement &statement) {
    return statement.kind == Statement::Happen &&
           statement.event.kind == Event::Arrive;
  });
  EXPECT_NE(prove(protocol).verdict, Verdict::Proved);
}

static const Shape kCounted = {
    .depth = 2, .copiesByThreads = true, .counts = true};

/// The event of a tile loop that reads the number of points.
static Event &readerIn(Process &process) {
  for (Statement &statement : process.body.back().body)
    if (statement.event.loaded != kNoValue)
      return statement.event;
  ADD_FAILURE() << "nothing reads a number";
  return process.body.back().event;
}

TEST(Prove, ChoosesWhatMemoryHolds) {
  // The consumer takes a turn more than the number says: memory that is full
  // of one number shows it.
  Protocol protocol = makePipeline(kCounted);
  ASSERT_EQ(prove(protocol).verdict, Verdict::Proved);
  for (const Mutant &mutant : makeMutants(protocol)) {
    if (mutant.what.rfind("another number", 0) != 0)
      continue;
    Result result = prove(mutant.protocol);
    ASSERT_EQ(result.verdict, Verdict::Counterexample) << result.reason;
    EXPECT_GE(result.fault->arguments.at("m"), 1);
    EXPECT_EQ(result.fault->arguments.count("each element of counts"), 1u);
    return;
  }
  FAIL() << "no number is handed on";
}

TEST(Prove, TellsTurnsOfANumberApart) {
  // Two tiles. The second reads the number of the first, which still stands in
  // its slot: all accesses are ordered, but the ends count different numbers.
  Protocol protocol = makePipeline(kCounted);
  for (Process &process : protocol.processes)
    for (Definition &definition : process.values)
      if (definition.name == "m") {
        definition = {};
        definition.kind = Definition::Constant;
        definition.number = 2;
      }
  Symbols counts = {{"counts[0]", 1}, {"counts[1]", 2}};
  ASSERT_EQ(prove(protocol).verdict, Verdict::Proved);
  ASSERT_EQ(findFault(protocol, counts), std::nullopt);
  Process &use = protocol.processes[1];
  for (size_t value = 0; value < use.values.size(); ++value)
    if (use.values[value].kind == Definition::Constant &&
        use.values[value].number == 0)
      readerIn(use).reads[0].slot = Value(value);
  Result result = prove(protocol);
  EXPECT_EQ(result.verdict, Verdict::NotProved);
  EXPECT_NE(result.reason.find("not written there in the same iteration"),
            std::string::npos)
      << result.reason;
  EXPECT_NE(findFault(protocol, counts), std::nullopt);
}

TEST(Prove, TakesNumbersFromOneWriterOnly) {
  // The threads write the number twice; which of the two is read is not asked.
  Protocol protocol = makePipeline(kCounted);
  std::vector<Statement> &tile = protocol.processes[0].body.back().body;
  for (size_t i = 0; i < tile.size(); ++i)
    if (tile[i].event.stored != kNoValue) {
      Statement again = tile[i], sync;
      sync.kind = Statement::Happen;
      sync.event.kind = Event::Sync;
      sync.event.id = 1;
      sync.event.threads = 32;
      tile.insert(tile.begin() + i, {again, sync});
      break;
    }
  Result result = prove(protocol);
  EXPECT_EQ(result.verdict, Verdict::NotProved);
  EXPECT_NE(result.reason.find("depends on data"), std::string::npos)
      << result.reason;
}

TEST(Prove, EndsOnANumberMadeOfItself) {
  // Each tile hands on what it read in the tile before, and one more.
  Protocol protocol = makePipeline(kCounted);
  for (Process &process : protocol.processes)
    for (Statement &statement : process.body.back().body)
      if (statement.event.stored != kNoValue) {
        Event read = statement.event;
        std::swap(read.reads, read.writes);
        process.values.push_back({});
        read.loaded = Value(process.values.size()) - 1;
        read.stored = kNoValue;
        Definition more;
        more.kind = Definition::Compute;
        more.arith = Arith::Add;
        more.operands = {read.loaded, read.loaded};
        process.values.push_back(more);
        statement.event.stored = Value(process.values.size()) - 1;
        Statement before = statement;
        before.event = read;
        Statement twice;
        twice.value = statement.event.stored;
        auto at = process.body.back().body.begin();
        at = process.body.back().body.insert(at, before);
        process.body.back().body.insert(at + 1, twice);
        break;
      }
  EXPECT_NE(prove(protocol).verdict, Verdict::Proved);
}

TEST(Prove, TellsSymbolsApart) {
  // Each end counts by a symbol of its own, and both have one name.
  Protocol protocol = makePipeline({.depth = 2});
  ASSERT_EQ(prove(protocol).verdict, Verdict::Proved);
  for (Definition &definition : protocol.processes[1].values)
    if (definition.kind == Definition::Symbol)
      definition.number = 1;
  Result result = prove(protocol);
  ASSERT_EQ(result.verdict, Verdict::Counterexample) << result.reason;
  EXPECT_EQ(result.fault->arguments.count("n"), 1u);
  EXPECT_EQ(result.fault->arguments.count("n'"), 1u);
}

TEST(Prove, KeepsAllBitsOfItsNumbers) {
  // The consumer's last turn comes for more points than 32 bits count.
  Protocol protocol = makePipeline({.depth = 2, .lastFrom = 2});
  ASSERT_EQ(prove(protocol).verdict, Verdict::Proved);
  for (Definition &definition : protocol.processes[1].values)
    if (definition.kind == Definition::Constant && definition.number == 2)
      definition.number = int64_t(1) << 32;
  EXPECT_NE(prove(protocol).verdict, Verdict::Proved);
}
