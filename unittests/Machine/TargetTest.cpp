//===- TargetTest.cpp - Kinds of machines ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each machine in the binary has a target that is known, descriptions of
// targets that are registered later are read, and others are refused by name.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Target.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Units.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace heddle::machine;

namespace {

/// A file with machines/`machine`.json for the target `target`.
std::string writeFor(const std::string &machine, const std::string &from,
                     const std::string &target) {
  std::ifstream stream(HEDDLE_SOURCE_DIR "/machines/" + machine + ".json");
  std::stringstream text;
  text << stream.rdbuf();
  std::string json = text.str(), path = testing::TempDir() + target + ".json";
  size_t at = json.find("\"" + from + "\"");
  EXPECT_NE(at, std::string::npos);
  json.replace(at + 1, from.size(), target);
  std::ofstream(path) << json;
  return path;
}

TEST(Target, EachMachineInTheBinaryHasOne) {
  std::string error;
  for (const std::string &name : machineNames()) {
    const Target *target = targetOf(name, error);
    ASSERT_NE(target, nullptr) << error;
    EXPECT_EQ(target->model, Model::Timetable) << name;
    Costs costs;
    ASSERT_TRUE(findMachine(name, costs, error)) << error;
    EXPECT_EQ(target->name, costs.target);
  }
  for (const std::string &name : unitMachineNames()) {
    const Target *target = targetOf(name, error);
    ASSERT_NE(target, nullptr) << error;
    EXPECT_EQ(target->model, Model::Units) << name;
  }
}

TEST(Target, ADescriptionIsReadOnceItsTargetIsKnown) {
  std::string path = writeFor("dae", "units", "tiny"), error;
  Units units;
  EXPECT_FALSE(findUnits(path, units, error));
  EXPECT_EQ(error, path + ": target: there is none called 'tiny'; known are "
                          "cpu, sm_100a, sm_90a, units");
  EXPECT_EQ(targetOf(path, error), nullptr);
  EXPECT_FALSE(isMachineOfUnits(path));
  registerTarget({"tiny", Model::Units});
  EXPECT_TRUE(findUnits(path, units, error)) << error;
  EXPECT_EQ(units.name, "dae");
  EXPECT_TRUE(isMachineOfUnits(path));
  ASSERT_NE(findTarget("tiny"), nullptr);
  EXPECT_EQ(targetOf(path, error), findTarget("tiny"));
  EXPECT_DEATH(registerTarget({"tiny", Model::Timetable}),
               "two targets are called 'tiny'");
}

TEST(Target, TheModelDecidesWhichReaderTakesADescription) {
  std::string error;
  Costs costs;
  Units units;
  EXPECT_FALSE(findUnits("h200", units, error));
  EXPECT_NE(error.find("a target whose machines are made of units"),
            std::string::npos)
      << error;
  std::string path = writeFor("h200", "sm_90a", "sm_9a");
  EXPECT_FALSE(findMachine(path, costs, error));
  EXPECT_EQ(error.find(path + ": target: there is none called 'sm_9a'"), 0u)
      << error;
}

} // namespace
