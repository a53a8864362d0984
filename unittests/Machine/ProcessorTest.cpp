//===- ProcessorTest.cpp - What loops cost on a CPU -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors in the binary and as files, and what their reader refuses: figures
// without a source, caches that do not grow, bytes that never arrive.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Processor.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Units.h"

#include "gtest/gtest.h"

#include <fstream>
#include <regex>
#include <sstream>

using namespace heddle::machine;

namespace {

/// machines/cpu-epyc.json with the first match of `from` replaced.
std::string errorOf(const std::string &from, const std::string &to) {
  std::ifstream stream(HEDDLE_SOURCE_DIR "/machines/cpu-epyc.json");
  std::stringstream text;
  text << stream.rdbuf();
  std::string error, json = text.str();
  std::string changed = std::regex_replace(
      json, std::regex(from), to, std::regex_constants::format_first_only);
  EXPECT_NE(changed, json) << from;
  Processor processor;
  EXPECT_FALSE(readProcessor(changed, processor, error));
  EXPECT_EQ(processor.name, "") << "a bad description must change nothing";
  return error;
}

TEST(Processor, TheOneInTheBinary) {
  EXPECT_EQ(processorNames(),
            (std::vector<std::string>{"cpu-epyc", "cpu-xeon"}));
  const Processor &processor = defaultProcessor();
  EXPECT_EQ(processor.name, "cpu-epyc");
  EXPECT_EQ(processor.levels.front().name, "L1");
  EXPECT_EQ(&processor.levelFor(1), &processor.levels.front());
  EXPECT_EQ(&processor.levelFor(processor.levels[0].bytes + 1),
            &processor.levels[1]);
  EXPECT_EQ(&processor.levelFor(1e15), &processor.levels.back());
}

TEST(Processor, AFigureThatMayBeMissing) {
  EXPECT_EQ(defaultProcessor().gatherStart, 0);
  EXPECT_NE(errorOf("\"gather\"", "\"gather_start\": {\"value\": -1, \"from\": "
                                  "\"a test\"}, \"gather\"")
                .find("costs.gather_start.value: expected a number"),
            std::string::npos);
}

TEST(Processor, LinesAreTheMachines) {
  EXPECT_EQ(defaultProcessor().lineBytes, 64);
  EXPECT_NE(errorOf("\"line_bytes\": [{]\"value\": 64",
                    "\"line_bytes\": {\"value\": 0")
                .find("line_bytes.value: expected a number of at least 1"),
            std::string::npos);
  EXPECT_NE(errorOf("\"line_bytes\"", "\"lines\"").find("line_bytes"),
            std::string::npos);
}

TEST(Processor, ByTheNameThatLlvmHasForIt) {
  EXPECT_EQ(processorFor("znver5").name, "cpu-epyc");
  EXPECT_EQ(processorFor("cascadelake").name, "cpu-xeon");
  EXPECT_EQ(processorFor("generic").name, defaultProcessor().name);
}

TEST(Processor, OneKindOfMachineIsNotTheOther) {
  EXPECT_TRUE(isProcessor("cpu-epyc"));
  EXPECT_FALSE(isProcessor("h200"));
  EXPECT_FALSE(isMachineOfUnits("cpu-epyc"));
  Costs costs;
  Processor processor;
  std::string error;
  EXPECT_FALSE(findMachine("cpu-epyc", costs, error));
  EXPECT_EQ(error, "'cpu-epyc' is a processor, for which sparse einsums are "
                   "planned; kernels have no timetable on it");
  EXPECT_FALSE(findProcessor("nowhere", processor, error));
  EXPECT_NE(error.find("known are cpu-epyc, cpu-xeon)"), std::string::npos)
      << error;
  EXPECT_FALSE(findProcessor("dae", processor, error));
}

TEST(Processor, WhatIsRefused) {
  EXPECT_NE(
      errorOf("\"walk\": \\{\"value\": [0-9.]+", "\"walk\": {\"value\": -1")
          .find("costs.walk.value: expected a number of at least 0"),
      std::string::npos);
  EXPECT_NE(errorOf("\"gather\"", "\"gathers\"").find("gather"),
            std::string::npos);
  EXPECT_NE(errorOf("\"from\": \"the system\"", "\"from\": \"\"")
                .find("what the value was taken from"),
            std::string::npos);
  EXPECT_EQ(errorOf("\"bytes\": \\{\"value\": 1048576",
                    "\"bytes\": {\"value\": 1024"),
            "level 'L2' is not larger than the one before it");
  EXPECT_EQ(errorOf("\"bytes\": \\{\"value\": 0", "\"bytes\": {\"value\": 9e9"),
            "the last of the levels is memory, with 0 bytes");
  EXPECT_EQ(errorOf("\"bytes_per_cycle\": \\{\"value\": [0-9.]+",
                    "\"bytes_per_cycle\": {\"value\": 0"),
            "level 'L1' delivers no bytes");
}

} // namespace
