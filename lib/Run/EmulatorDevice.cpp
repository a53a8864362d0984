//===- EmulatorDevice.cpp - Runs a kernel on the CPU ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Device that executes a kernel's PTX on the CPU. Host memory stands for
// device memory: the plan gets the arguments' own addresses, and the emulator
// gets the ranges that the kernel may touch, so nothing is copied and an access
// outside of them is an error.
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/Device.h"

#include "heddle/Support/Diagnostics/Run.h"

#include <chrono>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

namespace {

class EmulatorDevice : public Device {
public:
  EmulatorDevice(std::unique_ptr<emulator::Program> program,
                 const manifest::Manifest &manifest,
                 const EmulatorSettings &settings)
      : program(std::move(program)), manifest(manifest), settings(settings) {}

  std::string name() const override { return "emulator"; }
  int variant() const override { return chosen; }
  Error launch(MutableArrayRef<ArgumentData> arguments) override;

  Expected<double> timeMilliseconds(MutableArrayRef<ArgumentData>,
                                    int) override {
    return lastMilliseconds;
  }

private:
  std::unique_ptr<emulator::Program> program;
  const manifest::Manifest &manifest;
  EmulatorSettings settings;
  int chosen = 0;
  double lastMilliseconds = 0;
};

Error EmulatorDevice::launch(MutableArrayRef<ArgumentData> arguments) {
  auto begin = std::chrono::steady_clock::now();
  auto launched = launchOnEmulator(*program, manifest, arguments, settings);
  std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  if (!launched)
    return launched.takeError();
  lastMilliseconds = elapsed.count();
  chosen = launched->variant;
  return Error::success();
}

} // namespace

static std::vector<manifest::ArgumentValue>
toHostValues(ArrayRef<ArgumentData> arguments) {
  std::vector<manifest::ArgumentValue> values;
  for (const ArgumentData &argument : arguments) {
    manifest::ArgumentValue value;
    value.element = argument.argument().element;
    value.address = reinterpret_cast<uint64_t>(argument.data());
    value.shape = argument.shape().vec();
    value.strides = argument.strides().vec();
    value.scalarBits = argument.hasMemory() ? 0 : argument.scalarBits();
    values.push_back(std::move(value));
  }
  return values;
}

Error heddle::tool::makeLaunchError(const emulator::Result &result) {
  return diag::makeError(result.refused ? diag::launch_refused
                                        : diag::launch_failed,
                         "emulator: " + result.error);
}

static Expected<manifest::LaunchPlan>
planOnHost(const manifest::Manifest &manifest, ArrayRef<ArgumentData> arguments,
           const EmulatorSettings &settings) {
  manifest::LaunchPlan plan;
  std::string error;
  if (!manifest::planLaunch(manifest, toHostValues(arguments),
                            settings.multiprocessors, plan, error))
    return diag::makeError(diag::launch_refused, error);
  return plan;
}

Expected<std::vector<int>>
heddle::tool::chooseVariants(const manifest::Manifest &manifest,
                             ArrayRef<ArgumentData> arguments,
                             const EmulatorSettings &settings) {
  auto plan = planOnHost(manifest, arguments, settings);
  if (!plan)
    return plan.takeError();
  std::vector<int> variants;
  const manifest::LaunchPlan *step = &*plan;
  while (step) {
    variants.push_back(step->variantIndex);
    step = step->then.empty() ? nullptr : &step->then.front();
  }
  return variants;
}

Expected<EmulatorLaunch> heddle::tool::launchOnEmulator(
    const emulator::Program &program, const manifest::Manifest &manifest,
    MutableArrayRef<ArgumentData> arguments, const EmulatorSettings &settings) {
  auto plan = planOnHost(manifest, arguments, settings);
  if (!plan)
    return plan.takeError();
  std::vector<emulator::MemoryRange> memory;
  for (ArgumentData &argument : arguments)
    if (argument.hasMemory())
      memory.push_back({reinterpret_cast<uint64_t>(argument.data()),
                        argument.sizeBytes(), argument.argument().written,
                        argument.argument().name});
  emulator::Result result =
      emulator::run(program, manifest, *plan, memory, settings.options);
  if (!result.ok)
    return makeLaunchError(result);
  return EmulatorLaunch{plan->variantIndex, result.statistics};
}

Expected<std::unique_ptr<Device>>
heddle::tool::createEmulatorDevice(const pipeline::CompiledKernel &kernel,
                                   const manifest::Manifest &manifest,
                                   const EmulatorSettings &settings) {
  std::string error;
  auto program = emulator::Program::parse(kernel.ptx, error);
  if (!program)
    return diag::makeError(diag::launch_failed, "emulator: " + error);
  return std::make_unique<EmulatorDevice>(std::move(program), manifest,
                                          settings);
}
