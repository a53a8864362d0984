//===- PtxTarget.cpp - The emulator's reader of PTX -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read is run too, for some steps with arguments that fit.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Emulator/Emulator.h"

#include <cstring>

using namespace heddle;

/// Pointers to one small buffer, and small numbers.
static void run(const emulator::Program &program,
                const emulator::EntryInfo &entry) {
  alignas(128) static uint8_t buffer[4096];
  uint64_t address = reinterpret_cast<uint64_t>(buffer);
  emulator::RawLaunch launch;
  launch.entry = entry.name;
  launch.block = {entry.requiredThreads ? entry.requiredThreads : 64, 1, 1};
  launch.sharedBytes = 4096;
  for (int64_t bytes : entry.parameterBytes) {
    if (bytes < 0 || bytes > 4096)
      return;
    std::vector<uint8_t> &value = launch.params.emplace_back(size_t(bytes), 1);
    if (bytes == 8)
      std::memcpy(value.data(), &address, 8);
  }
  emulator::Options options;
  options.maxStepsPerCta = 5000;
  options.threads = 1;
  options.schedule = emulator::Schedule::Random;
  emulator::Result result = emulator::run(
      program, launch, {{address, sizeof(buffer), true, "buffer"}}, options);
  if (!result.ok && result.error.empty())
    __builtin_trap(); // a failure says why
}

int heddle::fuzz::runPtx(const std::string &text) {
  std::string error;
  auto program = emulator::Program::parse(text, error);
  if (!program && error.empty())
    __builtin_trap(); // a refusal says why
  if (program && !program->entries().empty())
    run(*program, program->entries().front());
  return 0;
}
