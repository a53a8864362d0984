//===- Device.h - Where a compiled kernel runs ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled kernel and host arguments go in; the results come back in the same
// host memory, from the GPU or from the emulator. Commands choose the device
// once and compare results in one way after that, so that the two devices
// answer the same question.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUN_DEVICE_H
#define HEDDLE_RUN_DEVICE_H

#include "heddle/Run/ArgumentData.h"

#include "heddle/Emulator/Emulator.h"
#include "heddle/Pipeline/Compile.h"

#include "llvm/ADT/ArrayRef.h"

namespace heddle::machine {
struct Processor;
} // namespace heddle::machine

namespace heddle::tool {

/// Runs one compiled kernel. Errors carry the device's own sentence.
class Device {
public:
  virtual ~Device() = default;

  /// "emulator", or the GPU's name.
  virtual std::string name() const = 0;
  /// Launches once and waits; written views hold the results afterwards.
  virtual llvm::Error launch(llvm::MutableArrayRef<ArgumentData> arguments) = 0;
  /// The variant that the last launch took.
  virtual int variant() const = 0;
  /// Milliseconds a launch, averaged over `launches`; the last launch's own
  /// time where a device cannot repeat.
  virtual llvm::Expected<double>
  timeMilliseconds(llvm::MutableArrayRef<ArgumentData> arguments,
                   int launches) = 0;
};

struct EmulatorSettings {
  emulator::Options options;
  /// Multiprocessors that the grid is planned for.
  int multiprocessors = 132;
};

/// Which variants a launch of the manifest's kernel on the emulator will take,
/// in order: more than one where a second step adds up what the first one left.
llvm::Expected<std::vector<int>>
chooseVariants(const manifest::Manifest &manifest,
               llvm::ArrayRef<ArgumentData> arguments,
               const EmulatorSettings &settings);

/// What one launch of a manifest's kernel did; the arguments hold the results.
struct EmulatorLaunch {
  int variant = 0;
  emulator::Statistics statistics;
};
llvm::Expected<EmulatorLaunch>
launchOnEmulator(const emulator::Program &program,
                 const manifest::Manifest &manifest,
                 llvm::MutableArrayRef<ArgumentData> arguments,
                 const EmulatorSettings &settings);
/// The emulator's complaint, with the kind of message it is.
llvm::Error makeLaunchError(const emulator::Result &result);

/// `kernel` and `manifest` must outlive the device.
llvm::Expected<std::unique_ptr<Device>>
createEmulatorDevice(const pipeline::CompiledKernel &kernel,
                     const manifest::Manifest &manifest,
                     const EmulatorSettings &settings);
llvm::Expected<std::unique_ptr<Device>>
createGpuDevice(const pipeline::CompiledKernel &kernel,
                const manifest::Manifest &manifest);

/// Compiles the kernels of `module`, on the tile rung, for this processor; the
/// plan follows the figures of `processor`. Failures are diagnostics.
/// `manifest` needs the kernel's name alone and must outlive the device.
mlir::FailureOr<std::unique_ptr<Device>>
createCpuDevice(mlir::ModuleOp module, const manifest::Manifest &manifest,
                const machine::Processor &processor, int workers);

/// Whether a GPU that can run the kernels is there; `reason` says why not.
bool isGpuUsable(std::string &reason);

} // namespace heddle::tool

#endif // HEDDLE_RUN_DEVICE_H
