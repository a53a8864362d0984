//===- Targets.h - What the fuzzers read ------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is one reader and what comes behind it. All are in one executable,
// which is told by name what to do: each would hold LLVM again.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FUZZ_TARGETS_H
#define HEDDLE_FUZZ_TARGETS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::fuzz {

struct Target {
  const char *name;
  /// What libFuzzer wants: 0, or -1 for an input that is not worth keeping.
  int (*run)(const std::string &input);
  /// Longer inputs find nothing that shorter ones do not, and take longer.
  size_t longest;
  /// Whether mutations work on lines and words (TextMutator.h).
  bool isText;
};

llvm::ArrayRef<Target> targets();
/// Null if there is none.
const Target *findTarget(const std::string &name);

/// What an input may not do to the process or its surroundings.
void prepareProcess();

/// A folder of this process for files that a target reads and writes; the
/// current one from then on.
void enterScratchFolder();

// Programs: any rung, TTIR, the aref rung simulated, the hopper rung checked,
// and a sched.plan beside a kernel.
int runProgram(const std::string &text);
int runTtir(const std::string &text);
int runAref(const std::string &text);
int runHopper(const std::string &text);
int runPlan(const std::string &text);
/// Tasks, or a kernel, and a mapping for them.
int runTasks(const std::string &text);
/// Statements over sparse tensors, down to a CPU.
int runEinsum(const std::string &text);
/// Graphs of streams, or statements that become such, down to processes.
int runFlow(const std::string &text);
/// Passes in any order, and a program of any rung.
int runPasses(const std::string &text);

int runPtx(const std::string &text);
int runManifest(const std::string &text);

// Data in JSON.
int runJson(const std::string &text);
int runProblem(const std::string &text);
int runSolution(const std::string &text);
int runCertificate(const std::string &text);
int runMachine(const std::string &text);
int runScenario(const std::string &text);
int runRecord(const std::string &text);

// The command line, and files that it names.
int runNpy(const std::string &bytes);
int runElements(const std::string &text);
int runCommand(const std::string &lines);

// libheddle.
int runInterface(const std::string &text);

} // namespace heddle::fuzz

#endif // HEDDLE_FUZZ_TARGETS_H
