//===- Targets.cpp - The table of targets ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What there is to fuzz, by name, for libFuzzer (Main.cpp) and for the replay
// of single inputs (Replay.cpp). What both settle in a process stands here too.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

using namespace heddle::fuzz;

/// One command of `heddle`: an input is its arguments, and no mutation makes it
/// another command.
template <const char *Command> static int runEntry(const std::string &lines) {
  return runCommand(std::string(Command) + "\n" + lines);
}
static constexpr char kCheck[] = "check", kCompile[] = "compile",
                      kEmulate[] = "emulate", kExplain[] = "explain",
                      kPredict[] = "predict", kRun[] = "run",
                      kSimulate[] = "simulate", kSolve[] = "solve",
                      kTune[] = "tune";

static constexpr Target kTargets[] = {
    {"program", runProgram, 1 << 16, true},
    {"ttir", runTtir, 1 << 16, true},
    {"aref", runAref, 1 << 16, true},
    {"hopper", runHopper, 1 << 16, true},
    {"plan", runPlan, 1 << 14, true},
    {"task", runTasks, 1 << 14, true},
    {"einsum", runEinsum, 1 << 13, true},
    {"flow", runFlow, 1 << 14, true},
    {"passes", runPasses, 1 << 14, true},
    {"ptx", runPtx, 1 << 16, true},
    {"manifest", runManifest, 1 << 16, true},
    {"json", runJson, 1 << 16, true},
    {"problem", runProblem, 1 << 15, true},
    {"solution", runSolution, 1 << 15, true},
    {"certificate", runCertificate, 1 << 16, true},
    {"machine", runMachine, 1 << 15, true},
    {"scenario", runScenario, 1 << 13, true},
    {"record", runRecord, 1 << 13, true},
    {"npy", runNpy, 1 << 12, false},
    {"elements", runElements, 1 << 11, true},
    {"interface", runInterface, 1 << 13, true},
    {"command", runCommand, 1 << 10, true},
    {"command-check", runEntry<kCheck>, 1 << 10, true},
    {"command-compile", runEntry<kCompile>, 1 << 10, true},
    {"command-emulate", runEntry<kEmulate>, 1 << 10, true},
    {"command-explain", runEntry<kExplain>, 1 << 10, true},
    {"command-predict", runEntry<kPredict>, 1 << 10, true},
    {"command-run", runEntry<kRun>, 1 << 10, true},
    {"command-simulate", runEntry<kSimulate>, 1 << 10, true},
    {"command-solve", runEntry<kSolve>, 1 << 10, true},
    {"command-tune", runEntry<kTune>, 1 << 10, true},
};

llvm::ArrayRef<Target> heddle::fuzz::targets() { return kTargets; }

const Target *heddle::fuzz::findTarget(const std::string &name) {
  for (const Target &target : kTargets)
    if (name == target.name)
      return &target;
  return nullptr;
}

void heddle::fuzz::enterScratchFolder() {
  static bool isThere = false;
  if (isThere)
    return;
  isThere = true;
  llvm::SmallString<64> folder;
  if (llvm::sys::fs::createUniqueDirectory("heddle-fuzz", folder) ||
      ::chdir(folder.c_str()) != 0)
    std::abort();
  static std::string kept(folder.str());
  std::atexit([] { (void)llvm::sys::fs::remove_directories(kept); });
}

void heddle::fuzz::prepareProcess() {
  // Nothing that an input names is run, and no schedule is remembered.
  ::setenv("PATH", "/nonexistent", 1);
  ::setenv("HEDDLE_CACHE_DIR", "", 1);
  if (!std::freopen("/dev/null", "r", stdin)) // nobody answers `tune --serve`
    std::abort();
  std::signal(SIGXFSZ, SIG_IGN);
}
