//===- CostsTest.cpp - Machine descriptions, good and bad -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine descriptions: the measured or published times that they must give,
// and the errors of bad ones. A changed number changes schedules without a
// failure elsewhere, so the first scheduler's are fixed here one by one.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Times.h"

#include "gtest/gtest.h"
#include <fstream>
#include <sstream>

using namespace heddle::machine;

namespace {

std::string readFile(const std::string &name) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/machines/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Costs find(const std::string &name) {
  Costs costs;
  std::string error;
  EXPECT_TRUE(findMachine(name, costs, error)) << error;
  return costs;
}

/// The error after one replacement in the description of the H200.
std::string errorOf(const std::string &from, const std::string &to) {
  std::string text = readFile("h200"), error;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  Costs costs;
  EXPECT_FALSE(readCosts(text, costs, error));
  EXPECT_EQ(costs.name, "") << "a bad description must change nothing";
  return error;
}

} // namespace

TEST(Costs, MachinesInTheBinaryAreTheFiles) {
  EXPECT_EQ(machineNames(), (std::vector<std::string>{"b200", "h200"}));
  for (const std::string &name : machineNames()) {
    Costs fromFile = find(HEDDLE_SOURCE_DIR "/machines/" + name + ".json");
    EXPECT_EQ(fromFile.name, name);
    EXPECT_EQ(fromFile.tensor.latency, find(name).tensor.latency);
  }
}

TEST(Costs, EveryMachineHasLegalLimits) {
  EXPECT_EQ(find("h200").limits, limitsOf("sm_90a"));
  EXPECT_EQ(find("b200").limits, limitsOf("sm_100a"));
  EXPECT_EQ(find("b200").limits.multiprocessors, 148);
}

// Measured: wgmma.n64.*.groups2 to wgmma.n256.*.groups2, four steps of K = 16.
TEST(Costs, ProductsTakeTheMeasuredTime) {
  Costs h200 = find("h200");
  for (auto [columns, cycles] : std::vector<std::pair<int, int>>{
           {64, 128}, {96, 192}, {128, 256}, {176, 352}, {256, 512}})
    for (bool sharedA : {false, true})
      EXPECT_EQ(Times(h200).productCycles(64, columns, 64, 16, sharedA),
                cycles);
  EXPECT_EQ(Times(h200).productCycles(128, 128, 64, 16, true), 512);
  // Numbers of 8 bits take half the time.
  EXPECT_EQ(Times(h200).productCycles(64, 128, 64, 8, true), 128);
}

// A narrow product waits for shared memory: (64 x 16 + 16 x 16) x 2 B a step.
TEST(Costs, NarrowProductsWaitForTheirOperands) {
  Costs h200 = find("h200");
  EXPECT_EQ(Times(h200).productCycles(64, 16, 16, 16, true), 20);
  EXPECT_EQ(Times(h200).productCycles(64, 16, 16, 16, false), 8);
}

// Published for the B200: 48.6, 56.6 and 64.6 cycles a step of K = 16 with A in
// shared memory.
TEST(Costs, BlackwellProductsTakeThePublishedTime) {
  Costs b200 = find("b200");
  EXPECT_EQ(Times(b200).productCycles(128, 64, 16, 16, true), 48);
  EXPECT_EQ(Times(b200).productCycles(128, 96, 16, 16, true), 56);
  EXPECT_EQ(Times(b200).productCycles(128, 128, 16, 16, true), 64);
  EXPECT_EQ(Times(b200).productCycles(128, 64, 16, 16, false), 32);
  // 64 rows take as long as 128.
  EXPECT_EQ(Times(b200).productCycles(64, 256, 16, 16, false), 128);
  EXPECT_EQ(b200.tensorColumns(128, 128, 32), 128);
  EXPECT_EQ(b200.tensorColumns(128, 128, 16), 64);
  EXPECT_EQ(b200.tensorColumns(256, 128, 32), 256);
  EXPECT_EQ(Times(b200).productIssue(128, 16, true), 16 + 8 * 11);
}

TEST(Costs, RoundsUpToWholeCycles) {
  EXPECT_EQ(wholeCycles(0), 1);
  EXPECT_EQ(wholeCycles(1.1 * 10), 11);
  EXPECT_EQ(wholeCycles(10.01), 11);
}

TEST(Costs, RefusesBadDescriptions) {
  EXPECT_EQ(errorOf("{\"value\": 473,", "{\"value\": -3,"),
            "costs.copy.latency.value: expected a number of at least 0, found "
            "-3");
  EXPECT_EQ(errorOf("{\"value\": 64, \"from\"", "{\"value\": 64.5, \"from\""),
            "costs.tensor.rows.value: expected a whole number of at least 1, "
            "found 64.5");
  EXPECT_EQ(errorOf("{\"value\": 473,", "{\"value\": \"473\","),
            "costs.copy.latency.value: expected a number of at least 0, found "
            "\"473\"");
  EXPECT_EQ(errorOf("{\"value\": 473,", "{"),
            "costs.copy.latency.value: the field is missing");
  EXPECT_EQ(errorOf("\"shuffle\":", "\"shufle\":"),
            "costs.instructions.shuffle: the field is missing");
  EXPECT_EQ(errorOf("\"rows\": {", "\"lines\": {}, \"rows\": {"),
            "costs.tensor.lines: unknown field; the fields here are rows, "
            "flops_per_cycle, warp_flops_per_cycle, shared_bytes_per_cycle, "
            "shared_bytes_both_ways, "
            "latency, issue, issue_step, issue_register_step, queue_steps");
  EXPECT_EQ(errorOf("\"range\": [38, 112]", "\"range\": [65, 112]"),
            "costs.copy.bytes_per_cycle.range: expected two numbers around the "
            "value 64, found a list of 2");
  EXPECT_EQ(errorOf("\"range\": [38, 112]", "\"range\": [38]"),
            "costs.copy.bytes_per_cycle.range: expected a list of 2, found a "
            "list of 1");
  EXPECT_EQ(
      errorOf("\"from\": \"barrier.mbarrier.hand_over\"", "\"from\": \"\""),
      "costs.hand_over.mbarrier.from: expected what the value was taken "
      "from, found \"\"");
  EXPECT_EQ(errorOf("\"costs\":", "\"cost\":"), "costs: the field is missing");
  EXPECT_EQ(errorOf("\"name\": \"h200\"", "\"name\": \"\""),
            "name: expected the machine's name, found \"\"");
  EXPECT_EQ(errorOf("\"named_barriers\": {\"value\": 16",
                    "\"named_barriers\": {\"value\": 0"),
            "limits.named_barriers: expected a positive value and its source");
  EXPECT_NE(errorOf("{", "{{"), "");
}

TEST(Costs, SaysWhichMachinesThereAre) {
  Costs costs;
  std::string error;
  EXPECT_FALSE(findMachine("h20", costs, error));
  EXPECT_EQ(error,
            "no machine is called 'h20' (known are b200, h200, dae, "
            "fabric-hbm, fabric-ideal), and "
            "no file of this name can be read: No such file or directory");
}
