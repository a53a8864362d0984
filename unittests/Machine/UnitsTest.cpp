//===- UnitsTest.cpp - Machines made of named units -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machines of units in the binary and as files, and what their reader refuses:
// a number without a source, and names that lead nowhere.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Units.h"
#include "heddle/Machine/Costs.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace heddle::machine;

namespace {

/// machines/dae.json with `from` replaced by `to`.
std::string errorOf(const std::string &from, const std::string &to) {
  std::ifstream stream(HEDDLE_SOURCE_DIR "/machines/dae.json");
  std::stringstream text;
  text << stream.rdbuf();
  std::string json = text.str(), error;
  size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  json.replace(at, from.size(), to);
  Units units;
  EXPECT_FALSE(readUnits(json, units, error));
  EXPECT_EQ(units.name, "") << "a bad description must change nothing";
  return error;
}

TEST(Units, TheMachineInTheBinaryIsTheFile) {
  EXPECT_EQ(unitMachineNames(),
            (std::vector<std::string>{"dae", "fabric-hbm", "fabric-ideal"}));
  Units units;
  std::string error;
  ASSERT_TRUE(findUnits("dae", units, error)) << error;
  EXPECT_EQ(units.findUnit("access")->outstanding, 128);
  EXPECT_EQ(units.findCache("L1")->next, "L2");
  EXPECT_EQ(units.findUnit("tensor"), nullptr);
}

TEST(Units, SumsMayBeReadEarlierThanTheRest) {
  Units units;
  std::string error;
  ASSERT_TRUE(findUnits("dae", units, error)) << error;
  EXPECT_EQ(units.findUnit("execute")->latency, 4);
  EXPECT_EQ(units.findUnit("execute")->sumLatency, 2);
  // Where the description lacks it.
  EXPECT_EQ(units.findUnit("access")->sumLatency,
            units.findUnit("access")->latency);
  EXPECT_EQ(errorOf("\"sum_latency\": {\"value\": 2",
                    "\"sum_latency\": {\"value\": -2"),
            "units[1].sum_latency.value: expected an integer from 0 to "
            "1099511627776, found -2");
}

TEST(Units, OneKindOfMachineIsNotTheOther) {
  EXPECT_TRUE(isMachineOfUnits("dae"));
  EXPECT_FALSE(isMachineOfUnits("h200"));
  Costs costs;
  std::string error;
  EXPECT_FALSE(findMachine("dae", costs, error));
  EXPECT_EQ(error, "'dae' is a machine of named units, for which there are "
                   "roles and no timetable; `heddle simulate --machine` runs "
                   "programs on it");
}

TEST(Units, EveryNumberHasItsSource) {
  EXPECT_EQ(errorOf("\"outstanding\": {\"value\": 128, \"from\": \"Tensor",
                    "\"outstanding\": {\"value\": 128, \"by\": \"Tensor"),
            "units[0].outstanding.from: the field is missing");
  EXPECT_EQ(errorOf("\"ways\": {\"value\": 4", "\"ways\": {\"value\": 0"),
            "caches[0].ways.value: expected an integer from 1 to "
            "1099511627776, found 0");
}

TEST(Units, NamesLeadSomewhere) {
  EXPECT_EQ(errorOf("\"cache\": \"LLC\"", "\"cache\": \"L3\""),
            "unit 'access' asks cache 'L3', which the description does not "
            "have");
  EXPECT_EQ(errorOf("\"next\": \"LLC\"", "\"next\": \"L1\""),
            "cache 'L2' asks 'L1', which must be a cache that the description "
            "lists behind it");
  EXPECT_EQ(errorOf("\"value\": 65536", "\"value\": 64"),
            "cache 'L1' has 64 bytes, fewer than 4 ways of one line");
}

} // namespace
